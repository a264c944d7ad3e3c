import type { Block, StopWord, UsageNumbers } from "../blocks.ts";
import type { Issued } from "../issued.ts";
import type { Reading, RecordedRequest } from "../recorded-request.ts";
import type { Fields, Wire } from "../wire.ts";

export type ContentBlock = Extract<Block, { kind: "say" | "think" | "redacted" | "call" }>;

/** Turns the blocks of one answer into the wire's own frames. Each string is written on its own. */
export interface Encoder {
  begin(): string[];
  content(block: ContentBlock): Iterable<string>;
  finish(stop: StopWord | undefined): string[];
  failure(type: string, message: string): string[];
  comment(text: string): string[];
  ping(): string[];
}

export interface EncoderContext {
  request: RecordedRequest;
  usage: UsageNumbers;
  issued: Issued;
}

/** One wire protocol from the server's side. */
export interface Dialect {
  wire: Wire;
  /** Whether a POST to this path (without query) is a request for an answer. */
  serves(path: string): boolean;
  contentType: string;
  /** Headers of every answer, e.g. a request id. */
  headers(requestNumber: number): Record<string, string>;
  read(body: Fields, path: string): Reading;
  encoder(context: EncoderContext): Encoder;
  /** The body of a failed request as the service words it. */
  errorBody(status: number, type: string | undefined, message: string): Fields;
  /** What a real service would refuse in this request; empty when it is fine. */
  problems(request: RecordedRequest, issued: Issued): string[];
}

/** Cuts text into pieces for deltas: about 200 at most, at least 12 characters, never through a surrogate pair. */
export function pieces(text: string): string[] {
  const size = Math.max(12, Math.ceil(text.length / 200));
  const cuts: string[] = [];
  for (let at = 0; at < text.length; ) {
    let next = at + size;
    const code = text.charCodeAt(next - 1);
    if (next < text.length && code >= 0xd800 && code < 0xdc00) next++;
    cuts.push(text.slice(at, next));
    at = next;
  }
  return cuts;
}
