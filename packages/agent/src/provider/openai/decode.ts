/** From the events of the Responses API to our answer. Tolerant: unknown events and missing indexes are lived with. */
import type { JsonObject } from "../../contract/json.ts";
import type {
  AssistantMessage,
  AssistantPart,
  ModelSource,
  ModelStop,
  Usage,
} from "../../contract/messages.ts";
import { noUsage } from "../../contract/messages.ts";
import type { ModelError, ModelEvent } from "../../contract/model.ts";
import type { CallIds } from "../shared/call-ids.ts";
import { type FailureContext, serviceError } from "../shared/errors.ts";
import { asCount, asList, asObject, asText } from "../shared/read.ts";
import type { AnswerReader } from "../shared/stream-run.ts";
import { Item, partOf } from "./items.ts";

/** An item with what events name it by; each of these may be missing. */
interface HeldItem {
  item: Item;
  /** 0 where servers leave it out. */
  index: number;
  itemId: string;
  callId: string;
}

/** Reads one answer. `ids` gives its calls their ids; `context` is whose failure an error inside of the stream is. */
export class ResponsesReader implements AnswerReader<unknown> {
  complete = false;
  failure: ModelError | undefined;
  /** In order of arrival. */
  readonly #items: HeldItem[] = [];
  readonly #source: ModelSource;
  readonly #ids: CallIds;
  readonly #context: FailureContext;
  #response: JsonObject = {};
  #last: HeldItem | undefined;

  constructor(source: ModelSource, ids: CallIds, context: FailureContext) {
    this.#source = source;
    this.#ids = ids;
    this.#context = context;
  }

