import { VERBATIM_KINDS } from "../memory/record.ts";
import type { CorpusStatistics, RankingRow } from "../ports/memory-store.ts";
import type { QueryAnalysis } from "../query/analyze-query.ts";
import { CUE } from "../text/cues.ts";
import type { VectorScan } from "../vectors/vector-index.ts";
import { askedAuthor, cuePrior, standing } from "./priors.ts";
import { scoreSessions } from "./session-score.ts";
import { countTerms, type TermCounts } from "./term-counts.ts";
import { BASE_FLOOR, COMPANION_SHARE, COSINE, PRIOR } from "./weights.ts";
import { scoreWindow, type WindowedRow, windowStatistics } from "./window-score.ts";

/** A row with its score and what it is made of, for `explain`. */
export interface RankedRow {
  readonly row: RankingRow;
  /** Comparable within one search only. */
  readonly score: number;
  /** The score without what its company adds: whether it is worth its tokens by itself. */
  readonly alone: number;
  readonly parts: {
    /** Words, 0 to 1 of the best row's. */
    readonly words: number;
    /** Likeness of the vectors; undefined without a vector. */
    readonly cosine: number | undefined;
    /** Share of the question, weighed by rarity, that the row and its neighbours have. */
    readonly coverage: number;
    /** Factor of all cues and of its neighbours. */
    readonly prior: number;
    /** Factor of kind and state. */
    readonly standing: number;
  };
}

export interface RankingInput {
  readonly analysis: QueryAnalysis;
  readonly rows: readonly RankingRow[];
  readonly statistics: CorpusStatistics;
  /** Likeness of the question and the rows; undefined when there are no vectors. */
  readonly scan: VectorScan | undefined;
  /** How much vectors count, 0 to 1. */
  readonly vectorWeight: number;
}

interface Scored {
  readonly windowed: WindowedRow;
  readonly coverage: number;
  readonly cosine: number | undefined;
  words: number;
  base: number;
  /** What the best statement of its session adds to the base. */
  company: number;
}

/** The rows, best first. The same input gives the same order on every store and every machine; ties go to the newer row. */
export function rankRows(input: RankingInput): RankedRow[] {
  const { analysis, rows, scan } = input;
  const scored = scoreRows(input);
  const weight = scan === undefined ? 0 : input.vectorWeight;
  const best = scored.reduce((top, one) => Math.max(top, one.words), 0);
  for (const one of scored) {
    one.words = best > 0 ? one.words / best : 0;
    one.base = (1 - weight) * one.words + weight * spread(one.cosine);
  }
  liftCompanions(scored);
  const bases = new Map(scored.map((one) => [one.windowed, one.base]));
  const author = askedAuthor(analysis, rows);
  const averageVariety =
    scored.reduce((sum, one) => sum + one.windowed.row.variety, 0) / Math.max(1, scored.length);
  const sessions = scoreSessions(
    scored.map(({ windowed }) => windowed),
    analysis.terms.length,
    input.statistics.sessions,
  );
  const saidPrior = ({ windowed, base, cosine }: Scored): number => {
    const { row, previous } = windowed;
    return (
      PRIOR.neighbour * neighbourRatio(windowed, base, bases) +
      PRIOR.session * (sessions.get(row.session) ?? 0) +
      PRIOR.substance * Math.log((row.variety + 1) / (averageVariety + 1)) +
      (weight > 0 ? PRIOR.cosine * (cosine ?? 0) : 0) +
      cuePrior(row, analysis, author, previous !== undefined && (previous.row.cues & CUE.asks) !== 0)
    );
  };
  const ranked = scored.map((one): RankedRow => {
    const { row } = one.windowed;
    const prior = VERBATIM_KINDS.has(row.kind) ? Math.exp(saidPrior(one)) : 1;
    const factor = standing(row, analysis.asksHistory);
    const alone = (BASE_FLOOR + one.base) * prior * factor;
    return {
      row,
      score: alone + one.company * prior * factor,
      alone,
      parts: { words: one.words, cosine: one.cosine, coverage: one.coverage, prior, standing: factor },
    };
  });
  return ranked.sort((a, b) => b.score - a.score || b.row.at - a.row.at || b.row.row - a.row.row);
}

function scoreRows({ analysis, rows, statistics, scan }: RankingInput): Scored[] {
  const said = windowStatistics(analysis.terms, statistics, "said");
  const stated = windowStatistics(analysis.terms, statistics, "statement");
  return windows(rows, (row) => countTerms(row, analysis.terms)).map((windowed) => {
    const { score, coverage } = scoreWindow(windowed, VERBATIM_KINDS.has(windowed.row.kind) ? said : stated);
    return { windowed, coverage, cosine: scan?.read(windowed.row.row), words: score, base: 0, company: 0 };
  });
}

/**
 * Statements of one session come from one piece of work, and some of them say little by themselves ("address the review"): each is
 * drawn towards the best of its session, which no other session's best can lose by.
 */
function liftCompanions(scored: readonly Scored[]): void {
  const statements = scored.filter(({ windowed }) => !VERBATIM_KINDS.has(windowed.row.kind));
  const best = new Map<number, number>();
  for (const { windowed, base } of statements)
    best.set(windowed.row.session, Math.max(base, best.get(windowed.row.session) ?? 0));
  for (const one of statements)
    one.company = COMPANION_SHARE * (best.get(one.windowed.row.session)! - one.base);
}

/** Links every row with its neighbours in its session. */
function windows(rows: readonly RankingRow[], count: (row: RankingRow) => TermCounts): WindowedRow[] {
  interface Linked extends WindowedRow {
    previous: Linked | undefined;
    secondPrevious: Linked | undefined;
    next: Linked | undefined;
  }
  const bySession = new Map<number, Map<number, Linked>>();
  const linked = rows.map((row): Linked => {
    const one = { row, counts: count(row), previous: undefined, secondPrevious: undefined, next: undefined };
    const session = bySession.get(row.session);
    if (session === undefined) bySession.set(row.session, new Map([[row.sequence, one]]));
    else session.set(row.sequence, one);
    return one;
  });
  for (const one of linked) {
    // A statement is complete; only what was said takes its meaning from what stands around it.
    if (!VERBATIM_KINDS.has(one.row.kind)) continue;
    const session = bySession.get(one.row.session)!;
    one.previous = session.get(one.row.sequence - 1);
    one.secondPrevious = session.get(one.row.sequence - 2);
    one.next = session.get(one.row.sequence + 1);
  }
  return linked;
}

function neighbourRatio(
  windowed: WindowedRow,
  base: number,
  bases: ReadonlyMap<WindowedRow, number>,
): number {
  const { previous, secondPrevious, next } = windowed;
  let best = 0;
  for (const other of [previous, secondPrevious, next, next?.next])
    if (other !== undefined) best = Math.max(best, bases.get(other) ?? 0);
  return Math.min(PRIOR.neighbourLimit, best / (base + BASE_FLOOR));
}

function spread(cosine: number | undefined): number {
  if (cosine === undefined) return 0;
  return Math.max(0, Math.min(1, (cosine - COSINE.lowest) / COSINE.span));
}
