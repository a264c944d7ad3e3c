/** How full the context window is: what the service last counted, and an estimate of what came after it. */
import type { AssistantPart, ImagePart, Message, TextPart, Usage } from "../contract/messages.ts";
import type { ModelInfo } from "../contract/model.ts";
import { estimateTokens, type TokenFamily, tokenFamily } from "./token-estimate.ts";

/** Tokens around each message. */
const MESSAGE_OVERHEAD = 4;
/** Upper sides of what the services count for one picture. */
const IMAGE_TOKENS: Readonly<Record<string, number>> = { anthropic: 1_600, gemini: 1_100 };
const IMAGE_TOKENS_ELSEWHERE = 1_536;
/** An estimate smaller than this teaches nothing about the tokenizer. */
const SMALLEST_SAMPLE = 500;
const LEARNING_RATE = 0.3;
/** Above every family's tokens for one character, whatever it is. */
const MOST_A_CHARACTER = 6;
const MOST_RATIO = 1.6;
/** A count below this part of our estimate is none: some gateways count what no cache held, or the last message, or make a number up. */
const BELIEVED_RATIO = 0.25;

/** Estimates for one model, calibrated by every answer's usage. Costs only the messages that are new since the last one. */
export class ContextMeter {
  readonly #family: TokenFamily;
  readonly #imageTokens: number;
  readonly #fixed: string;
  #fixedCount: number | undefined;
  readonly #cache = new WeakMap<Message, number>();
  /** What the service counted for the messages before `#counted`, and the message that marks the place. */
  #base: { tokens: number; counted: number; last: Message } | undefined;
  #ratio = 1;
  /** The service's counts have turned out to be none. */
  #disbelieved = false;

  /** `fixed` is the system text and the tools' declarations. */
  constructor(model: ModelInfo, fixed: string) {
    this.#family = tokenFamily(model.id);
    this.#imageTokens = IMAGE_TOKENS[model.wire] ?? IMAGE_TOKENS_ELSEWHERE;
    this.#fixed = fixed;
  }

