/** Starts `remem` in a workspace, as a user's shell would. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runProcess, startTerminal, type TerminalProgram, testNode, type Workspace } from "@pi-ts/testkit";
import { ROOT } from "./pi.ts";

const PACKAGE = join(ROOT, "packages", "remem");
/** The launcher that the package's bin goes through. */
export const REMEM_LAUNCHER = join(PACKAGE, "bin", "remem.mjs");
const BUILT = join(ROOT, "dist", process.platform === "win32" ? "remem.exe" : "remem");

/** A way to start `remem`; null where it is not there. */
export interface RememEntrance {
  readonly name: string;
  readonly command: readonly string[] | null;
  readonly env?: Record<string, string>;
}

const node = testNode();

/** The source on Bun: what most tests run. */
export const ON_BUN: RememEntrance = {
  name: "Bun",
  command: [process.execPath, "--no-env-file", join(PACKAGE, "src", "cli", "main.ts")],
};

export const ENTRANCES: readonly RememEntrance[] = [
  ON_BUN,
  {
    name: "Node 24",
    command: node === null ? null : [node, REMEM_LAUNCHER],
    env: { REMEM_RUNTIME: "node" },
  },
  { name: "the launcher", command: ["node", REMEM_LAUNCHER] },
  { name: "the built executable", command: existsSync(BUILT) ? [BUILT] : null },
];

export interface RememOptions {
  readonly entrance?: RememEntrance;
  readonly env?: Record<string, string | undefined>;
  readonly cwd?: string;
  readonly stdin?: string;
}

export interface RememResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `remem` to its end, without a terminal. */
export async function remem(
  ws: Workspace,
  argv: readonly string[],
  options: RememOptions = {},
): Promise<RememResult> {
  const { entrance = ON_BUN, cwd = ws.path, env = {}, stdin } = options;
  const { code, stdout, stderr } = await runProcess([...entrance.command!, ...argv], {
    cwd,
    env: ws.env({ ...entrance.env, ...env }),
    ...(stdin === undefined ? {} : { stdin }),
  });
  return { code, stdout, stderr };
}

/** The `data` of a command that was run with `--json`; throws when it failed. */
export async function rememData<T>(
  ws: Workspace,
  argv: readonly string[],
  options: RememOptions = {},
): Promise<T> {
  const result = await remem(ws, [...argv, "--json"], options);
  const printed = JSON.parse(result.stdout) as { ok: boolean; data: T };
  if (!printed.ok) throw new Error(`remem ${argv.join(" ")}: ${result.stdout}`);
  return printed.data;
}

/** Starts `remem` on a terminal; the caller disposes of it. */
export function rememTerminal(
  ws: Workspace,
  argv: readonly string[],
  options: RememOptions & { readonly cols?: number } = {},
): TerminalProgram {
  const { entrance = ON_BUN, cwd = ws.path, env = {}, cols = 100 } = options;
  return startTerminal([...entrance.command!, ...argv], {
    cwd,
    cols,
    rows: 40,
    env: ws.env({ ...entrance.env, ...env }),
  });
}

/** Adds a statement as a person at a terminal does; gives its id. */
export async function typed(ws: Workspace, ...argv: readonly string[]): Promise<string> {
  await using program = rememTerminal(ws, ["add", ...argv]);
  const { code } = await program.exited;
  const id = /as (\w+)\./.exec(program.screen().join("\n"))?.[1];
  if (code !== 0 || id === undefined) throw new Error(`remem add failed: ${program.output}`);
  return id;
}

/** The user's settings of the memory engine in a workspace. */
export function settingsFile(ws: Workspace): string {
  return join(ws.home, ".config", "remem", "config.json");
}

/** A memory as `--json` gives it, as far as tests look. */
export interface ShownMemory {
  readonly id: string;
  readonly text: string;
  readonly state: string;
  readonly typed: boolean;
  readonly author: string;
  readonly scope: string;
}

/** What `list` gives. */
export async function listed(ws: Workspace, ...argv: readonly string[]): Promise<readonly ShownMemory[]> {
  return (await rememData<{ memories: ShownMemory[] }>(ws, ["list", ...argv])).memories;
}
