import { type ProgramRun, type ProgramRuns, programsRun } from "../platform/shell-syntax/programs-run.ts";
import { covering, standsForItsScript, writesCovered } from "./bash-cover.ts";
import { catches, type MatchResult } from "./command-pattern.ts";
import type { PathPatterns } from "./path-pattern.ts";
import { namesTool, type PermissionRule } from "./rule.ts";
import { type TouchedFile, touchedFiles } from "./shell-files.ts";
import { suggestForCommand } from "./suggest-command.ts";
import { outranks, type RuleSet, type Verdict } from "./verdict.ts";

/** A rule that applies, and to what. */
interface Hit {
  rule: PermissionRule;
  result: Exclude<MatchResult, "no">;
  /** Absent when it applies to the whole line. */
  run?: ProgramRun;
  reason: string;
}

/**
 * Decides on a bash command: deny if any part of it is caught by a deny rule; ask if any is caught by an ask rule, might be caught
 * by either, or cannot be told while there are such rules; but not where allow rules that outrank those cover every part.
 */
export function bashVerdict(command: string, rules: RuleSet, patterns: PathPatterns): Verdict {
  const analysis = programsRun(command);
  const files = touchedFiles(analysis.runs);
  const denied = hits(rules.deny, analysis, files, patterns);
  const certain = denied.find((hit) => hit.result === "yes");
  if (certain) return { kind: "deny", rule: certain.rule, reason: certain.reason };
  const asked = [...denied, ...hits(rules.ask, analysis, files, patterns)];
  const unclear = unclearPart(analysis, rules);
  const [first] = asked.sort((a, b) => b.rule.width - a.rule.width);
  if (!first && !unclear) return { kind: "run" };
  if (!unclear && analysis.problems.length === 0 && isCovered(analysis, files, asked, rules, patterns))
    return { kind: "run" };
  const rule = first?.rule ?? unclear!.rule;
  const reason = unclear?.reason ?? first!.reason;
  const open =
    unclear !== undefined || analysis.problems.length > 0 || asked.some((hit) => hit.rule.list === "deny");
  const suggestions = open ? [] : suggestForCommand(analysis, files, rules, patterns, widest(asked));
  const lasting = suggestions.length > 0 && wouldCover(suggestions, analysis, files, asked, rules, patterns);
  return { kind: "ask", rule, reason, suggestions: suggestions.map((each) => each.text), lasting };
}

function widest(asked: readonly Hit[]): number {
  return Math.max(0, ...asked.map((hit) => hit.rule.width));
}

/** What cannot be told counts as asked for as soon as any deny or ask rule is about bash. */
function unclearPart(
  { problems }: ProgramRuns,
  rules: RuleSet,
): { rule: PermissionRule; reason: string } | undefined {
  const problem = problems.find((each) => each.kind !== "defines");
  if (!problem) return undefined;
  const rule = [...rules.deny, ...rules.ask].find((each) => namesTool(each, "bash"));
  if (!rule) return undefined;
  const reason = `what it runs cannot be told before it runs: ${problem.message}`;
  return { rule, reason };
}

function hits(
  rules: readonly PermissionRule[],
  { runs }: ProgramRuns,
  files: readonly TouchedFile[],
  patterns: PathPatterns,
): Hit[] {
  const found: Hit[] = [];
  for (const rule of rules) {
    const { target } = rule;
    if (target.kind === "path") found.push(...fileHits(rule, target.glob, files, patterns));
    else if (!namesTool(rule, "bash")) continue;
    else if (target.kind === "any")
      found.push({
        rule,
        result: "yes",
        reason: rule.broken ? "the rule is broken" : "it is a bash command",
      });
    else
      for (const run of runs) {
        const result = catches(target.pattern, run.command);
        if (result === "no") continue;
        const source = run.command.source || run.command.words.map((word) => word.text).join(" ");
        const may = result === "maybe" ? "may run, depending on what it expands to" : "runs";
        found.push({ rule, result, run, reason: `it ${may}: ${source}` });
      }
  }
  return found;
}

/** Rules on files hold for what a command line touches as far as it can be told. */
function fileHits(
  rule: PermissionRule,
  glob: string,
  files: readonly TouchedFile[],
  patterns: PathPatterns,
): Hit[] {
  const access = rule.tool === "read" ? "read" : /^(?:write|edit)$/.test(rule.tool) ? "write" : undefined;
  const found: Hit[] = [];
  for (const file of files) {
    if (file.access !== access) continue;
    const verb = access === "read" ? "may read" : "writes";
    if (file.paths.some((path) => patterns.catches(glob, path)))
      found.push({ rule, result: "yes", run: file.run, reason: `it ${verb} ${file.source}` });
    else if (file.shapes.some((shape) => patterns.mayCatch(glob, shape)))
      found.push({
        rule,
        result: "maybe",
        run: file.run,
        reason: `it ${access === "read" ? "may read" : "may write"} ${file.source}`,
      });
    else if ((file.paths.length === 0 || file.shapes.length > 0) && file.redirected)
      found.push({
        rule,
        result: "maybe",
        run: file.run,
        reason: `it opens a file that cannot be told: ${file.source}`,
      });
  }
  return found;
}

/** Whether allow rules cover every part of the line, and outrank the rules that ask for theirs. */
function isCovered(
  { runs }: ProgramRuns,
  files: readonly TouchedFile[],
  asked: readonly Hit[],
  rules: RuleSet,
  patterns: PathPatterns,
): boolean {
  if (asked.some((hit) => hit.rule.list === "deny")) return false;
  const allowed = [...rules.granted, ...rules.allow];
  const covers = new Map<ProgramRun, PermissionRule[]>();
  for (const run of runs) {
    if (run.via !== "line" || standsForItsScript(run)) continue;
    const found = covering(run, runs, allowed);
    if (found.length === 0) return false;
    covers.set(run, found);
  }
  if (covers.size === 0) return false;
  if (!writesCovered(files, allowed, patterns)) return false;
  return asked.every((hit) => {
    const against = hit.run ? [covers.get(hit.run.owner ?? hit.run) ?? []] : [...covers.values()];
    return against.every((found) => found.some((allow) => outranks(allow, hit.rule, rules.granted)));
  });
}

function wouldCover(
  suggestions: readonly PermissionRule[],
  analysis: ProgramRuns,
  files: readonly TouchedFile[],
  asked: readonly Hit[],
  rules: RuleSet,
  patterns: PathPatterns,
): boolean {
  const added = { ...rules, allow: [...rules.allow, ...suggestions] };
  return isCovered(analysis, files, asked, added, patterns);
}
