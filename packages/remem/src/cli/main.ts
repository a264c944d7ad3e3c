import { describeFailure } from "./describe-failure.ts";
import { processWorld } from "./process-world.ts";
import { runCli } from "./run-cli.ts";

/** How a process ends that was stopped from outside: 128 and the number of the signal. */
const STOPPED = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
/** So long a stopped command may take to put away what it holds. */
const GRACE_MS = 1_500;

const stop = new AbortController();
let stopped: number | undefined;
for (const [signal, code] of Object.entries(STOPPED))
  process.on(signal as keyof typeof STOPPED, () => {
    if (stopped !== undefined) process.exit(code);
    stopped = code;
    stop.abort();
    setTimeout(() => process.exit(code), GRACE_MS).unref();
  });

async function main(): Promise<number> {
  try {
    return await runCli(process.argv.slice(2), processWorld(stop.signal));
  } catch (error) {
    const { message, hint, exitCode } = describeFailure(error);
    process.stderr.write(`error: ${message}\n  ${hint}\n`);
    return exitCode;
  }
}

const code = await main();
process.exit(stopped ?? code);
