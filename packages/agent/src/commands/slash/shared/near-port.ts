/** The names that a mistyped one was probably meant to be. */
export interface NearPort {
  /** Names out of `known`, nearest first, at most three; empty when none is near. */
  near(name: string, known: Iterable<string>): readonly string[];
}

/** `Did you mean /model or /mode?`, or the fallback when nothing is near. */
export function didYouMean(near: readonly string[], fallback: string): string {
  if (near.length === 0) return fallback;
  const last = near.at(-1)!;
  const list = near.length === 1 ? last : `${near.slice(0, -1).join(", ")} or ${last}`;
  return `Did you mean ${list}?`;
}
