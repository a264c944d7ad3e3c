/** What this server has given out: what comes back is held against it, as the real services do. */
import { createHash } from "node:crypto";
import type { Fields, Wire } from "./wire.ts";

/** One finished answer: the order of its parts, to see whether a part is missing or moved when it comes back. */
export interface IssuedAnswer {
  wire: Wire;
  model: string;
  parts: IssuedPart[];
}

export type IssuedPart =
  | { type: "thinking"; signature: string; text: string }
  | { type: "redacted"; data: string }
  | { type: "text"; text: string; id?: string }
  | { type: "call"; id: string; name: string; argumentText: string; itemId?: string; signature?: string }
  | { type: "reasoning"; id: string; item: Fields };

export class Issued {
  readonly answers: IssuedAnswer[] = [];
  /** Thinking text by its signature, with a digest of the conversation before it and the model. */
  readonly thinking = new Map<string, { text: string; prefix: string; model: string }>();
  readonly redacted = new Set<string>();
  /** Gemini signatures by value: the call they belong to (or "" for text). */
  readonly signatures = new Map<string, { name: string; args: string }>();
  #count = 0;
  #raw = "";

  /** Remembers bytes that a script sent as they are, so that what they hold may come back. */
  sendRaw(data: Uint8Array): void {
    this.#raw += new TextDecoder().decode(data);
  }

  /** Whether raw bytes held this text inside of a JSON string: it was given out, but nothing more is known of it. */
  sentRaw(text: string): boolean {
    return text !== "" && this.#raw.includes(JSON.stringify(text));
  }

  /** A number that no other id of this server has. */
  next(): number {
    this.#count++;
    return this.#count;
  }

  /** An opaque token that depends on everything it is made from. */
  seal(...from: string[]): string {
    return createHash("sha256").update(JSON.stringify(from)).digest("base64");
  }
}
