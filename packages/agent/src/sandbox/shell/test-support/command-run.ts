import type { OwnedProcess, ShellDoor } from "../../../contract/process.ts";

/** What a command in a test gave back. */
export interface CommandRun {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Both, for searching. */
  all: string;
}

/** Runs a command to the end of its outputs. */
export async function runCommand(shell: ShellDoor, command: string, cwd: string): Promise<CommandRun> {
  return collect(await shell.start(command, { cwd }));
}

async function collect(child: OwnedProcess): Promise<CommandRun> {
  const [stdout = "", stderr = ""] = await Promise.all([child.stdout, child.stderr].map(textOf));
  const { code } = await child.exited;
  return { code, stdout, stderr, all: stdout + stderr };
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const bytes of stream) pieces.push(bytes);
  return Buffer.concat(pieces).toString();
}
