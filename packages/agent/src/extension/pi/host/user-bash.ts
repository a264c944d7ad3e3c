/** `user_bash`: an extension may run a command that a person typed (`!command`) in its own way, or answer it. */
import { constants } from "node:os";
import { errorMessage, PiError } from "../../../contract/errors.ts";
import type { OwnedProcess, ProcessExit } from "../../../contract/process.ts";
import { runAs } from "../load/running-extension.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { LoadedExtension } from "./loaded-extension.ts";

/** A typed command. */
export interface UserCommand {
  readonly command: string;
  readonly cwd: string;
  /** `!!command`: the model does not see it. */
  readonly excluded: boolean;
}

interface ExecOptions {
  onData(data: Uint8Array): void;
  signal: AbortSignal;
}

interface Taken {
  readonly extension: LoadedExtension;
  exec(options: ExecOptions): Promise<ProcessExit>;
}

/**
 * The command as a process when an extension takes it; null: it is run as ever. Rejects with a PiError when a handler fails or takes too
 * long: what an extension should have wrapped does not run without it.
 */
export async function userBash(
  dispatcher: Dispatcher,
  { command, cwd, excluded }: UserCommand,
  signal: AbortSignal,
): Promise<OwnedProcess | null> {
  let taken: Taken | null = null;
  let failure: PiError | null = null;
  await dispatcher.dispatch(
    { type: "user_bash", command, excludeFromContext: excluded, cwd },
    {
      signal,
      take(value, extension) {
        taken = takenBy(value, extension, command, cwd);
        return taken !== null;
      },
      failed(end, extension) {
        if (end.kind === "aborted") return true;
        const why = end.kind === "thrown" ? errorMessage(end.error) : "it took too long";
        failure = new PiError({
          code: "extension_failed",
          message: `the command was not run: the extension "${extension.name}" failed before it: ${why}`,
        });
        return true;
      },
    },
  );
  if (failure !== null) throw failure;
  return taken === null ? null : asProcess(taken, command);
}

function takenBy(value: unknown, extension: LoadedExtension, command: string, cwd: string): Taken | null {
  const { result, operations } = (value ?? {}) as {
    result?: { output?: unknown; exitCode?: unknown };
    operations?: {
      exec?(command: string, cwd: string, options: ExecOptions): Promise<{ exitCode?: unknown }>;
    };
  };
  if (typeof operations?.exec === "function")
    return {
      extension,
      exec: async (options) => exitOf((await operations.exec!(command, cwd, options))?.exitCode),
    };
  if (typeof result !== "object" || result === null) return null;
  return {
    extension,
    async exec({ onData }) {
      onData(new TextEncoder().encode(String(result.output ?? "")));
      return exitOf(result.exitCode ?? 0);
    },
  };
}

/** No code is a command that failed; from 129 on it is a signal's. */
function exitOf(code: unknown): ProcessExit {
  if (typeof code !== "number") return { code: 1, signal: null };
  const name = Object.entries(constants.signals).find(([, number]) => number === code - 128)?.[0];
  return code > 128 && name !== undefined ? { code: null, signal: name } : { code, signal: null };
}

/** An interrupt ends the wait at once, whatever the extension does with it. */
function asProcess({ extension, exec }: Taken, label: string): OwnedProcess {
  const abort = new AbortController();
  const stopped = Promise.withResolvers<ProcessExit>();
  let out: ReadableStreamDefaultController<Uint8Array> | undefined;
  const stdout = new ReadableStream<Uint8Array>({
    start(controller) {
      out = controller;
    },
  });
  const onData = (data: Uint8Array) => out?.enqueue(new Uint8Array(data));
  const run = async (): Promise<ProcessExit> => {
    try {
      return await runAs(extension, () => exec({ onData, signal: abort.signal }));
    } catch (thrown) {
      const words = `the extension "${extension.name}" failed: ${errorMessage(thrown)}\n`;
      onData(new TextEncoder().encode(words));
      return { code: 1, signal: null };
    }
  };
  const exited = Promise.race([run(), stopped.promise]).finally(() => {
    out?.close();
    out = undefined;
  });
  return {
    pid: process.pid,
    label,
    startedAt: Date.now(),
    stdout,
    stderr: new Blob([]).stream(),
    stdin: null,
    exited,
    async end() {
      abort.abort();
      stopped.resolve({ code: null, signal: "SIGTERM" });
    },
    survivors: () => [],
    detachStreams: () => undefined,
  };
}
