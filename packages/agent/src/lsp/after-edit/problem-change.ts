import type { Problem } from "../../contract/language-servers.ts";

/** A problem together with the text of its line, by which it is recognised when the line moves. */
export interface PlacedProblem extends Problem {
  lineText: string;
}

/** How the problems of a file changed. */
export interface ProblemChange {
  added: PlacedProblem[];
  /** Those of before whose line is another one now: the change did not mend them. */
  still: PlacedProblem[];
  gone: number;
  kept: number;
}

/** Errors and warnings with their lines. */
export function placed(problems: readonly Problem[], line: (number: number) => string): PlacedProblem[] {
  return problems
    .filter(({ severity }) => severity === "error" || severity === "warning")
    .map((problem) => ({ ...problem, lineText: line(problem.line).trim() }));
}

/** Compares two states of a file. A problem that only moved is the same; with `before` null nothing is known of before, and all are new. */
export function problemChange(
  before: readonly PlacedProblem[] | null,
  after: readonly PlacedProblem[],
): ProblemChange {
  const byLine = matched(before ?? [], after, (problem) => identity(problem) + problem.lineText);
  const byText = matched(byLine.left, byLine.rest, identity);
  return {
    added: byText.rest,
    still: byText.found,
    gone: byText.left.length,
    kept: byLine.found.length,
  };
}

/** Pairs what has the same key, each only once: `left` of `before`, `rest` of `after` have found none. */
function matched(
  before: readonly PlacedProblem[],
  after: readonly PlacedProblem[],
  key: (problem: PlacedProblem) => string,
): Record<"left" | "found" | "rest", PlacedProblem[]> {
  const open = new Map<string, PlacedProblem[]>();
  for (const problem of before) open.set(key(problem), [...(open.get(key(problem)) ?? []), problem]);
  const found: PlacedProblem[] = [];
  const rest: PlacedProblem[] = [];
  for (const problem of after) (open.get(key(problem))?.pop() ? found : rest).push(problem);
  return { left: [...open.values()].flat(), found, rest };
}

function identity({ severity, message, source, code }: PlacedProblem): string {
  return JSON.stringify([severity, message, source, code]);
}
