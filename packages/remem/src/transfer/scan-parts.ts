import type { Part } from "../core/ports/memory-store.ts";

/** All items of a list that is read a part at a time; `read` gives the part after a place, 0 at first. */
export async function* scanParts<T>(
  read: (after: number) => Promise<Part<T>>,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  for (let after: number | null = 0; after !== null; ) {
    signal?.throwIfAborted();
    const part: Part<T> = await read(after);
    yield* part.items;
    after = part.next;
  }
}
