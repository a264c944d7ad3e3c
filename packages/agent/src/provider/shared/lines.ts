/**
 * The lines of a body, whatever the chunks: UTF-8 may be split anywhere, and CRLF, LF and CR all end a line. U+2028 and
 * U+2029 do not. Each character is looked at once. A last line without an end is given too. Leaving the loop early cancels the body.
 */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
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
  };
  for await (const bytes of body) yield* split(decoder.decode(bytes, { stream: true }));
  yield* split(decoder.decode());
  if (pending !== "") yield pending;
}
