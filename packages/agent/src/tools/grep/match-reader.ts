import { decodeUtf8 } from "../../platform/utf8.ts";
import { decodeName } from "../shared/search/names.ts";

const NEWLINE = 10;
/** A line is shown cut to 500 bytes anyway; ripgrep cuts it, too. */
const MAX_LINE = 1024 * 1024;
const REMARK =
  /^(?:\.\/)?(.*): (?:WARNING: stopped searching binary file after match|binary file matches) \(found .*\)$/;

/** What ripgrep's output holds. */
interface MatchSink {
  match(file: string, line: number, text: string): void;
  /** Only a part of this file was searched: it is binary from some place on. */
  cut(file: string): void;
}

/**
 * Reads ripgrep's output, `path NUL line:text LF` with remarks between (`path: binary file matches (…)`), from pieces of any
 * size. A path may hold line feeds.
 */
export class MatchReader {
  #rest: Uint8Array = new Uint8Array();
  /** The path of the line that is being read; null before its NUL. */
  #file: string | null = null;
  #dropping = false;
  readonly #sink: MatchSink;

  constructor(sink: MatchSink) {
    this.#sink = sink;
  }

  push(chunk: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(this.#file === null ? 0 : NEWLINE, start);
      if (end === -1) break;
      const piece = bytes.subarray(start, end);
      if (this.#file === null) this.#file = this.#pathOf(piece);
      else this.#line(piece);
      start = end + 1;
    }
    this.#rest = bytes.slice(start);
    if (this.#file !== null && this.#rest.length > MAX_LINE) {
      this.#line(this.#rest, true);
      this.#rest = new Uint8Array();
    }
  }

  end(): void {
    if (this.#file === null) this.#pathOf(this.#rest);
    else this.#line(this.#rest);
    this.#rest = new Uint8Array();
  }

  /** Remarks come before the path of the next match, on lines of their own. */
  #pathOf(bytes: Uint8Array): string {
    const lines = decodeName(bytes).split("\n");
    for (; lines.length > 0; lines.shift()) {
      const file = REMARK.exec(lines[0] ?? "")?.[1];
      if (file === undefined) break;
      this.#sink.cut(file);
    }
    return lines.join("\n").replace(/^\.\//, "");
  }

  #line(bytes: Uint8Array, more = false): void {
    if (!this.#dropping) this.#emit(decodeUtf8(bytes).text);
    this.#dropping = more;
    if (!more) this.#file = null;
  }

  #emit(text: string): void {
    const colon = text.indexOf(":");
    const number = Number(text.slice(0, colon));
    if (colon < 1 || !Number.isInteger(number)) return;
    this.#sink.match(this.#file ?? "", number, text.slice(colon + 1).replace(/\r$/, ""));
  }
}
