import type { CorpusStatistics, RankingRow } from "../ports/memory-store.ts";
import { CUE } from "../text/cues.ts";
import type { TermCounts } from "./term-counts.ts";
import { BM25, WINDOW } from "./weights.ts";

/** A row, its counts, and the rows around it as far as they are known. */
export interface WindowedRow {
  readonly row: RankingRow;
  readonly counts: TermCounts;
  readonly previous: WindowedRow | undefined;
  readonly secondPrevious: WindowedRow | undefined;
  readonly next: WindowedRow | undefined;
}

/** What terms are worth, and how long a window is on average. */
export interface WindowStatistics {
  readonly rarity: Float64Array;
  readonly averageLength: number;
  /** How much the length of a window counts, 0 to 1. */
  readonly lengthShare: number;
}

/** Memories that are imagined beside the real ones and have none of the words: in a store of three, no word would be rare. */
const BACKGROUND = 50;
/** Rows that one row's window reaches over, itself included, when its session is long enough. */
const WINDOW_ROWS = 1 + WINDOW.before + WINDOW.after;

/**
 * For what was said, rarity is counted by windows, not by rows: a term of one row in ten is in the window of every third.
 * That is estimated from counts of rows, which every store has. A statement stands alone.
 */
export function windowStatistics(
  terms: readonly string[],
  corpus: CorpusStatistics,
  kind: "said" | "statement",
): WindowStatistics {
  const documents = Math.max(1, corpus.documents);
  // Of each session, the first two rows and the last one lack neighbours: two, one, and one.
  const rows = kind === "said" ? Math.max(1, WINDOW_ROWS - (4 * corpus.sessions) / documents) : 1;
  const apart = rows * WINDOW.apart;
  const rarity = Float64Array.from(terms, (term) => {
    const share = Math.min(1, (corpus.frequency.get(term) ?? 0) / documents);
    const frequency = documents * (1 - (1 - share) ** apart);
    return Math.max(1e-6, Math.log((documents + BACKGROUND - frequency + 0.5) / (frequency + 0.5)));
  });
  return {
    rarity,
    averageLength: Math.max(1, (corpus.terms / documents) * rows),
    lengthShare: kind === "said" ? BM25.windowB : BM25.b,
  };
}

/** BM25 of a row in its window, and the share of the question, weighed by rarity, that the window has. */
export function scoreWindow(
  windowed: WindowedRow,
  statistics: WindowStatistics,
): { score: number; coverage: number } {
  const { counts, previous, secondPrevious, next } = windowed;
  const previousWeight =
    previous !== undefined && (previous.row.cues & CUE.asks) !== 0 ? WINDOW.previousAsks : WINDOW.previous;
  const length =
    counts.length +
    counts.originLength +
    (previous?.counts.length ?? 0) +
    (secondPrevious?.counts.length ?? 0) +
    (next?.counts.length ?? 0);
  const { lengthShare, averageLength } = statistics;
  const saturation = BM25.k1 * (1 - lengthShare + (lengthShare * length) / averageLength);
  let score = 0;
  let covered = 0;
  let total = 0;
  for (let term = 0; term < statistics.rarity.length; term++) {
    const rarity = statistics.rarity[term]!;
    total += rarity;
    const frequency =
      counts.content[term]! +
      counts.origin[term]! +
      previousWeight * (previous?.counts.content[term] ?? 0) +
      WINDOW.secondPrevious * (secondPrevious?.counts.content[term] ?? 0) +
      WINDOW.next * (next?.counts.content[term] ?? 0);
    if (frequency === 0) continue;
    covered += rarity;
    score += (rarity * frequency * (BM25.k1 + 1)) / (frequency + saturation);
  }
  return { score, coverage: total > 0 ? covered / total : 0 };
}
