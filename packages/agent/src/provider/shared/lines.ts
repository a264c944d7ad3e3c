import { RequestFailure } from "./request-error.ts";

/** In UTF-16 units. No event of a model comes near; what never ends its line must not fill memory. */
const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * The lines of a body, whatever the chunks: UTF-8 may be split anywhere, and CRLF, LF and CR all end a line. U+2028 and
 * U+2029 do not. Each character is looked at once. A last line without an end is given too. Leaving the loop early cancels the body.
 * Throws a {@link RequestFailure} for a line of more than `longest`.
 */
export async function* linesOf(
  body: AsyncIterable<Uint8Array>,
  longest: number = LONGEST_LINE,
): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let pending = "";
  let afterReturn = false;
  const split = function* (text: string): Generator<string> {
    // A line feed right after a carriage return of the chunk before belongs to that return.
    let start = afterReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") afterReturn = text.endsWith("\r");
    const ends = /\r\n|\n|\r/g;
    ends.lastIndex = start;
    for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
      yield pending + text.slice(start, end.index);
      pending = "";
      start = ends.lastIndex;
    }
    pending += text.slice(start);
    if (pending.length > longest) throw tooLong(longest);
  };
  for await (const bytes of body) yield* split(decoder.decode(bytes, { stream: true }));
  yield* split(decoder.decode());
  if (pending !== "") yield pending;
}

/** The failure of a stream that holds more in one piece than can be held; the next try would meet it again. */
export function tooLong(limit: number): RequestFailure {
  return new RequestFailure({
    code: "invalid",
    message: `the answer holds one event of more than ${Math.round(limit / 1024 / 1024)} MB`,
    retryable: false,
  });
}
