/** Which rules a Gemini model follows, by its name: they changed between 2.5 and 3, and no list of models tells them. */

/** The generation in a model id (`gemini-2.5-pro` is 2.5); names without one (`gemini-pro-latest`) are the newest. */
function generation(id: string): number {
  return Number(/gem(?:ini|ma)-(\d+(?:\.\d+)?)/.exec(id)?.[1] ?? Number.POSITIVE_INFINITY);
}

/** From 3 on: calls in the history need signatures, images may lie in results, thinking is asked for by level. */
export function isModern(id: string): boolean {
  return generation(id) >= 3;
}
