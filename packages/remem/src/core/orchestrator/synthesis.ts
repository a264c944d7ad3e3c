import { fillBudget } from "../recall/fill-budget.ts";
import { frameAll } from "../recall/frame.ts";
import { estimateTokens } from "../text/estimate-tokens.ts";

/** Something that may be shown, already rendered; whole or not at all. */
export interface Piece<T> {
  readonly item: T;
  readonly text: string;
}

export interface Synthesis<T> {
  /** Empty when nothing fits. */
  readonly text: string;
  readonly tokens: number;
  readonly shown: readonly T[];
  readonly omitted: readonly T[];
}

/** One frame around as many pieces as the budget holds, in their order; what did not fit is counted in the frame. */
export function synthesize<T>(pieces: readonly Piece<T>[], budget: number): Synthesis<T> {
  const overhead = estimateTokens(frameAll([], Math.max(1, pieces.length)));
  let { taken, omitted } = fillBudget(pieces, (piece) => piece.text, budget, overhead);
  for (;;) {
    const text =
      taken.length === 0
        ? ""
        : frameAll(
            taken.map((piece) => piece.text),
            omitted.length,
          );
    const tokens = text === "" ? 0 : estimateTokens(text);
    if (tokens <= budget)
      return {
        text,
        tokens,
        shown: taken.map(({ item }) => item),
        omitted: omitted.map(({ item }) => item),
      };
    // The sum of the parts was a little less than the whole.
    omitted = [...taken.slice(-1), ...omitted];
    taken = taken.slice(0, -1);
  }
}
