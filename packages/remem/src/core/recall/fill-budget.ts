import { estimateTokens } from "../text/estimate-tokens.ts";

/** What fits, and what did not. */
export interface Filled<T> {
  readonly taken: readonly T[];
  readonly omitted: readonly T[];
  readonly tokens: number;
}

/**
 * Takes items in their order as long as they fit, whole or not at all; a later, smaller one may take the room a large one
 * could not. `overhead` is what the frame around them costs.
 */
export function fillBudget<T>(
  items: readonly T[],
  render: (item: T) => string,
  budget: number,
  overhead: number,
): Filled<T> {
  const taken: T[] = [];
  const omitted: T[] = [];
  let tokens = overhead;
  for (const item of items) {
    const cost = estimateTokens(render(item)) + 1;
    if (tokens + cost > budget) {
      omitted.push(item);
      continue;
    }
    tokens += cost;
    taken.push(item);
  }
  return { taken, omitted, tokens: taken.length === 0 ? 0 : tokens };
}
