import type { RankingRow } from "../ports/memory-store.ts";
import type { QueryAnalysis } from "../query/analyze-query.ts";
import { CUE } from "../text/cues.ts";
import { words } from "../text/tokenize.ts";
import { PRIOR, STANDING, STATEMENTS } from "./weights.ts";

/** Who a question is about, among the authors of the rows that are ranked. */
export interface AskedAuthor {
  readonly name?: string;
  readonly role?: "user" | "agent";
}

/** The one author a question names, or the role it speaks of; undefined when it names none or several. */
export function askedAuthor(analysis: QueryAnalysis, rows: readonly RankingRow[]): AskedAuthor | undefined {
  const named = [...new Set(rows.map((row) => row.authorName))].filter(
    (name) => name !== "" && words(name).some((word) => analysis.words.has(word)),
  );
  if (named.length === 1) return { name: named[0]! };
  return named.length === 0 && analysis.saidBy !== undefined ? { role: analysis.saidBy } : undefined;
}

/** The logarithm of what the marks of a row, seen together with the question, are worth. */
export function cuePrior(
  row: RankingRow,
  analysis: QueryAnalysis,
  author: AskedAuthor | undefined,
  previousAsks: boolean,
): number {
  const has = (cue: number): boolean => (row.cues & cue) !== 0;
  let sum = 0;
  if (
    author !== undefined &&
    (author.name === undefined ? row.authorRole === author.role : row.authorName === author.name)
  )
    sum += PRIOR.namedAuthor;
  if (analysis.asksWhen && has(CUE.time)) sum += PRIOR.whenAndTime;
  if (analysis.asksNumber && has(CUE.number)) sum += PRIOR.numberAndNumber;
  if (has(CUE.name)) sum += PRIOR.name + (analysis.asksName ? PRIOR.nameAndName : 0);
  if (has(CUE.asks)) sum += PRIOR.asks;
  if (has(CUE.self)) sum += PRIOR.self;
  if (previousAsks) sum += PRIOR.answersQuestion;
  return sum;
}

/** What a memory's kind and state are worth, as a factor. */
export function standing(row: RankingRow, asksHistory: boolean): number {
  let factor = 1;
  if (STATEMENTS.has(row.kind)) factor *= STANDING.statement;
  if (row.kind === "toolnote") factor *= STANDING.toolnote;
  if (row.state === "superseded")
    factor *= asksHistory ? STANDING.supersededWhenAskedForHistory : STANDING.superseded;
  if (row.freshness === "stale") factor *= STANDING.stale;
  return factor;
}
