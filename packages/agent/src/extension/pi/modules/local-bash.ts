import { constants } from "node:os";
import type { OwnedProcess, ProcessExit } from "../../../contract/process.ts";
import { moduleHost } from "./module-host.ts";

interface ExecOptions {
  onData(data: Buffer): void;
  signal?: AbortSignal;
  /** Seconds. */
  timeout?: number;
  env?: Readonly<Record<string, string | undefined>>;
}

/** Commands as pi runs a person's own: with bash, without our keys, ended with us. */
export function createLocalBashOperations() {
  return {
    async exec(command: string, cwd: string, options: ExecOptions): Promise<{ exitCode: number | null }> {
      const { onData, signal, timeout, env = {} } = options;
      const added = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
      const child = moduleHost().processes.start({
        argv: ["bash", "-c", command],
        cwd,
        env: Object.fromEntries(added),
        label: command,
      });
      const stop = () => void child.end();
      const timer = timeout === undefined ? undefined : setTimeout(stop, timeout * 1_000);
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted) stop();
      try {
        await Promise.all([read(child.stdout, onData), read(child.stderr, onData)]);
        return { exitCode: codeOf(await child.exited) };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
      }
    },
  };
}

async function read(stream: OwnedProcess["stdout"], onData: ExecOptions["onData"]): Promise<void> {
  for await (const bytes of stream) onData(Buffer.from(bytes));
}

function codeOf({ code, signal }: ProcessExit): number | null {
  const number = constants.signals[signal as NodeJS.Signals] as number | undefined;
  return code ?? (number === undefined ? null : 128 + number);
}
