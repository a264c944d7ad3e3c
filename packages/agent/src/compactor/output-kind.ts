import { type ProgramRun, programName, programsRun } from "../platform/shell-syntax/programs-run.ts";
import type { OutputKind } from "./stage.ts";
import { countNoise } from "./stages/noise.ts";
import { isPassingLine, isTestSummary } from "./stages/test-patterns.ts";

/** Program and the words behind it, by kind; the first that fits counts. */
const COMMANDS: readonly [OutputKind, RegExp][] = [
  [
    "test",
    /^(?:jest|vitest|mocha|ava|tap|playwright|cypress|karma|pytest|py\.test|tox|nox|nosetests|rspec|phpunit|pest|ctest|gotestsum|prove|minitest)\b/,
  ],
  [
    "test",
    /^(?:npm|pnpm|yarn|bun|deno|cargo|go|mix|dotnet|swift|flutter|dart|zig|bazel|rails|rake|gradlew?|mvnw?|sbt|lein|stack|cabal|make|just|task|xcodebuild|meson|composer|hatch|uv|poetry)\s+(?:(?:run|run-script|exec|-\S+|[\w.:/-]+=\S+|clean|package|compile)\s+)*(?:\S*[:-])?(?:test|tests|check|spec|verify|nextest|integration-test|pytest|vitest|jest|mocha|t)\b/,
  ],
  ["test", /^(?:node|bun|deno)\s+.*--test\b|^python[\d.]*\s+-m\s+(?:pytest|unittest|nose)\b/],
  [
    "lint",
    /^(?:eslint|oxlint|biome|ruff|flake8|pylint|pycodestyle|pydocstyle|mypy|pyright|golangci-lint|staticcheck|shellcheck|hadolint|rubocop|stylelint|markdownlint\S*|clang-tidy|ktlint|detekt|swiftlint|phpstan|psalm|phpcs|yamllint|actionlint|standard|xo|prettier|credo)\b/,
  ],
  [
    "lint",
    /^(?:npm|pnpm|yarn|bun|make|just|go|cargo|python[\d.]*|gradlew?)\s+(?:(?:run|run-script|exec|-m)\s+)*(?:\S*[:-])?(?:lint|vet|clippy|ruff|flake8|pylint|mypy)\b/,
  ],
  [
    "package",
    /^(?:npm|pnpm|yarn|bun)\s+(?:i|ci|install|add|update|upgrade|remove|uninstall|dedupe|audit|outdated)\b|^yarn$/,
  ],
  [
    "package",
    /^(?:pip3?|uv|poetry|pipenv|conda|mamba|gem|bundle|composer|brew|apt|apt-get|dnf|yum|apk|pacman|zypper|nix|cargo|go|rustup|docker|podman|git)\s+(?:-\S+\s+)*(?:pip\s+)?(?:install|add|sync|update|upgrade|lock|fetch|get|download|mod|pull|push|build|clone|require)\b|^python[\d.]*\s+-m\s+pip\b/,
  ],
  [
    "build",
    /^(?:tsc|gcc|g\+\+|cc|c\+\+|clang|clang\+\+|rustc|javac|kotlinc|swiftc|ghc|make|gmake|ninja|cmake|meson|mvnw?|gradlew?|ant|sbt|bazel|webpack|vite|rollup|esbuild|parcel|next|turbo|nx|tsup|msbuild|xcodebuild|zig|docker|podman)\b/,
  ],
  [
    "build",
    /^(?:npm|pnpm|yarn|bun|deno|cargo|go|dotnet|swift|flutter|stack|cabal|mix|hatch|uv|poetry|just|task)\s+(?:(?:run|run-script|exec)\s+)*(?:\S*[:-])?(?:build|compile|check|typecheck|tsc|bundle|package|publish|run|doc|type-check)\b/,
  ],
  ["diff", /^git\s+(?:-\S+\s+)*(?:diff|show|format-patch|stash\s+show)\b|^(?:diff|colordiff)\s/],
  ["log", /^git\s+(?:-\S+\s+)*(?:log|reflog|shortlog|rev-list)\b/],
  ["status", /^git\s+(?:-\S+\s+)*status\b/],
  ["search", /^(?:grep|egrep|fgrep|rg|ag|ack|git\s+grep)\b/],
  ["listing", /^(?:find|fd|fdfind|git\s+ls-files|git\s+ls-tree|rg\s+--files)\b/],
];

