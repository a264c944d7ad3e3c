/**
 * The numbers of the ranking. Those of windows and cues come from a log-linear model that was fitted on four conversations
 * and checked on the fifth, each in turn; those of fields were set on commit histories (`bench/memory.ts` measures both).
 * They sit on a plateau: a fifth up or down changes results by less than the noise.
 */
export const BM25 = { k1: 1.2, b: 0.75, windowB: 1 } as const;

/** What a term is worth by where it stands in a memory. Below a title, the text only explains. */
export const FIELD = { title: 4, body: 1, bodyBelowTitle: 0.5, details: 0.4, origin: 1 } as const;

/** What a term is worth when a neighbour in the session has it: the answer to a question rarely repeats its words. */
export const WINDOW = {
  before: 2,
  after: 1,
  previous: 0.45,
  /** The row before asks, so this row probably answers. */
  previousAsks: 0.675,
  secondPrevious: 0.45,
  next: 0.25,
  /** Terms come in bursts, so windows with a term overlap: so much of a window's rows count as apart. */
  apart: 0.6,
} as const;

/** Cosines of -0.3 to 0.7 are spread over 0 to 1 before they are mixed with the words' score. */
export const COSINE = { lowest: -0.3, span: 1 } as const;

/** What is left of a row that has neither words nor likeness: priors alone never lift it to the top. */
export const BASE_FLOOR = 0.02;

/**
 * How far a statement is drawn towards the best of its session. From 0.15 to 0.3 it finds companions as well, and costs those that were
 * asked for nothing.
 */
export const COMPANION_SHARE = 0.2;

/** Logarithms of factors, by what a row and the question show together. They are for what was said in a session; a statement is ranked by its words, its likeness and its standing. */
export const PRIOR = {
  cosine: 0.3,
  /** Per unit of (best neighbour's score ÷ own score, at most 3): a good passage lifts all its rows. */
  neighbour: 0.28,
  neighbourLimit: 3,
  /** Per share of the best session's score. */
  session: 0.2,
  namedAuthor: 0.5,
  whenAndTime: 0.45,
  numberAndNumber: 0.45,
  nameAndName: 0.23,
  name: 0.06,
  answersQuestion: 0.09,
  asks: -0.135,
  self: 0.07,
  /** Per logarithm of (different terms ÷ the average). */
  substance: 0.09,
} as const;

/** How a session is scored by its rows: a geometric share a row, and the mean likeness of the rows most alike, as in PRIOR. */
export const SESSION = { rows: 4, share: 0.7, likeRows: 3, likeness: 0.3 } as const;

/** Factors by what a memory is. */
export const STANDING = {
  statement: 1.2,
  toolnote: 0.8,
  superseded: 0.3,
  supersededWhenAskedForHistory: 1,
  stale: 0.6,
} as const;

export const STATEMENTS: ReadonlySet<string> = new Set([
  "decision",
  "preference",
  "lesson",
  "fact",
  "procedure",
]);
