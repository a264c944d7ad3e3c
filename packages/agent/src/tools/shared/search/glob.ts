/**
 * A test for project-relative paths, as `.gitignore` and ripgrep read globs: without a slash the pattern is compared with the
 * file's name, with one it is compared with the whole path; `**` spans folders, `{a,b}` and `[x]` work, case matters. A
 * leading `!` turns it round.
 */
export function matchesGlob(pattern: string): (path: string) => boolean {
  const negated = pattern.startsWith("!");
  let glob = (negated ? pattern.slice(1) : pattern).replace(/^\.\//, "");
  const anchored = glob.startsWith("/");
  if (anchored) glob = glob.slice(1);
  if (glob.endsWith("/")) glob = `${glob}**`;
  const whole = anchored || glob.includes("/");
  const matcher = new Bun.Glob(whole ? glob : `**/${glob}`);
  return (path) => matcher.match(path) !== negated;
}
