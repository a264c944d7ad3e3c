/** Bytes of one output of a program, for one reader. Nothing is read before it is asked for, so a full pipe stops the writer. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /**
   * Stops handing bytes on: a pending read ends the iteration. What still comes is read slowly and dropped, because a
   * closed pipe would kill a server that a command left running. Safe to call again.
   */
  detach(): void;
  /** Resolves once the end was read or reading was given up. */
  readonly finished: Promise<void>;
  /** The same, to look at. */
  readonly ended: boolean;
  /** Resolves when nobody can write any more and the descriptor has been given back. */
  readonly closed: Promise<void>;
}

/** Pause after each piece of dropped output: at most some 13 MB/s of a runaway writer reach us. */
const DROP_PAUSE_MS = 5;
const DROP_PIECE = 64 * 1024;

/** Gives the next piece; undefined at the end. A pipe that breaks (the child was killed) is the end of its output. One read at a time. */
export type ReadPiece = () => Promise<Uint8Array | undefined>;

/** Reads a web stream. The reader is taken at once: Bun fills its memory without limit with the output of a child whose stream nobody has taken. */
export function webPieces(source: ReadableStream<Uint8Array>): ReadPiece {
  const reader = source.getReader();
  return () =>
    reader.read().then(
      ({ done, value }) => (done ? undefined : value),
      () => undefined,
    );
}

/** A {@link ByteStream} over what `source` reads. `release` runs once, when it has really ended. */
export function byteStream(source: ReadPiece, release?: () => void): ByteStream {
  // Given back at the end: as long as it is there, so is its buffer (up to 256 KiB).
  let next: ReadPiece | undefined = source;
  const finished = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let over = false;
  let atEnd = false;
  let interrupt = () => {
    // nobody waits yet
  };
  let pending: Promise<Uint8Array | undefined> | undefined;

  function finish(): void {
    over = true;
    finished.resolve();
    interrupt();
  }

  function close(): void {
    if (atEnd) return;
    atEnd = true;
    next = undefined;
    release?.();
    finish();
    closed.resolve();
  }

  function read(): Promise<Uint8Array | undefined> {
    if (next === undefined) return Promise.resolve(undefined);
    pending ??= next().then((value) => {
      pending = undefined;
      if (value === undefined) close();
      return value;
    });
    return pending;
  }

  async function drop(): Promise<void> {
    let sincePause = 0;
    for (;;) {
      const value = atEnd ? undefined : await read();
      if (value === undefined) return;
      sincePause += value.length;
      if (sincePause < DROP_PIECE) continue;
      sincePause = 0;
      await new Promise<void>((resolve) => {
        setTimeout(resolve, DROP_PAUSE_MS).unref();
      });
    }
  }

  function detach(): void {
    if (over) return;
    finish();
    // `drop` cannot reject: `read` turns every failure into the end.
    void drop();
  }

  const iterator: AsyncIterator<Uint8Array> = {
    next() {
      // No race against `finished`: it would remember each of millions of reads.
      return new Promise((resolve) => {
        const end = () => resolve({ done: true, value: undefined });
        if (over) {
          end();
          return;
        }
        interrupt = end;
        void read().then((value) => (value === undefined ? end() : resolve({ done: false, value })));
      });
    },
    async return() {
      detach();
      return { done: true, value: undefined };
    },
  };
  return {
    [Symbol.asyncIterator]: () => iterator,
    detach,
    finished: finished.promise,
    get ended() {
      return over;
    },
    closed: closed.promise,
  };
}
