import { spawnSync } from "node:child_process";

/** The command line of this program again, with `session` in place of what chose one, and without the prompt that was sent. */
export function restartArguments(
  argv: readonly string[],
  words: readonly string[],
  session: string | null,
): string[] {
  const kept: string[] = [];
  for (let index = 0; index < argv.length; index++) {
    const argument = argv[index]!;
    if (argument === "--") break;
    if (argument === "-c" || argument === "--continue") continue;
    if (argument === "--session" || argument === "--name") index++;
    else if (!/^--(?:session|name)=/.test(argument)) kept.push(argument);
  }
  const prompt = [...words];
  const rest = kept.filter((argument) => {
    const at = prompt.indexOf(argument);
    if (argument.startsWith("-") || at < 0) return true;
    prompt.splice(at, 1);
    return false;
  });
  return session === null ? rest : [...rest, "--session", session];
}

/**
 * Replaces this process by a new one of the same program with `rest` as its arguments. Returns only where the system cannot do that
 * (Windows): with the exit code of the program that ran in its place.
 */
export function replaceProcess(rest: readonly string[]): number {
  const script = Bun.main.startsWith("/$bunfs/") || Bun.main.startsWith("B:/~BUN/") ? [] : [Bun.main];
  const own = [...process.execArgv, ...script, ...rest];
  if (process.platform !== "win32" && process.execve !== undefined)
    process.execve(process.execPath, [process.execPath, ...own], process.env);
  const { status } = spawnSync(process.execPath, own, { stdio: "inherit" });
  return status ?? 1;
}
