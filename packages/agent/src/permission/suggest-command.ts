import type { ProgramRun, ProgramRuns } from "../platform/shell-syntax/programs-run.ts";
import type { ShellCommand } from "../platform/shell-syntax/shell-line.ts";
import { covering, programOf, standsForItsScript, writesCovered } from "./bash-cover.ts";
import { looksLikeOption } from "./command-words.ts";
import type { PathPatterns } from "./path-pattern.ts";
import { type PermissionRule, parseRule } from "./rule.ts";
import type { TouchedFile } from "./shell-files.ts";
import { suggestForPath } from "./suggest-path.ts";
import type { RuleSet } from "./verdict.ts";

/** Programs whose second word says what they do. */
const WITH_SUBCOMMANDS =
  /^(?:git|npm|pnpm|yarn|bun|deno|cargo|rustup|go|docker|podman|kubectl|helm|gh|glab|pip|pip3|uv|poetry|pipenv|conda|apt|apt-get|brew|dnf|systemctl|journalctl|terraform|aws|gcloud|az|heroku|fly|vercel|dotnet|mvn|gradle|gradlew|mix|bundle|rails|composer|php|flutter|dart|swift|xcodebuild|nix|make|just|task|rake|npx|bunx|uvx|pre-commit|alembic|prisma|firebase|supabase)$/;
/** Second words that a third one makes precise. */
const WITH_NAMES =
  /^(?:(?:npm|pnpm|yarn|bun|deno) (?:run|run-script|task|x|dlx|exec)|docker (?:compose|container|image|volume|network)|podman compose|gh (?:pr|issue|repo|release|run|workflow)|git (?:stash|remote|worktree|submodule|config|bisect)|kubectl (?:get|describe)|cargo nextest|uv (?:run|pip|tool)|poetry run|bundle exec|aws [a-z0-9-]+|gcloud [a-z-]+)$/;
/** Programs of which any prefix would allow too much: they run or destroy whatever they are given. */
const EXACT_ONLY =
  /^(?:sudo|doas|su|env|xargs|nohup|timeout|time|command|builtin|exec|eval|nice|setsid|watch|parallel|ssh|scp|rsync|sh|bash|dash|zsh|ksh|fish|python[0-9.]*|node|perl|ruby|lua|osascript|awk|gawk|sed|find|fd|rm|rmdir|mv|cp|dd|tee|ln|chmod|chown|chgrp|kill|killall|pkill|shred|truncate|mkfs.*|mount|umount|curl|wget|nc|ncat|socat|source|[.]|trap|alias|export|set|declare|cd|pushd|busybox|strace|gdb|crontab|at|systemd-run|chroot|flock|script|expect|tmux|screen|reboot|shutdown|docker|podman|psql|mysql|sqlite3|php|deno)$/;
const MAX_SUGGESTIONS = 5;

/**
 * The rules that would cover the parts of a line that no rule allows yet: the narrowest sensible prefix, or the exact command
 * where no prefix is safe or none is narrower than `above`. Empty when no rules can cover it.
 */
export function suggestForCommand(
  { runs }: ProgramRuns,
  files: readonly TouchedFile[],
  rules: RuleSet,
  patterns: PathPatterns,
  above: number,
): PermissionRule[] {
  const allowed = [...rules.granted, ...rules.allow];
  const suggested: PermissionRule[] = [];
  const add = (rule: PermissionRule | undefined) => {
    if (rule && !suggested.some((known) => known.text === rule.text)) suggested.push(rule);
    return rule !== undefined;
  };
  for (const run of runs) {
    if (run.via !== "line" || standsForItsScript(run) || run.command.words.length === 0) continue;
    const known = covering(run, runs, [...allowed, ...suggested]);
    if (known.some((rule) => rule.width > above || rules.granted.includes(rule))) continue;
    if (!add(ruleFor(run, runs, above))) return [];
  }
  for (const file of files) {
    if (
      !file.redirected ||
      file.access === "read" ||
      writesCovered([file], [...allowed, ...suggested], patterns)
    )
      continue;
    for (const path of file.paths) if (!add(suggestForPath("write", path, patterns, 0))) return [];
  }
  return suggested.length <= MAX_SUGGESTIONS ? suggested : [];
}

function ruleFor(run: ProgramRun, runs: readonly ProgramRun[], above: number): PermissionRule | undefined {
  let exact: PermissionRule | undefined;
  for (const text of [prefixOf(run, runs), exactOf(run.command)]) {
    if (text === undefined) continue;
    const rule = ruleOf(text);
    if (!rule || covering(run, runs, [rule]).length === 0) continue;
    if (rule.width > above) return rule;
    exact = rule;
  }
  return exact;
}

function ruleOf(pattern: string): PermissionRule | undefined {
  try {
    return parseRule("allow", `bash(${pattern})`);
  } catch {
    // A command that cannot be written as a rule gets none.
    return undefined;
  }
}

function prefixOf(run: ProgramRun, runs: readonly ProgramRun[]): string | undefined {
  const { command } = run;
  const name = programOf(command);
  const [program, second, third] = command.words.map((word) => word.text);
  if (program === undefined) return undefined;
  if (WITH_SUBCOMMANDS.test(name)) {
    if (second === undefined || looksLikeOption(second)) return undefined;
    const named = WITH_NAMES.test(`${name} ${second}`);
    if (named && (third === undefined || looksLikeOption(third))) return undefined;
    return `${quoted([program, second, ...(named ? [third!] : [])])}:*`;
  }
  if (EXACT_ONLY.test(name) || runs.some((other) => other.owner === run)) return undefined;
  return `${quoted([program])}:*`;
}

function exactOf(command: ShellCommand): string | undefined {
  if (command.words.some((word) => word.kind !== "literal")) return undefined;
  const assignments = command.assignments.map(({ name, value }) => `${name}=${quoted([value.text])}`);
  const text = [...assignments, quoted(command.words.map((word) => word.text))].join(" ");
  // A last word that looks like a wildcard would make it a prefix.
  return /(?::\*|(?:^|\s)\*)$/.test(text) ? undefined : text;
}

function quoted(words: readonly string[]): string {
  return words
    .map((word) => (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}
