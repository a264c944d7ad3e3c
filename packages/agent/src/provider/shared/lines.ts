import { RequestFailure } from "./request-error.ts";

/** In UTF-16 units. No event of a model comes near; what never ends its line must not fill memory. */
const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * Cuts bytes into lines, whatever the chunks: UTF-8 may be split anywhere, and CRLF, LF and CR all end a line. U+2028 and U+2029 do not. Each
 * character is looked at once.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  readonly #longest: number;
  #pending = "";
  #afterReturn = false;

  constructor(longest: number = LONGEST_LINE) {
    this.#longest = longest;
  }

  /** The lines that end in this chunk. Throws a {@link RequestFailure} behind them when what is left of it is longer than a line may be. */
  lines(bytes: Uint8Array): Generator<string, void, void> {
    return this.#split(this.#decoder.decode(bytes, { stream: true }));
  }

  /** What is left when no more bytes come; a last line needs no end. */
  *rest(): Generator<string, void, void> {
    yield* this.#split(this.#decoder.decode());
    if (this.#pending !== "") yield this.#pending;
  }

  *#split(text: string): Generator<string, void, void> {
    // A line feed right after a carriage return of the chunk before belongs to that return.
    let start = this.#afterReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") this.#afterReturn = text.endsWith("\r");
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = start;
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      const line = this.#pending + text.slice(start, end.index);
      this.#pending = "";
      start = ends.lastIndex;
      yield line;
    }
    this.#pending += text.slice(start);
    if (this.#pending.length > this.#longest) throw tooLong(this.#longest);
  }
}

/**
 * The lines of a body, as a {@link LineSplitter} cuts them. Leaving the loop early cancels the body. Throws a {@link RequestFailure} for a line
 * of more than `longest`.
 */
export async function* linesOf(
  body: AsyncIterable<Uint8Array>,
  longest: number = LONGEST_LINE,
): AsyncGenerator<string, void, void> {
  const splitter = new LineSplitter(longest);
  for await (const bytes of body) yield* splitter.lines(bytes);
  yield* splitter.rest();
}

/** The failure of a stream that holds more in one piece than can be held; the next try would meet it again. */
export function tooLong(limit: number): RequestFailure {
  return new RequestFailure({
    code: "invalid",
    message: `the answer holds one event of more than ${Math.round(limit / 1024 / 1024)} MB`,
    retryable: false,
  });
}
