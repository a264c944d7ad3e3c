import type { ProcessDoor } from "../../../contract/process.ts";

interface ExecOptions {
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
  cwd?: string;
  maxBuffer?: number;
}

const NO_TIMEOUT_MS = 2 ** 31 - 1;
const MOST_BYTES = 256 * 1024 * 1024;

/** `pi.exec`: a program without a shell, without our keys, ended with us. A program that is not there rejects. */
export async function exec(
  processes: ProcessDoor,
  cwd: string,
  command: string,
  args: readonly string[],
  options: ExecOptions = {},
) {
  const result = await processes.run(
    { argv: [command, ...args], cwd: options.cwd ?? cwd, label: [command, ...args].join(" ") },
    {
      timeoutMs: options.timeout ?? NO_TIMEOUT_MS,
      maxBytes: options.maxBuffer ?? MOST_BYTES,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    },
  );
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return {
    stdout: text(result.stdout),
    stderr: text(result.stderr),
    code: result.code ?? 1,
    killed: result.timedOut || result.aborted,
    truncated: result.truncated,
  };
}
