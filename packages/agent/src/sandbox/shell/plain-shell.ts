import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OwnedProcess, ProcessDoor } from "../../contract/process.ts";
import { blankSecretsInProc } from "../../platform/blank-secrets.ts";
import { COMMAND_ENVIRONMENT } from "./command-environment.ts";
import { inTemporary } from "./private-folder.ts";

/** Linux takes at most 128 KiB in one argument (MAX_ARG_STRLEN); longer commands go through a file. */
const ARGUMENT_LIMIT = 100_000;

/**
 * Runs `command` with bash, under `prefix` where that confines it. Throws what {@link ProcessDoor.start} throws.
 */
export function startPlainCommand(
  processes: ProcessDoor,
  bash: string,
  command: string,
  options: { cwd: string; env?: Readonly<Record<string, string>>; prefix?: readonly string[] },
): OwnedProcess {
  blankSecretsInProc();
  const script = Buffer.byteLength(command) > ARGUMENT_LIMIT ? scriptFile(command) : undefined;
  const words = script === undefined ? ["-c", command] : [script];
  const child = processes.start({
    argv: [...(options.prefix ?? []), bash, "--norc", "--noprofile", ...words],
    cwd: options.cwd,
    env: { ...COMMAND_ENVIRONMENT, ...options.env },
    label: command,
  });
  if (script !== undefined)
    child.exited.finally(() => rmSync(script, { force: true })).catch(() => undefined);
  return child;
}

function scriptFile(command: string): string {
  const path = join(tmpdir(), `pi-command-${crypto.randomUUID()}`);
  inTemporary("write", path, () => writeFileSync(path, command, { mode: 0o600, flag: "wx" }));
  return path;
}
