const PROTECTED: readonly [pattern: RegExp, why: string][] = [
  [/(^|\/)[.]git$/, "it says where git finds its settings"],
  [/(^|\/)[.]git\/(.*\/)?(hooks(\/|$)|config([.]worktree)?$)/, "git runs what stands in it"],
  [/(^|\/)[.]pi-go\/(config[.]json$|hooks(\/|$)|extensions(\/|$))/, "it changes what this agent may do"],
];

/**
 * Why a file of the project must not be written by a tool, or null. A file here would run programs outside of any
 * confinement (git's hooks and configuration) or widen our own rights. `path` is relative and `/`-separated, links resolved.
 */
export function protectedReason(path: string): string | null {
  const lower = path.toLowerCase();
  return PROTECTED.find(([pattern]) => pattern.test(lower))?.[1] ?? null;
}
