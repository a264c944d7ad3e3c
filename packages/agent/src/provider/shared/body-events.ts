/** How long the rest of an answer may take once its end was seen: its usage comes at once or never. */
const REST_MS = 2_000;

/**
 * The events of a body, then `ending`. Once `finished()` says that the answer is whole, a body that breaks or goes silent
 * instead of closing ends here too: what still could come is only its usage. A body that breaks before throws.
 */
export async function* withEnding<Event>(
  events: AsyncIterable<Event>,
  ending: Event,
  finished: () => boolean,
  restMs = REST_MS,
): AsyncGenerator<Event, void, void> {
  const iterator = events[Symbol.asyncIterator]();
  let open = true;
  try {
    for (;;) {
      const next = await (finished() ? rest(iterator, restMs) : iterator.next());
      if (next === "silent") break;
      if (next.done) {
        open = false;
        break;
      }
      yield next.value;
    }
    yield ending;
  } finally {
    // Not awaited: closing waits for the read that hangs.
    if (open) iterator.return?.().catch(() => undefined);
  }
}

async function rest<Event>(
  iterator: AsyncIterator<Event>,
  restMs: number,
): Promise<IteratorResult<Event> | "silent"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<"silent">((resolve) => {
    timer = setTimeout(() => resolve("silent"), restMs);
  });
  // A connection that breaks after the end of the answer took nothing from it.
  const next = iterator.next().catch(() => "silent" as const);
  const first = await Promise.race([next, silence]);
  clearTimeout(timer);
  return first;
}
