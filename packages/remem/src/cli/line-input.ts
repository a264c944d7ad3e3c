import { StringDecoder } from "node:string_decoder";
import type { CliInput } from "./cli-world.ts";

/** The little of a readable stream that is needed; `process.stdin` has it. */
export interface InputSource {
  on(event: "data", listener: (data: Uint8Array | string) => void): unknown;
  on(event: "end" | "error" | "close", listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** Reads an input line by line, or whole. It is touched when it is first asked, and lets the process end between questions. */
export class LineInput implements CliInput {
  readonly isTerminal: boolean;
  readonly #source: () => InputSource;
  readonly #decoder = new StringDecoder("utf8");
  #opened: InputSource | undefined;
  #text = "";
  #ended = false;
  #wake: (() => void) | undefined;

  /** When `signal` fires, the input is over. */
  constructor(source: () => InputSource, isTerminal: boolean, signal: AbortSignal) {
    this.#source = source;
    this.isTerminal = isTerminal;
    signal.addEventListener("abort", () => this.#end(), { once: true });
  }

  async line(): Promise<string | null> {
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return line.replace(/\r$/, "");
      }
      if (this.#ended) {
        const rest = this.#text;
        this.#text = "";
        return rest === "" ? null : rest;
      }
      await this.#more();
    }
  }

  async all(): Promise<string> {
    while (!this.#ended) await this.#more();
    const text = this.#text;
    this.#text = "";
    return text;
  }

  async #more(): Promise<void> {
    const source = this.#open();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      source.resume();
    });
    source.pause();
  }

  #open(): InputSource {
    if (this.#opened !== undefined) return this.#opened;
    const source = this.#source();
    source.on("data", (data) => {
      this.#text += typeof data === "string" ? data : this.#decoder.write(Buffer.from(data));
      this.#wake?.();
    });
    source.on("end", () => this.#end());
    source.on("error", () => this.#end());
    source.on("close", () => this.#end());
    this.#opened = source;
    return source;
  }

  #end(): void {
    if (!this.#ended) this.#text += this.#decoder.end();
    this.#ended = true;
    this.#wake?.();
  }
}