  take(raw: unknown): ModelEvent[] {
    const event = asObject(raw) ?? {};
    const delta = asText(event["delta"]);
    switch (event["type"]) {
      case "response.created":
        return [{ type: "activity" }];
      case "response.output_item.added":
        this.#item(event, asObject(event["item"]));
        return [{ type: "activity" }];
      case "response.output_text.delta":
        return this.#item(event, { type: "message" }).write(delta);
      case "response.refusal.delta": {
        const item = this.#item(event, { type: "message" });
        item.refused = true;
        return item.write(delta);
      }
      case "response.reasoning_summary_text.delta":
        return this.#item(event, { type: "reasoning" }).write(delta, event["summary_index"]);
      case "response.reasoning_text.delta":
        return this.#item(event, { type: "reasoning" }).write(delta, event["content_index"]);
      case "response.function_call_arguments.delta":
        return this.#item(event, { type: "function_call" }).writeArguments(delta);
      case "response.function_call_arguments.done": {
        const item = this.#item(event, { type: "function_call" });
        item.json = asText(event["arguments"]) || item.json;
        return [{ type: "activity" }];
      }
      case "response.output_item.done": {
        const final = asObject(event["item"]);
        return final ? this.#item(event, final).finish(final) : [];
      }
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
      // The name that some gateways give to each of these.
      case "response.done":
        return this.#close(event["type"], asObject(event["response"]) ?? {});
      case "error":
        this.failure = serviceError({ body: { error: event["error"] ?? event } }, this.#context);
        return [];
      default:
        return [];
    }
  }

  message(): AssistantMessage {
    const items = this.#ordered();
    const reason = asText(asObject(this.#response["incomplete_details"])?.["reason"]);
    const incomplete = this.#response["status"] === "incomplete";
    const length = incomplete && reason !== "content_filter";
    const parts = items.flatMap((item, at) =>
      partOf(item, length && (at === items.length - 1 || !item.final)),
    );
    const calls = parts.some((part) => part.type === "tool_call");
    let stop: ModelStop = calls ? "tool" : "end";
    if (length) stop = "length";
    else if (incomplete || items.some((item) => item.refused)) stop = "filtered";
    return { role: "assistant", parts, source: this.#source, stop, usage: this.usage() ?? noUsage() };
  }

  partial(): AssistantPart[] {
    return this.#ordered().flatMap((item) => partOf(item, item.isCall && !item.final));
  }

  usage(): Usage | undefined {
    const counts = asObject(this.#response["usage"]);
    if (!counts) return undefined;
    const before = asObject(counts["input_tokens_details"]);
    const cacheRead = asCount(before?.["cached_tokens"]);
    const cacheWrite = asCount(before?.["cache_write_tokens"]);
    // The service counts cached tokens as input too; ours are apart.
    const input = Math.max(0, asCount(counts["input_tokens"]) - cacheRead - cacheWrite);
    const output = asCount(counts["output_tokens"]);
    const reasoning = asCount(asObject(counts["output_tokens_details"])?.["reasoning_tokens"]);
    const total = input + cacheRead + cacheWrite + output;
    return { input, output, cache_read: cacheRead, cache_write: cacheWrite, reasoning, total };
  }

  /** By output index where there is one; what has none keeps its place of arrival before the rest. */
  #ordered(): Item[] {
    return [...this.#items].sort((a, b) => a.index - b.index).map(({ item }) => item);
  }

  /** The item that an event speaks of, opened if it is new. */
  #item(event: JsonObject, start: JsonObject | undefined): Item {
    const type = asText(start?.["type"]) || "message";
    const itemId = asText(event["item_id"]) || asText(start?.["id"]);
    const index = typeof event["output_index"] === "number" ? event["output_index"] : undefined;
    const callId = type === "function_call" ? asText(start?.["call_id"]) : "";
    // A gateway that gives all items one index must not make one of them: what an event says of its item has to fit.
    const fits = (held: HeldItem) =>
      held.item.type === type && (callId === "" || held.callId === "" || held.callId === callId);
    const added = event["type"] === "response.output_item.added";
    const isOpen = (held: HeldItem) => !added && !held.item.final && fits(held);
    const last = this.#last;
    let held = this.#items.findLast((one) => itemId !== "" && one.itemId === itemId && fits(one));
    // Some servers give an item another id in each event.
    if (index !== undefined)
      held ??= this.#items.findLast(
        (one) => one.index === index && (itemId === "" ? fits(one) : isOpen(one)),
      );
    // Without index and id: the call that is named, or the newest item if it is of that kind, else the next one.
    else if (itemId === "")
      held = callId === "" ? (last && isOpen(last) ? last : undefined) : this.#items.findLast(isOpen);
    if (held === undefined) {
      const id = type === "function_call" ? this.#ids.take(callId, String(this.#items.length)) : "";
      held = { item: new Item(type, id, asText(start?.["name"]).trim()), index: index ?? 0, itemId, callId };
      this.#items.push(held);
    }
    this.#last = held;
    return held.item;
  }

  /** The last event; a gateway may say in its response only that it failed, or that it is incomplete. */
  #close(type: string, response: JsonObject): ModelEvent[] {
    if (type === "response.failed" || response["status"] === "failed") {
      this.#response = response;
      this.failure = serviceError(
        { body: { error: response["error"] ?? "the response failed" } },
        this.#context,
      );
      return [];
    }
    this.complete = true;
    return this.#end(response, type === "response.incomplete" || response["status"] === "incomplete");
  }

  /** The last event repeats all items: some servers send them only there, and Azure their encrypted content. */
  #end(response: JsonObject, incomplete: boolean): ModelEvent[] {
    this.#response = { ...response, status: incomplete ? "incomplete" : asText(response["status"]) };
    const events: ModelEvent[] = [];
    const known = this.#ordered();
    for (const [index, entry] of asList(response["output"]).entries()) {
      const final = asObject(entry);
      if (!final) continue;
      const seen =
        known.find((item) => item.final?.["id"] !== undefined && item.final["id"] === final["id"]) ??
        known[index];
      if (!seen) events.push(...this.#item({ output_index: index }, final).finish(final));
      else if (seen.type === final["type"] && (!seen.final || lacksSecret(seen.final, final)))
        events.push(...seen.finish(final));
    }
    for (const item of known) if (!item.final) events.push(...item.flush());
    return events;
  }
}

function lacksSecret(have: JsonObject, last: JsonObject): boolean {
  return have["type"] === "reasoning" && !have["encrypted_content"] && Boolean(last["encrypted_content"]);
}
