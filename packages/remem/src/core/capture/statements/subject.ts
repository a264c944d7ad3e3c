import { subjectKey } from "../../memory/supersession.ts";
import { type WordPattern, withWordEdges } from "./word-edges.ts";

/** Things of which a project has one: naming one of them says what a statement is about. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  "package manager":
    /\b(npm|pnpm|yarn|poetry|pipenv|conda|cargo|bundler|composer)\b|\b(pip|uv|bun) install\b/iu,
  "test runner": /\b(jest|vitest|mocha|bun test|node:test|pytest|unittest|rspec|junit)\b/iu,
  indentation:
    /\btabs? (over|instead of|not|rather than|and not|statt|au lieu|en vez) |\bspaces? (over|instead of|not|rather than) tabs?\b|\b(2|4|8|two|four|eight)[- ]spaces?\b|\bindent(ation|ed|s)?\b|\b(use|prefer|with|using) tabs\b|\btabulator(en)?\b|缩进|インデント/iu,
  formatter: /\b(prettier|gofmt|rustfmt|clang-format|dprint)\b/iu,
  linter: /\b(eslint|tslint|flake8|pylint|ruff|clippy|golangci-lint|oxlint)\b/iu,
  database: /\b(postgres(ql)?|mysql|mariadb|sqlite|mongodb|cockroachdb|dynamodb)\b/iu,
  bundler: /\b(webpack|rollup|esbuild|turbopack|rspack)\b/iu,
  "javascript runtime": /\bnode(\.js| \d+)|\b(Node|Deno|Bun)\b(?! test)/u,
  quotes: /\b(single|double) quotes?\b|\b(einfache|doppelte) anführungszeichen\b/iu,
  semicolons: /\bsemicolons?\b|\bsemikolons?\b/iu,
  "answer language":
    /\b(answer|reply|respond) (to me )?in \p{L}+|\bantworte (mir )?(immer )?auf \p{L}+|\bréponds (toujours )?en \p{L}+|\bresponde (siempre )?en \p{L}+|用.{1,3}文(回答|回复)|.{1,3}語で(答え|回答)/iu,
  "commit messages": /\b(conventional commits|commit messages?)\b/iu,
};

/** How a statement names what it is about; the group `subject` is that. The first that fits counts. */
const PATTERNS: readonly WordPattern[] = withWordEdges([
  /\buse[sd]? .{1,50}? (?:for|as) (?:the |our |all |my )?(?<subject>[^.,;]{3,50}?)(?: now| instead| from now on)?[.!]?$/iu,
  /^(?:no,? |actually,? |wrong,? |fyi,? |btw,? |by the way,? |note:? |remember:? )*(?:the|our|my|this) (?<subject>[^,;:]{2,50}?) (?:is|are|was moved to|runs? (?:on|in|at)|lives? (?:in|at|under)|listens? on|must be|defaults? to|comes from)\b/iu,
  /^(?:nein,? |übrigens,? )*(?:der|die|das|unsere?|meine?) (?<subject>[^,;:]{2,50}?) (?:ist|sind|läuft|liegt|heißt)\b/iu,
  /^(?:non,? |en fait,? )*(?:le|la|les|notre|mon|ma|nos) (?<subject>[^,;:]{2,50}?) (?:est|sont|tourne|se trouve|s'appelle)\b/iu,
  /^(?:no,? |en realidad,? )*(?:el|la|los|las|nuestr[oa]s?|mis?) (?<subject>[^,;:]{2,50}?) (?:es|son|está|están|se llama)\b/iu,
  /^(?:não,? |na verdade,? )*(?:o|a|os|as|noss[oa]s?|meu|minha) (?<subject>[^,;:]{2,50}?) (?:é|são|está|estão|se chama)\b/iu,
  /^(?:我们的|这个|本|我的)(?<subject>.{1,20}?)(?:是|在|位于|叫)/u,
  /^(?:この|私たちの|うちの)(?<subject>.{1,20}?)は/u,
  /\b(?:wir|nous|on) (?:verwenden|nutzen|benutzen|utilisons|utilise) .{1,40}? (?:für|als|pour|comme) (?:die |den |das |la |le |les )?(?<subject>[^.,;]{3,40}?)[.!]?$/iu,
]);

/**
 * What a statement is about, so that a newer one on the same supersedes it; undefined where that is not plain: two statements
 * that stand side by side do less harm than one that replaces another by mistake.
 */
export function deriveSubject(statement: string): string | undefined {
  const text = statement.trim();
  for (const pattern of PATTERNS) {
    const subject = pattern.exec(text)?.groups?.["subject"]?.trim();
    if (subject !== undefined && isTelling(subject)) return classOf(subject) ?? subject.toLowerCase();
  }
  return classOf(text);
}

/** The one class that a text names; none or several: undefined. */
function classOf(text: string): string | undefined {
  const named = Object.entries(CLASSES).filter(
    ([name, pattern]) => pattern.test(text) || text.toLowerCase() === name,
  );
  return named.length === 1 ? named[0]![0] : undefined;
}

const POINTING =
  /^(it|this|that|one|thing|answer|problem|reason|question|same|rest|idea|point|following|code|file|es|das|problem|question|problema|问题|これ|それ)$/iu;

function isTelling(subject: string): boolean {
  return !POINTING.test(subject) && subjectKey(subject) !== "" && subject.split(/\s+/u).length <= 6;
}