  get #fixedTokens(): number {
    this.#fixedCount ??= estimateTokens(this.#fixed, this.#family);
    return this.#fixedCount;
  }

  /** Whether a request with these messages would take more than `limit` tokens. Far below it nothing is estimated: the length says enough. */
  exceeds(limit: number, messages: readonly Message[], outdatedBefore = 0): boolean {
    const uncounted = this.#fixedCount === undefined && this.#baseFor(messages, outdatedBefore) === undefined;
    if (uncounted && this.#most(messages) <= limit) return false;
    return this.tokens(messages, outdatedBefore) > limit;
  }

  /** Tokens that a request with these messages would take. Counts of messages before `outdatedBefore` are not believed. */
  tokens(messages: readonly Message[], outdatedBefore = 0): number {
    const base = this.#baseFor(messages, outdatedBefore);
    const tail = this.#estimate(messages, base?.counted ?? 0) + (base ? 0 : this.#fixedTokens);
    return (base?.tokens ?? 0) + Math.ceil(tail * this.#ratio);
  }

  /** The same by estimates only, so that two histories can be compared. */
  estimate(messages: readonly Message[]): number {
    return Math.ceil((this.#estimate(messages, 0) + this.#fixedTokens) * this.#ratio);
  }

  /** Estimated tokens of one message. */
  ofMessage(message: Message): number {
    return Math.ceil(this.#ofMessage(message) * this.#ratio);
  }

  /** Estimated tokens of a text as this model's answer. */
  ofText(text: string): number {
    return Math.ceil(estimateTokens(text, this.#family) * this.#ratio);
  }

  /**
   * Learns from an answer: `messages` are those that were sent and `usage` what the service counted. `answer` is the stored
   * message that now follows them, if any.
   */
  learn(
    messages: readonly Message[],
    outdatedBefore: number,
    usage: Usage,
    answer: Message | undefined,
  ): void {
    const sent = usage.input + usage.cache_read + usage.cache_write;
    if (sent <= 0 || this.#disbelieved) return;
    const base = this.#baseFor(messages, outdatedBefore);
    const raw = this.#estimate(messages, base?.counted ?? 0) + (base ? 0 : this.#fixedTokens);
    if (raw >= SMALLEST_SAMPLE) {
      const sample = within((sent - (base?.tokens ?? 0)) / raw);
      this.#ratio += LEARNING_RATE * (sample - this.#ratio);
    }
    if (answer) this.#base = { tokens: sent + usage.output, counted: messages.length + 1, last: answer };
  }

  /**
   * Takes over the ratio of what the service counted to our estimate of all of it, so that estimates of a changed history
   * go on from the same number. A count that is far below the estimate is not believed from here on.
   */
  settle(messages: readonly Message[], outdatedBefore: number): void {
    const base = this.#baseFor(messages, outdatedBefore);
    const raw = this.#estimate(messages, 0) + this.#fixedTokens;
    if (!base || raw < SMALLEST_SAMPLE) return;
    const ratio = this.tokens(messages, outdatedBefore) / raw;
    this.#disbelieved = ratio < BELIEVED_RATIO;
    this.#ratio = this.#disbelieved ? 1 : within(ratio);
  }

  /** What the service said holds as long as the message it ended with is still in its place. */
  #baseFor(
    messages: readonly Message[],
    outdatedBefore: number,
  ): { tokens: number; counted: number } | undefined {
    if (this.#disbelieved) return undefined;
    const base = this.#base;
    if (base && base.counted > outdatedBefore && messages[base.counted - 1] === base.last) return base;
    return fromHistory(messages, outdatedBefore);
  }

  #estimate(messages: readonly Message[], from: number): number {
    let sum = 0;
    for (let i = from; i < messages.length; i++) sum += this.#ofMessage(messages[i]!);
    return sum;
  }

  /** More tokens than any estimate of a request with these messages. */
  #most(messages: readonly Message[]): number {
    let characters = this.#fixed.length;
    let more = 0;
    const add = (part: AssistantPart | TextPart | ImagePart) => {
      if (part.type === "image") more += this.#imageTokens;
      else if (part.type === "tool_call") more = Number.POSITIVE_INFINITY;
      else characters += part.text.length;
    };
    for (const message of messages) {
      more += MESSAGE_OVERHEAD;
      for (const part of message.parts) {
        if (part.type !== "tool_result") add(part);
        else for (const inner of part.content) add(inner);
      }
    }
    return (characters * MOST_A_CHARACTER + more) * MOST_RATIO;
  }

  #ofMessage(message: Message): number {
    const known = this.#cache.get(message);
    if (known !== undefined) return known;
    let tokens = MESSAGE_OVERHEAD;
    for (const part of message.parts) {
      if (part.type !== "tool_result") tokens += this.#ofPart(part);
      else for (const inner of part.content) tokens += this.#ofPart(inner);
    }
    this.#cache.set(message, tokens);
    return tokens;
  }

  #ofPart(part: AssistantPart | TextPart | ImagePart): number {
    switch (part.type) {
      case "text":
      case "thinking":
        return estimateTokens(part.text, this.#family);
      case "image":
        return this.#imageTokens;
      case "tool_call":
        return estimateTokens(part.name + JSON.stringify(part.arguments), this.#family);
    }
  }
}

function within(ratio: number): number {
  return Math.min(MOST_RATIO, Math.max(0.7, ratio));
}

/** A resumed history carries the service's count in its newest answer. */
function fromHistory(
  messages: readonly Message[],
  outdatedBefore: number,
): { tokens: number; counted: number } | undefined {
  for (let i = messages.length - 1; i >= outdatedBefore; i--) {
    const message = messages[i]!;
    if (message.role === "assistant" && !message.partial && message.usage.total > 0)
      return { tokens: message.usage.total, counted: i + 1 };
  }
  return undefined;
}
