import type { Block, UsageNumbers } from "./blocks.ts";
import { commonText } from "./prompt-prefix.ts";
import type { CachePart, RecordedRequest } from "./recorded-request.ts";

/** What all answers of a server cost together, as they were reported on the wire. */
export interface Bill extends UsageNumbers {
  requests: number;
}

const tokens = (characters: number): number => Math.ceil(characters / 4);

/**
 * Counts honest usage: a token is four characters of the request or the answer, and a simulated prompt cache (without
 * the services' minimum sizes) finds what was sent before. Anthropic caches only up to `cache_control` marks; the
 * OpenAI wires and Gemini cache by themselves; Ollama reports no cache.
 */
export class UsageMeter {
  readonly bill: Bill = { input: 0, output: 0, cache_read: 0, cache_write: 0, reasoning: 0, requests: 0 };
  readonly #earlier: { key: string; parts: CachePart[] }[] = [];

  count(request: RecordedRequest, blocks: readonly Block[]): UsageNumbers {
    const key = `${request.wire} ${request.model}`;
    const earlier = this.#earlier.filter((entry) => entry.key === key);
    const whole = lengthOf(request.cacheParts);
    const marked = lengthOf(request.cacheParts.slice(0, lastMark(request.cacheParts) + 1));
    let read = 0;
    let write = 0;
    if (request.wire === "anthropic") {
      for (const entry of earlier) read = Math.max(read, readable(entry.parts, request.cacheParts));
      read = Math.min(read, marked);
      write = marked - read;
    } else if (request.wire !== "ollama")
      for (const entry of earlier)
        read = Math.max(read, commonText({ cacheParts: entry.parts }, request).length);
    this.#earlier.push({ key, parts: request.cacheParts });

    const text = (kinds: string[]): number =>
      blocks.reduce((sum, block) => sum + (kinds.includes(block.kind) ? contentLength(block) : 0), 0);
    const reasoning = tokens(text(["think", "redacted"]));
    const numbers: UsageNumbers = {
      cache_read: tokens(read),
      cache_write: tokens(write),
      input: Math.max(tokens(whole) - tokens(read) - tokens(write), 0),
      output: Math.max(reasoning + tokens(text(["say", "call"])), 1),
      reasoning,
    };
    for (const block of blocks) if (block.kind === "usage") Object.assign(numbers, block.numbers);
    return numbers;
  }

  /** Adds an answer that was reported to the client to the bill. */
  charge(numbers: UsageNumbers): void {
    this.bill.input += numbers.input;
    this.bill.output += numbers.output;
    this.bill.cache_read += numbers.cache_read;
    this.bill.cache_write += numbers.cache_write;
    this.bill.reasoning += numbers.reasoning;
    this.bill.requests++;
  }
}

function lengthOf(parts: readonly CachePart[]): number {
  return parts.reduce((sum, part) => sum + part.text.length, 0);
}

function lastMark(parts: readonly CachePart[]): number {
  return parts.findLastIndex((part) => part.breakpoint);
}

/** How much of what `written` left in the cache `now` begins with: up to a mark of `written`, whole parts only. */
function readable(written: readonly CachePart[], now: readonly CachePart[]): number {
  let length = 0;
  let found = 0;
  for (const [index, part] of written.entries()) {
    if (now[index]?.text !== part.text) break;
    length += part.text.length;
    if (part.breakpoint) found = length;
  }
  return found;
}

function contentLength(block: Block): number {
  switch (block.kind) {
    case "say":
    case "think":
      return block.chunks.join("").length;
    case "redacted":
      return block.data.length;
    case "call":
      return block.name.length + block.argumentText.length;
    default:
      return 0;
  }
}
