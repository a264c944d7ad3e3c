/** A memory is far shorter; a file without line feeds is none of ours and must not fill the memory. */
const LONGEST_LINE = 16 * 1024 * 1024;
const LINE_FEED = 10;

/** The lines of a stream of bytes as text, without their line feeds; undefined in place of one that is too long. Bytes that are no UTF-8 become marks. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  longest = LONGEST_LINE,
): AsyncGenerator<string | undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (): string | undefined => {
    const line = length > longest ? undefined : Buffer.concat(parts).toString("utf8");
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield take();

  function keep(part: Uint8Array): void {
    length += part.length;
    if (length > longest) parts = [];
    else if (part.length > 0) parts.push(part);
  }
}
