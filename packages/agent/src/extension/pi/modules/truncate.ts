/** Pi's ways of cutting long output, by whole lines. */

export const DEFAULT_MAX_LINES = 2_000;
export const DEFAULT_MAX_BYTES = 50 * 1024;

interface Limits {
  maxLines?: number;
  maxBytes?: number;
}

/** What was kept, and what of. */
export interface Truncation {
  content: string;
  truncated: boolean;
  truncatedBy: "lines" | "bytes" | null;
  totalLines: number;
  totalBytes: number;
  outputLines: number;
  outputBytes: number;
  lastLinePartial: boolean;
  firstLineExceedsLimit: boolean;
  maxLines: number;
  maxBytes: number;
}

const bytesOf = (text: string) => Buffer.byteLength(text, "utf8");

/** Keeps the first lines that fit. A first line that is too long by itself leaves nothing, and says so. */
export function truncateHead(content: string, limits: Limits = {}): Truncation {
  const whole = measured(content, limits);
  const { maxLines, maxBytes } = whole;
  if (whole.totalLines <= maxLines && whole.totalBytes <= maxBytes) return whole;
  const lines = content.split("\n");
  const { kept, full } = fitting(lines.slice(0, maxLines), maxBytes);
  const firstLineExceedsLimit = bytesOf(lines[0] ?? "") > maxBytes;
  return cut(whole, kept.join("\n"), full ? "bytes" : "lines", { firstLineExceedsLimit });
}

/** Keeps the last lines that fit. A last line that is too long by itself is kept from its end. */
export function truncateTail(content: string, limits: Limits = {}): Truncation {
  const whole = measured(content, limits);
  const { maxLines, maxBytes } = whole;
  if (whole.totalLines <= maxLines && whole.totalBytes <= maxBytes) return whole;
  const lines = content.split("\n");
  const { kept, full } = fitting(lines.slice(-maxLines).reverse(), maxBytes);
  if (kept.length > 0) return cut(whole, kept.reverse().join("\n"), full ? "bytes" : "lines", {});
  return cut(whole, endOf(lines.at(-1)!, maxBytes), "bytes", { lastLinePartial: true });
}

/** A line of at most `most` characters, with a mark when it was cut. */
export function truncateLine(line: string, most = 500): { text: string; wasTruncated: boolean } {
  if (line.length <= most) return { text: line, wasTruncated: false };
  const end = /[\uD800-\uDBFF]$/.test(line.slice(0, most)) ? most - 1 : most;
  return { text: `${line.slice(0, end)}... [truncated]`, wasTruncated: true };
}

/** `12B`, `4.0KB`, `2.0MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)}KB` : `${(bytes / (1024 * 1024)).toFixed(1)}MB`;
}

function measured(
  content: string,
  { maxLines = DEFAULT_MAX_LINES, maxBytes = DEFAULT_MAX_BYTES }: Limits,
): Truncation {
  const lines = content.split("\n").length;
  const bytes = bytesOf(content);
  return {
    content,
    truncated: false,
    truncatedBy: null,
    totalLines: lines,
    totalBytes: bytes,
    outputLines: lines,
    outputBytes: bytes,
    lastLinePartial: false,
    firstLineExceedsLimit: false,
    maxLines,
    maxBytes,
  };
}

function cut(
  whole: Truncation,
  content: string,
  by: "lines" | "bytes",
  more: Partial<Truncation>,
): Truncation {
  return {
    ...whole,
    content,
    truncated: true,
    truncatedBy: by,
    outputLines: content === "" ? 0 : content.split("\n").length,
    outputBytes: bytesOf(content),
    ...more,
  };
}

/** The first of these lines that fit into so many bytes together, with the line ends between them. */
function fitting(lines: readonly string[], maxBytes: number): { kept: string[]; full: boolean } {
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += bytesOf(line) + (kept.length > 0 ? 1 : 0);
    if (bytes > maxBytes) return { kept, full: true };
    kept.push(line);
  }
  return { kept, full: false };
}

/** The last bytes of a text, never a part of a character. */
function endOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, "utf8");
  let start = Math.max(0, bytes.length - maxBytes);
  while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.toString("utf8", start);
}
