const NEWLINE = 10;
const MAX_LINE = 1024 * 1024;

/** Cuts a stream of bytes into lines at LF. A line over 1 MB is handed out cut. */
export class LineReader {
  #rest: Uint8Array[] = [];
  #restLength = 0;
  readonly #onLine: (line: Uint8Array) => void;

  constructor(onLine: (line: Uint8Array) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#keep(chunk.subarray(start, end));
      this.#emit();
      start = end + 1;
    }
    this.#keep(chunk.slice(start));
  }

  end(): void {
    if (this.#restLength > 0) this.#emit();
  }

  #keep(bytes: Uint8Array): void {
    const room = MAX_LINE - this.#restLength;
    if (bytes.length === 0 || room <= 0) return;
    const part = bytes.subarray(0, room);
    this.#rest.push(part);
    this.#restLength += part.length;
  }

  #emit(): void {
    const [first] = this.#rest;
    this.#onLine(this.#rest.length === 1 && first ? first : Buffer.concat(this.#rest));
    this.#rest = [];
    this.#restLength = 0;
  }
}
