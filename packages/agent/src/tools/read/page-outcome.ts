import type { JsonObject } from "../../contract/json.ts";
import type { ToolOutcome } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import { empty, found } from "../shared/outcome.ts";
import type { TextEncoding } from "../shared/sniff.ts";
import type { Page, PageRequest } from "./page.ts";

/** What is known of the file besides its lines. */
interface Shown {
  path: string;
  encoding: TextEncoding;
  /** The caller set the limit: a page that ends there was not cut by us. */
  asked: boolean;
}

/** The page as the model reads it: lines, then in brackets what is not shown and how to get it. */
export function pageOutcome(page: Page, request: PageRequest, shown: Shown): ToolOutcome {
  const details: JsonObject = { path: shown.path, total_lines: page.total };
  if (page.total === null) details["lines_counted"] = page.counted;
  if (page.last < page.first) return nothingThere(page, request, shown.path, details);
  if (page.partial && page.partial.to < page.partial.from && page.partial.length > 0)
    return empty(
      `Line ${page.first} of ${shown.path} has ${formatCount(page.partial.length)} bytes; column ${request.column} is past its end.`,
      details,
    );
  const more = page.total === null || page.last < page.total;
  const next = nextStep(page, more);
  Object.assign(details, { first_line: page.first, last_line: page.last });
  details["truncated"] = page.stoppedBy !== undefined || (more && !shown.asked);
  if (next) Object.assign(details, next);
  if (shown.encoding !== "utf-8") details["encoding"] = shown.encoding;
  const notes = [position(page, next, more), ...remarks(page, shown.encoding)].filter((note) => note !== "");
  return found(notes.length > 0 ? `${page.text}\n[${notes.join("; ")}]` : page.text, details);
}

function nothingThere(page: Page, request: PageRequest, path: string, details: JsonObject): ToolOutcome {
  const total = page.total ?? page.counted;
  if (total === 0) return empty(`${path} holds no text (a byte order mark only).`, details);
  const lines = total === 1 ? "1 line" : `${formatCount(total)} lines`;
  return empty(`${path} has ${lines}; offset ${request.offset} is past its end.`, details);
}

function nextStep(page: Page, more: boolean): { next_offset: number; next_column?: number } | null {
  const { partial } = page;
  if (partial && (partial.open || partial.to < partial.length) && page.stoppedBy)
    return { next_offset: partial.line, next_column: partial.to + 1 };
  return more ? { next_offset: page.last + 1 } : null;
}

function position(page: Page, next: ReturnType<typeof nextStep>, more: boolean): string {
  const total =
    page.total === null ? `at least ${formatCount(page.counted)} (not counted on)` : formatCount(page.total);
  const { partial } = page;
  if (!partial && page.first === 1 && !more) return "";
  const range = page.first === page.last ? `line ${page.first}` : `lines ${page.first}-${page.last}`;
  const parts = [`${range} of ${total}`];
  if (partial) {
    const length = `${partial.open ? "at least " : ""}${formatCount(partial.length)}`;
    parts.push(`line ${partial.line}: bytes ${partial.from}-${partial.to} of ${length}`);
  }
  if (next?.next_column !== undefined) {
    const skip = more ? `, or from the next line: offset ${next.next_offset + 1}` : "";
    parts.push(`go on with offset ${next.next_offset}, column ${next.next_column}${skip}`);
  } else if (next) parts.push(`go on with offset ${next.next_offset}`);
  return parts.join("; ");
}

function remarks(page: Page, encoding: TextEncoding): string[] {
  const notes: string[] = [];
  if (page.crlf) notes.push("CRLF line ends");
  if (page.noFinalNewline) notes.push("no newline at the end");
  if (encoding === "utf-16le" || encoding === "utf-16be")
    notes.push(`decoded from ${encoding.toUpperCase()}`);
  else if (page.invalid > 0) notes.push("not UTF-8: each \\xNN stands for one byte");
  return notes;
}
