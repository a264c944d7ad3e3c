/** Cutting text by UTF-8 bytes without ever splitting a character (a half surrogate pair makes a request invalid for good). */

/** Length of `text` in UTF-8 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** The longest prefix of at most `maxBytes` UTF-8 bytes that ends between two characters. */
export function headOf(text: string, maxBytes: number): string {
  if (maxBytes <= 0) return "";
  // No UTF-16 unit takes more than three bytes, so most texts need no counting.
  if (text.length * 3 <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/** The longest suffix of at most `maxBytes` UTF-8 bytes that starts between two characters. */
export function tailOf(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  let start = text.length;
  let bytes = 0;
  while (start > 0) {
    const unit = text.charCodeAt(start - 1);
    const previous = start > 1 ? text.charCodeAt(start - 2) : 0;
    const pair = unit >= 0xdc00 && unit <= 0xdfff && previous >= 0xd800 && previous <= 0xdbff;
    bytes += pair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (bytes > maxBytes) break;
    start -= pair ? 2 : 1;
  }
  return text.slice(start);
}

/** `line` if it has at most `maxBytes` bytes, else its head and a mark that says how much is missing. */
export function clipLine(line: string, maxBytes: number): string {
  const head = headOf(line, maxBytes);
  if (head.length === line.length) return line;
  return `${head}… [+${byteLength(line) - byteLength(head)} bytes]`;
}

/** What was kept of a long text and how much lies between. Whole lines where a line end is near, else characters. */
export interface HeadAndTail {
  head: string;
  /** Empty when nothing was dropped. */
  tail: string;
  droppedBytes: number;
}

/** Keeps the first `headBytes` and the last `tailBytes` of a text longer than both together. */
export function headAndTail(text: string, headBytes: number, tailBytes: number): HeadAndTail {
  const total = byteLength(text);
  if (total <= headBytes + tailBytes) return { head: text, tail: "", droppedBytes: 0 };
  let head = headOf(text, headBytes);
  let tail = tailOf(text, tailBytes);
  const lastEnd = head.lastIndexOf("\n");
  if (lastEnd > head.length / 2) head = head.slice(0, lastEnd + 1);
  const firstEnd = tail.indexOf("\n");
  if (firstEnd !== -1 && firstEnd < tail.length / 2) tail = tail.slice(firstEnd + 1);
  return { head, tail, droppedBytes: total - byteLength(head) - byteLength(tail) };
}

/**
 * The largest index <= `index` at which no UTF-8 character of `bytes` is split. Bytes that are not UTF-8 move it by at
 * most three.
 */
export function characterStart(bytes: Uint8Array, index: number): number {
  if (index >= bytes.length) return bytes.length;
  let start = index;
  while (start > 0 && index - start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return ((bytes[start] ?? 0) & 0xc0) === 0x80 ? index : start;
}

/** "12 bytes", "4.0 KB", "2.0 GB" (1 KB = 1,024 bytes). */
export function humanSize(bytes: number): string {
  if (bytes === 1) return "1 byte";
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = "";
  for (const next of units) {
    if (size < 1024) break;
    size /= 1024;
    unit = next;
  }
  return `${size.toFixed(1)} ${unit}`;
}
