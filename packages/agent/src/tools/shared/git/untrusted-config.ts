/**
 * Keys of git's configuration that make git run a program. A repository's own configuration is not the user's: whoever wrote
 * it would otherwise run code as soon as we ask for the status. Sources: git-config(1), gitattributes(5).
 */
const RUNS_PROGRAMS: readonly { key: RegExp; neutral: string }[] = [
  { key: /^core\.fsmonitor$/, neutral: "false" },
  { key: /^core\.hookspath$/, neutral: "/dev/null" },
  { key: /^core\.(pager|editor|sshcommand|askpass|gitproxy|alternaterefscommand)$/, neutral: "" },
  { key: /^(pager|alias)\./, neutral: "" },
  { key: /^(sequence\.editor|diff\.external|interactive\.difffilter|gpg\.program)$/, neutral: "" },
  { key: /^diff\..+\.(command|textconv)$/, neutral: "" },
  { key: /^filter\..+\.(clean|smudge|process)$/, neutral: "" },
  { key: /^filter\..+\.required$/, neutral: "false" },
  { key: /^gpg\..+\.program$/, neutral: "" },
  { key: /^merge\..+\.driver$/, neutral: "" },
  { key: /^credential\.(.+\.)?helper$/, neutral: "" },
  { key: /^remote\..+\.(uploadpack|receivepack|vcs)$/, neutral: "" },
];

/** Always in force, whatever the repository says: hooks and file monitors off, no bare repositories hidden in a folder. */
const ALWAYS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "safe.bareRepository=explicit",
  // Names in diffs as they are, not in octal.
  "core.quotePath=false",
];

/**
 * How a person likes git to look: it changes what we read (colours, names cut to a folder) and what `git apply` makes of a patch (without
 * its prefixes it would be written to other files, without context it fits nowhere).
 */
const AS_BUILT_IN = [
  "color.ui=false",
  "color.diff=false",
  "color.status=false",
  "diff.noprefix=false",
  "diff.mnemonicPrefix=false",
  "diff.srcPrefix=a/",
  "diff.dstPrefix=b/",
  "diff.context=3",
  "diff.interHunkContext=0",
  "diff.relative=false",
  "diff.submodule=short",
  "diff.ignoreSubmodules=none",
  "log.showSignature=false",
  "status.showUntrackedFiles=normal",
];

/**
 * `-c` arguments that neutralise what the repository's own configuration could run. `listing` is the output of
 * `git config --list --show-scope --name-only -z`; the user's and the system's settings keep their effect.
 */
export function neutralArguments(listing: string): string[] {
  const settings = new Set([...ALWAYS, ...AS_BUILT_IN]);
  const fields = listing.split("\0");
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const scope = fields[index]!;
    const key = fields[index + 1]!;
    if (scope !== "local" && scope !== "worktree") continue;
    const rule = RUNS_PROGRAMS.find((entry) => entry.key.test(lowerEnds(key)));
    // A key with "=" in its middle part cannot be given by -c; such a filter or driver name has no honest use.
    if (rule && !key.includes("=")) settings.add(`${key}=${rule.neutral}`);
  }
  return [...settings].flatMap((setting) => ["-c", setting]);
}

/** First and last part of a key are case-insensitive, the middle is not. */
function lowerEnds(key: string): string {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  if (first === last) return key.toLowerCase();
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}
