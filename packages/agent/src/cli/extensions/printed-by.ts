import { PiError } from "../../contract/errors.ts";
import type { ProcessDoor } from "../../contract/process.ts";

const TIME_LIMIT_MS = 30_000;
const MOST_BYTES = 64 * 1024;

/** What a line of shell prints, without the spaces around it. Rejects with a PiError when it fails, takes more than 30 s or prints nothing; what it printed is in no message. */
export async function printedBy(processes: ProcessDoor, cwd: string, command: string): Promise<string> {
  const result = await processes.run(
    { argv: ["sh", "-c", command], cwd, label: command },
    { timeoutMs: TIME_LIMIT_MS, maxBytes: MOST_BYTES },
  );
  const printed = new TextDecoder().decode(result.stdout).trim();
  if (result.code === 0 && printed !== "") return printed;
  const why = result.timedOut
    ? `took more than ${TIME_LIMIT_MS / 1_000} s`
    : result.code === 0
      ? "printed nothing"
      : `ended with exit code ${String(result.code)}`;
  throw new PiError({
    code: "key_command",
    message: `the command of an extension that prints a key ${why}: ${command}`,
    hint: "Run it in a shell to see what is wrong.",
    exitCode: 4,
  });
}
