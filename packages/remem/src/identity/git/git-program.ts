import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join, relative } from "node:path";

/** Asks git about one repository; null when it is not there, fails or takes too long. */
export type Git = (words: readonly string[], timeoutMs: number) => Promise<string | null>;

export interface GitOptions {
  readonly gitDir: string;
  /** Folders whose programs are not run: the project's own. */
  readonly untrusted: readonly string[];
  /** Where programs are looked for, and little else is taken from it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Switches off what a repository's own configuration could make git run or fetch. The commands that we ask for read refs, commits and the
 * index; hooks, monitors, pagers and transports have no part in them, and these settings hold if one day they get one.
 */
const SAFE: readonly string[] = [
  "--no-pager",
  "--no-replace-objects",
  "--no-optional-locks",
  "--literal-pathspecs",
  ...[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.sshCommand=",
    "core.gitProxy=",
    "core.alternateRefsCommand=",
    "core.untrackedCache=false",
    "protocol.allow=never",
    "credential.helper=",
  ].flatMap((setting) => ["-c", setting]),
];
const MOST_OUTPUT = 65_536;

/** A git for one repository, or undefined when none is installed. Variables such as `GIT_DIR` do not reach it. */
export async function findGit(options: GitOptions): Promise<Git | undefined> {
  const { gitDir, untrusted, environment } = options;
  const program = await findProgram(environment["PATH"] ?? environment["Path"] ?? "", untrusted);
  if (program === undefined) return undefined;
  const env = {
    ...kept(environment),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: process.platform === "win32" ? "NUL" : "/dev/null",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ATTR_NOSYSTEM: "1",
    LC_ALL: "C",
  };
  return (words, timeoutMs) =>
    run({
      argv: [program, ...SAFE, `--git-dir=${gitDir}`, ...words],
      cwd: gitDir,
      env,
      timeoutMs: Math.max(1, Math.ceil(timeoutMs)),
    });
}

interface Run {
  readonly argv: readonly [program: string, ...words: string[]];
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly timeoutMs: number;
}

/** What a program prints; null when it cannot be started, fails, prints too much or takes too long. */
function run(asked: Run): Promise<string | null> {
  // Bun's own way costs a tenth of its `node:child_process`, which takes longer to load than git takes to answer.
  return process.versions["bun"] === undefined ? runWithNode(asked) : runWithBun(asked);
}

async function runWithBun({ argv, cwd, env, timeoutMs }: Run): Promise<string | null> {
  try {
    const child = Bun.spawn([...argv], {
      cwd,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      maxBuffer: MOST_OUTPUT,
      windowsHide: true,
    });
    const stdout = await new Response(child.stdout).text();
    return (await child.exited) === 0 ? stdout : null;
  } catch {
    return null;
  }
}

async function runWithNode({ argv: [program, ...words], cwd, env, timeoutMs }: Run): Promise<string | null> {
  const { execFile } = await import("node:child_process");
  const options = {
    cwd,
    env,
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: MOST_OUTPUT,
    windowsHide: true,
  } as const;
  return new Promise((resolve) => {
    execFile(program, words, options, (error, stdout) => resolve(error === null ? stdout : null));
  });
}

function kept(environment: GitOptions["environment"]): Record<string, string> {
  const names = ["PATH", "Path", "SystemRoot", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR"];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function findProgram(path: string, untrusted: readonly string[]): Promise<string | undefined> {
  const name = process.platform === "win32" ? "git.exe" : "git";
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder) || untrusted.some((root) => isWithin(folder, root))) continue;
    try {
      await access(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/** Whether a path is a folder or lies below it; both absolute. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !/^\.\.[/\\]/.test(way) && !isAbsolute(way));
}
