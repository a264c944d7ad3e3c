/** The output items of one answer while they stream in. */
import type { JsonObject } from "../../contract/json.ts";
import type { AssistantPart } from "../../contract/messages.ts";
import type { ModelEvent } from "../../contract/model.ts";
import { cutArguments, parseArguments } from "../shared/arguments.ts";
import { asList, asObject, asText } from "../shared/read.ts";
import { StreamedText } from "../shared/text.ts";

/** An item: what has come of it, and the service's final word on it. */
export class Item {
  readonly type: string;
  readonly callId: string;
  name: string;
  readonly text = new StreamedText();
  refused = false;
  /** Argument text; appended, never parsed before the end. */
  json = "";
  /** The item of `output_item.done`: only this one is whole (an earlier one may hold a part of its encrypted content). */
  final: JsonObject | undefined;
  #part: unknown;

  constructor(type: string, callId: string, name: string) {
    this.type = type;
    this.callId = callId;
    this.name = name;
  }

  get isCall(): boolean {
    return this.type === "function_call";
  }

  /** A piece of text or of a thought; a new part of a thought begins a new paragraph. */
  write(delta: string, part?: unknown): ModelEvent[] {
    const gap = this.type === "reasoning" && this.text.text !== "" && part !== this.#part ? "\n\n" : "";
    this.#part = part;
    return this.#show(this.text.push(gap + delta));
  }

  writeArguments(delta: string): ModelEvent[] {
    this.json += delta;
    return delta === "" ? [] : [{ type: "call_delta", name: this.name, delta }];
  }

  /** Takes the final item; what it has beyond the deltas (some servers send none) is shown now. */
  finish(final: JsonObject): ModelEvent[] {
    this.final = final;
    if (this.isCall) {
      this.name = asText(final["name"]).trim() || this.name;
      const whole = final["arguments"];
      if (typeof whole === "string" && whole !== "") this.json = whole;
      else if (asObject(whole)) this.json = JSON.stringify(whole);
      return [{ type: "activity" }];
    }
    const whole = this.type === "reasoning" ? thoughtOf(final) : textOfMessage(final);
    if (asList(final["content"]).some((part) => asObject(part)?.["type"] === "refusal")) this.refused = true;
    const shown = this.flush();
    const { text } = this.text;
    if (whole.length > text.length && whole.startsWith(text))
      shown.push(...this.#show(this.text.push(whole.slice(text.length)) + this.text.finish()));
    return shown.length > 0 ? shown : [{ type: "activity" }];
  }

  /** Gives what half a character still held back. */
  flush(): ModelEvent[] {
    return this.#show(this.text.finish());
  }

  #show(delta: string): ModelEvent[] {
    if (delta === "") return [];
    return [this.type === "reasoning" ? { type: "thinking_delta", delta } : { type: "text_delta", delta }];
  }
}

function textOfMessage(item: JsonObject): string {
  return asList(item["content"])
    .map((part) => asText(asObject(part)?.["text"]) || asText(asObject(part)?.["refusal"]))
    .join("");
}

/** The summary, or the open reasoning of models that show it. */
function thoughtOf(item: JsonObject): string {
  const paragraphs = (list: unknown) =>
    asList(list)
      .map((part) => asText(asObject(part)?.["text"]))
      .filter((text) => text !== "")
      .join("\n\n");
  return paragraphs(item["summary"]) || paragraphs(item["content"]);
}

/**
 * An item as a part of the message; nothing for reasoning that was not finished, and for kinds that we did not ask for.
 * The whole reasoning item is kept, and of the others what must be sent again with them.
 */
export function partOf(item: Item, cut: boolean): AssistantPart[] {
  const { text } = item.text;
  const id = asText(item.final?.["id"]);
  if (item.type === "reasoning") return item.final ? [{ type: "thinking", text, opaque: item.final }] : [];
  if (item.type === "message") {
    if (text === "") return [];
    const phase = asText(item.final?.["phase"]);
    const opaque: JsonObject = { id, ...(phase !== "" && { phase }) };
    return [{ type: "text", text, ...(id !== "" && { opaque }) }];
  }
  if (!item.isCall) return [];
  const parsed =
    cut || item.final?.["status"] === "incomplete" ? cutArguments(item.json) : parseArguments(item.json);
  const rewritten =
    !parsed.problem && item.json.trim() !== "" && JSON.stringify(parsed.arguments) !== item.json;
  const opaque: JsonObject = { ...(id !== "" && { id }), ...(rewritten && { arguments: item.json }) };
  const part = { type: "tool_call" as const, id: item.callId, name: item.name, ...parsed };
  return [Object.keys(opaque).length > 0 ? { ...part, opaque } : part];
}
