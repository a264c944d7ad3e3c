import type { Fields, Wire } from "./wire.ts";
import { fields, list } from "./wire.ts";

/** A tool as the request declares it. */
export interface RecordedTool {
  name: string;
  description: string;
  schema: Fields;
}

/** A tool call inside the request's history; `id` is "" where the wire has none. */
export interface RecordedCall {
  id: string;
  name: string;
  args: unknown;
}

export interface RecordedImage {
  mimeType: string;
  /** Base64. */
  data: string;
}

/** A tool result inside the request's history. `isError` is false on wires that have no such mark. */
export interface RecordedResult {
  id: string;
  name?: string;
  text: string;
  isError: boolean;
  images: RecordedImage[];
}

/** What a request says, read from its wire's own form. */
export interface Reading {
  model: string;
  system: string;
  tools: RecordedTool[];
  /** Each text part of each user message, in order. */
  userTexts: string[];
  /** Each text part of each assistant message, in order. */
  assistantTexts: string[];
  userImages: RecordedImage[];
  calls: RecordedCall[];
  results: RecordedResult[];
  /** The parts a prompt cache sees, in cache order, as canonical text without cache marks. */
  cacheParts: CachePart[];
}

/** One step of the cached prefix; `breakpoint` where the request marks it (Anthropic). */
export interface CachePart {
  text: string;
  breakpoint: boolean;
}

/** One request as it arrived, raw and read. */
export interface RecordedRequest extends Reading {
  wire: Wire;
  method: string;
  /** Path with query. */
  path: string;
  /** Lower-case names; repeated headers joined with ", ". */
  headers: Record<string, string>;
  body: Fields;
  /** The body as text (malformed UTF-8 replaced) and as the bytes that came. */
  text: string;
  bytes: Uint8Array;
  /** When it had arrived, `Date.now()`. */
  at: number;
  /** A value deep in the body: `field("thinking", "type")`, `field("messages", 0, "role")`; negative = from the end. */
  field(...path: (string | number)[]): unknown;
}

/** Looks a value up along a path; undefined where the path leads nowhere. */
export function fieldAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) found = typeof step === "number" ? list(found).at(step) : fields(found)[step];
  return found;
}

/** A request for something else than an answer: model lists, versions, token counts. */
export interface OtherRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Fields;
  at: number;
}
