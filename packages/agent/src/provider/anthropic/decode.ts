/** From the events of the Messages API to our answer. Tolerant: unknown events, blocks and deltas are passed over. */
import type {
  AssistantMessage,
  AssistantPart,
  ModelSource,
  ModelStop,
  Usage,
} from "../../contract/messages.ts";
import type { ModelError, ModelEvent } from "../../contract/model.ts";
import type { CallIds } from "../shared/call-ids.ts";
import { type FailureContext, serviceError } from "../shared/errors.ts";
import { asCount, asObject, asText } from "../shared/read.ts";
import type { AnswerReader } from "../shared/stream-run.ts";
import { type Block, openBlock, partOf } from "./blocks.ts";

const STOPS: Record<string, ModelStop> = {
  end_turn: "end",
  stop_sequence: "end",
  // Only the service's own tools pause, and we declare none: what came is the answer.
  pause_turn: "end",
  tool_use: "tool",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "filtered",
};

/** What comes after the last event of a body: gateways were seen to close it without `message_stop`. */
export const END_OF_BODY: unknown = { type: "end of body" };

/** Reads one answer. `ids` gives its calls their ids; `context` is whose failure an error inside of the stream is. */
export class MessagesReader implements AnswerReader<unknown> {
  complete = false;
  failure: ModelError | undefined;
  /** In the order in which they began, which is that of what was shown. */
  readonly #blocks: Block[] = [];
  /** The newest block of each index: a gateway that begins an index, or the message, again takes nothing back. */
  readonly #places = new Map<number, Block>();
  readonly #source: ModelSource;
  readonly #ids: CallIds;
  readonly #context: FailureContext;
  #counts: Record<string, unknown> = {};
  #started = false;
  #stop = "";

  constructor(source: ModelSource, ids: CallIds, context: FailureContext) {
    this.#source = source;
    this.#ids = ids;
    this.#context = context;
  }

  /** True once a stop reason was seen: the answer is whole, only its closing event may follow. */
  get finished(): boolean {
    return this.#stop !== "";
  }

  take(raw: unknown): ModelEvent[] {
    if (raw === END_OF_BODY) {
      this.complete ||= this.finished && this.failure === undefined;
      return this.complete ? this.#closeAll() : [];
    }
    const event = asObject(raw) ?? {};
    const index = typeof event["index"] === "number" ? event["index"] : Math.max(0, this.#blocks.length - 1);
    switch (event["type"]) {
      case "message_start":
        this.#started = true;
        this.#count(asObject(event["message"])?.["usage"]);
        return [{ type: "activity" }];
      case "content_block_start":
        return this.#open(
          typeof event["index"] === "number" ? index : this.#blocks.length,
          event["content_block"],
        );
      case "content_block_delta":
        return this.#delta(index, asObject(event["delta"]) ?? {});
      case "content_block_stop":
        return this.#places.get(index)?.close() ?? [];
      case "message_delta":
        return this.#finish(asObject(event["delta"]) ?? {}, event["usage"]);
      case "message_stop":
        this.complete = true;
        return this.#closeAll();
      case "error":
        this.failure = serviceError({ body: event }, this.#context);
        return [];
      default:
        return [];
    }
  }

  message(): AssistantMessage {
    const stop = STOPS[this.#stop] ?? "end";
    const blocks = this.#blocks;
    const parts = blocks.flatMap((block, at) =>
      partOf(block, stop === "length" && (at === blocks.length - 1 || !block.closed)),
    );
    const calls = parts.some((part) => part.type === "tool_call");
    const agreed = stop === "end" && calls ? "tool" : stop === "tool" && !calls ? "end" : stop;
    return {
      role: "assistant",
      parts,
      source: this.#source,
      stop: agreed,
      usage: this.usage() ?? usageOf({}),
    };
  }

  partial(): AssistantPart[] {
    return this.#blocks.flatMap((block) => partOf(block, !block.closed));
  }

  usage(): Usage | undefined {
    return this.#started || Object.keys(this.#counts).length > 0 ? usageOf(this.#counts) : undefined;
  }

  #open(index: number, content: unknown): ModelEvent[] {
    const start = asObject(content) ?? {};
    const id =
      start["type"] === "tool_use" ? this.#ids.take(asText(start["id"]), String(this.#blocks.length)) : "";
    const before = this.#places.get(index)?.finishText() ?? [];
    const { block, events } = openBlock(start, id);
    this.#add(index, block);
    return [...before, ...events];
  }

  #delta(index: number, delta: Record<string, unknown>): ModelEvent[] {
    let block = this.#places.get(index);
    if (!block) {
      // Gateways were seen to leave out the start of a block.
      const type =
        delta["type"] === "text_delta" ? "text" : delta["type"] === "thinking_delta" ? "thinking" : "";
      block = openBlock({ type }, "").block;
      this.#add(index, block);
    }
    return block.take(delta);
  }

  #add(index: number, block: Block): void {
    this.#blocks.push(block);
    this.#places.set(index, block);
  }

  #finish(delta: Record<string, unknown>, usage: unknown): ModelEvent[] {
    this.#count(usage);
    this.#stop = asText(delta["stop_reason"]) || this.#stop;
    const explanation = asText(asObject(delta["stop_details"])?.["explanation"]);
    // A refusal often comes without a word of its own; the reason is then all there is to show.
    if (this.#stop !== "refusal" || explanation === "" || this.#blocks.length > 0)
      return [{ type: "activity" }];
    this.#open(0, { type: "text" });
    return this.#delta(0, { type: "text_delta", text: explanation });
  }

  #closeAll(): ModelEvent[] {
    // A gateway may end the message without ending its blocks; whether they were cut shows in the stop reason.
    return this.#blocks.flatMap((block) => block.finishText());
  }

  /** Counts are cumulative, and a later null leaves the earlier number. */
  #count(usage: unknown): void {
    for (const [name, value] of Object.entries(asObject(usage) ?? {}))
      if (value !== null) this.#counts[name] = value;
  }
}

function usageOf(counts: Record<string, unknown>): Usage {
  const split = asObject(counts["cache_creation"]) ?? {};
  const written = asCount(split["ephemeral_5m_input_tokens"]) + asCount(split["ephemeral_1h_input_tokens"]);
  const input = asCount(counts["input_tokens"]);
  const output = asCount(counts["output_tokens"]);
  const cacheRead = asCount(counts["cache_read_input_tokens"]);
  const cacheWrite = asCount(counts["cache_creation_input_tokens"]) || written;
  const reasoning = asCount(asObject(counts["output_tokens_details"])?.["thinking_tokens"]);
  const total = input + output + cacheRead + cacheWrite;
  return { input, output, cache_read: cacheRead, cache_write: cacheWrite, reasoning, total };
}
