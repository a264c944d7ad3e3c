/** Where a client's bytes go. `done` is called when the system has taken them. */
export interface ByteSink {
  write(text: string, done: () => void): void;
}

/** Handed to the system at once, at most. Characters. */
const PIECE = 256 * 1024;

/** However long a client is waited for, this many times the limit is the most that is kept for it. */
const MOST_TIMES = 4;

export interface OutboxOptions {
  /** Characters of events that may wait for ever. */
  mostEvents: number;
  /** Begins to wait for a client that takes nothing, and calls back when that was long enough; the result ends the wait. */
  grace(over: () => void): () => void;
  /** It is given up; the outbox is closed. */
  onOverflow(): void;
  /** Something was taken. */
  onDrained(): void;
}

/**
 * What waits for a client to read it. Answers are bounded by what the client asks (see {@link waiting}). Events come whether it reads or
 * not: a client that takes nothing for a while, with more than `mostEvents` characters of them waiting, is given up.
 */
export class Outbox {
  readonly #sink: ByteSink;
  readonly #options: OutboxOptions;
  #lines: { text: string; event: boolean }[] = [];
  #events = 0;
  #answers = 0;
  #writing = false;
  #closed = false;
  #endGrace: (() => void) | undefined;
  #idle: (() => void)[] = [];

  constructor(sink: ByteSink, options: OutboxOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  /** Characters of answers that wait. */
  get waiting(): number {
    return this.#answers;
  }

  answer(text: string): void {
    this.#answers += text.length;
    this.#add(text, false);
  }

  event(text: string): void {
    if (this.#closed) return;
    this.#events += text.length;
    this.#add(text, true);
    const { mostEvents, grace } = this.#options;
    if (this.#events > MOST_TIMES * mostEvents) this.#giveUp();
    else if (this.#events > mostEvents) this.#endGrace ??= grace(() => this.#giveUp());
  }

  /** Resolves when everything has been taken, or nothing will be any more. */
  flushed(): Promise<void> {
    if (this.#closed || !this.#writing) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Drops what waits. */
  close(): void {
    this.#closed = true;
    this.#endGrace?.();
    this.#lines = [];
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #add(text: string, event: boolean): void {
    if (this.#closed) return;
    this.#lines.push({ text, event });
    if (!this.#writing) this.#next();
  }

  #next(): void {
    if (this.#closed) return;
    let length = 0;
    let count = 0;
    for (const { text } of this.#lines) {
      if (count > 0 && length + text.length > PIECE) break;
      length += text.length;
      count++;
    }
    if (count === 0) {
      this.#writing = false;
      for (const resolve of this.#idle.splice(0)) resolve();
      return;
    }
    this.#writing = true;
    const piece = this.#lines.slice(0, count);
    this.#sink.write(piece.map(({ text }) => text).join(""), () => this.#taken(count));
  }

  #taken(count: number): void {
    if (this.#closed) return;
    this.#endGrace?.();
    this.#endGrace = undefined;
    for (const { text, event } of this.#lines.splice(0, count))
      if (event) this.#events -= text.length;
      else this.#answers -= text.length;
    this.#next();
    this.#options.onDrained();
  }

  #giveUp(): void {
    if (this.#closed) return;
    this.close();
    this.#options.onOverflow();
  }
}