/** Programs that only pass on, cut or accompany the output of others. */
const QUIET =
  /^(?:cd|pushd|popd|export|set|true|false|echo|printf|head|tail|sort|uniq|tee|cat|sed|grep|egrep|rg|wc|awk|tr|cut|mkdir|rm|cp|mv|touch|sleep|source|[.]|nvm|which|command|pwd|time|test|\[)$/;

/** No expression sees more of a line: some would take quadratic time. */
const LOOKED_AT = 300;
const DATA = new Set<OutputKind>(["diff", "log", "status", "search", "listing"]);

/**
 * What the output of a bash command is, by the command and by its look. Data (a diff, a log, matches) must be both. Empty where
 * nothing is sure.
 */
export function kindsOfCommand(command: string, output: readonly string[]): Set<OutputKind> {
  const lines = output.map((line) => line.slice(0, LOOKED_AT));
  const kinds = new Set<OutputKind>();
  const runs = programsRun(command).runs.filter((run) => run.command.words.length > 0 && !run.transparent);
  const named = new Set<OutputKind>();
  for (const run of runs) for (const kind of kindsOf(run)) named.add(kind);
  const others = runs.filter(
    (run) =>
      run.via === "line" && !QUIET.test(programName(run.command.words[0])) && kindsOf(run).length === 0,
  );
  for (const kind of named) {
    if (!DATA.has(kind)) kinds.add(kind);
    else if (others.length === 0 && looksLike(kind, lines)) kinds.add(kind);
  }
  // Several sorts of data in one output, or data among messages: none of it can be told apart.
  const data = [...kinds].filter((kind) => DATA.has(kind));
  if (data.length > 1 || (data.length === 1 && kinds.size > 1)) for (const kind of data) kinds.delete(kind);
  if (data.length === 0 && !named.has("search")) addByLook(kinds, lines);
  return kinds;
}

function kindsOf(run: ProgramRun): OutputKind[] {
  const words = run.command.words.map((word) => word.text);
  const text = [programName(run.command.words[0]), ...words.slice(1)].join(" ").slice(0, 400);
  const kinds: OutputKind[] = [];
  for (const [kind, pattern] of COMMANDS) if (pattern.test(text)) kinds.push(kind);
  return kinds;
}

/** Whether most lines have the form of this kind of data. */
export function looksLike(kind: OutputKind, lines: readonly string[]): boolean {
  const filled = lines.filter((line) => line.trim() !== "").map((line) => line.slice(0, LOOKED_AT));
  if (filled.length === 0) return false;
  const share = (pattern: RegExp) => filled.filter((line) => pattern.test(line)).length / filled.length;
  switch (kind) {
    case "diff":
      return (
        lines.some((line) => /^(?:\[\d+\] )?@@ .* @@|^diff --git /.test(line)) &&
        share(
          /^[ +\-@\\]|^diff |^index |^new |^deleted |^similarity|^rename|^old |^Binary|^commit |^Author|^Date|^Merge|^\[\d+\] @@/,
        ) > 0.8
      );
    case "log":
      return (
        share(
          /^[*|/\\ ]*(?:commit )?[0-9a-f]{7,64}\b|^(?:Author|Date|Merge|AuthorDate|Commit|CommitDate):|^ {4}/,
        ) > 0.8
      );
    case "status":
      return share(/^\t\S|^[ MADRCUT?!]{2} \S/) > 0.6;
    case "search":
      return share(/^[^:\s][^:]*?([:-])\d+\1/) > 0.8;
    case "listing":
      return share(/^(?:\.{0,2}\/)?[^\s:]+(?:\/[^\s:]+)+$/) > 0.8;
    default:
      return false;
  }
}

const MOST_LINES = 2_000;

function addByLook(kinds: Set<OutputKind>, lines: readonly string[]): void {
  const some =
    lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES / 2), ...lines.slice(-MOST_LINES / 2)];
  const passing = some.filter(isPassingLine).length;
  if (passing >= 5 && (some.some(isTestSummary) || passing > some.length / 3)) kinds.add("test");
  const noise = countNoise(some);
  if (noise.build >= 8) kinds.add("build");
  if (noise.package >= 8) kinds.add("package");
}
