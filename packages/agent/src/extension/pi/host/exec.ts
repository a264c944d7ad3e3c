import { constants } from "node:os";
import { isPiError } from "../../../contract/errors.ts";
import type { ProcessDoor, ProcessResult } from "../../../contract/process.ts";

interface ExecOptions {
  signal?: AbortSignal;
  /** Milliseconds; none, 0 and what is no time: as long as it takes. */
  timeout?: number;
  cwd?: string;
  maxBuffer?: number;
}

/** The longest wait that a timer of the runtime can have; a longer one would be over at once. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * `pi.exec`: a program without a shell, without our keys, ended with us. As in Pi, a program that cannot be started is one that failed
 * (code 1, why in `stderr`), and one that a signal ended has the code that shells give it.
 */
export async function exec(
  processes: ProcessDoor,
  cwd: string,
  command: string,
  args: readonly string[],
  options: ExecOptions | null = {},
) {
  const { timeout = 0, maxBuffer = MOST_BYTES, signal, cwd: folder = cwd } = options ?? {};
  try {
    const result = await processes.run(
      { argv: [command, ...args], cwd: folder, label: [command, ...args].join(" ") },
      {
        timeoutMs: timeout > 0 ? Math.min(timeout, NO_TIMEOUT_MS) : NO_TIMEOUT_MS,
        maxBytes: maxBuffer,
        ...(signal === undefined ? {} : { signal }),
      },
    );
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return {
      stdout: text(result.stdout),
      stderr: text(result.stderr),
      code: codeOf(result),
      killed: result.timedOut || result.aborted,
      truncated: result.truncated,
    };
  } catch (thrown) {
    if (!isPiError(thrown)) throw thrown;
    return { stdout: "", stderr: thrown.message, code: 1, killed: false, truncated: false };
  }
}

/** What was cut never passes for a success. */
function codeOf({ code, signal, truncated }: ProcessResult): number {
  const own = code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
  const known = code === null && signal === null ? 1 : own;
  return truncated && known === 0 ? 1 : known;
}
