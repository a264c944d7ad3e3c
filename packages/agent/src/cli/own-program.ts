/** The words that start this very program again: the executable, or Bun with the flags that keep it from loading files of the current folder. */
export function ownProgram(): string[] {
  const compiled = Bun.main.startsWith("/$bunfs/") || Bun.main.startsWith("B:/~BUN/");
  return [process.execPath, ...process.execArgv, ...(compiled ? [] : [Bun.main])];
}
