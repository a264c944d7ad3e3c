/** Bytes of one output of a program, for one reader. Nothing is read before it is asked for, so a full pipe stops the writer. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Stops for good: a pending read ends the iteration and the descriptor is given back. Safe to call again. */
  detach(): void;
  /** Resolves once the end was read or reading was given up. */
  readonly finished: Promise<void>;
  /** The same, to look at. */
  readonly ended: boolean;
}

/**
 * A {@link ByteStream} over a web stream. The reader is taken at once: Bun fills its memory without limit with the output
 * of a child whose stream nobody has taken. `release` runs once, when the stream has ended or was given up.
 */
export function byteStream(source: ReadableStream<Uint8Array>, release?: () => void): ByteStream {
  const reader = source.getReader();
  let over = false;
  const { promise: finished, resolve: resolveFinished } = Promise.withResolvers<void>();
  const finish = () => {
    if (over) return;
    over = true;
    resolveFinished();
    release?.();
  };
  const cancel = () => {
    if (over) return;
    const cancelled = reader.cancel().catch(() => {
      // the stream had failed: there is nothing left to cancel
    });
    // The descriptor may be closed only when the stream no longer waits on it.
    cancelled.finally(finish).catch(() => {
      // `finish` gives back a descriptor; that one is closed already is no concern of the reader
    });
  };
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      if (over) return { done: true, value: undefined };
      try {
        const { done, value } = await reader.read();
        if (!done) return { done: false, value };
      } catch {
        // A pipe that breaks (the child was killed) is the end of its output.
      }
      finish();
      return { done: true, value: undefined };
    },
    async return() {
      cancel();
      return { done: true, value: undefined };
    },
  };
  return {
    [Symbol.asyncIterator]: () => iterator,
    detach: cancel,
    finished,
    get ended() {
      return over;
    },
  };
}
