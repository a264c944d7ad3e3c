/** The content blocks of one answer while they stream in. */
import type { JsonObject } from "../../contract/json.ts";
import type { AssistantPart } from "../../contract/messages.ts";
import type { ModelEvent } from "../../contract/model.ts";
import { cutArguments, parseArguments } from "../shared/arguments.ts";
import { asObject, asText } from "../shared/read.ts";
import { StreamedText } from "../shared/text.ts";

/** A block: what has come of it, and whether the service said that it is whole. */
export class Block {
  closed = false;
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly text = new StreamedText();
  signature = "";
  data = "";
  /** Argument text; appended, never parsed before the end, so that long arguments cost no more than their length. */
  json = "";

  constructor(kind: string, id: string, name: string) {
    this.kind = kind;
    this.id = id;
    this.name = name;
  }

  take(delta: Record<string, unknown>): ModelEvent[] {
    switch (delta["type"]) {
      case "text_delta":
        return this.#show(this.text.push(asText(delta["text"])));
      case "thinking_delta":
        return this.#show(this.text.push(asText(delta["thinking"])));
      case "signature_delta":
        this.signature += asText(delta["signature"]);
        return [{ type: "activity" }];
      case "input_json_delta": {
        const json = asText(delta["partial_json"]);
        this.json += json;
        return json === "" ? [] : [{ type: "call_delta", name: this.name, delta: json }];
      }
      default:
        return [{ type: "activity" }];
    }
  }

  /** The service said that the block is whole. */
  close(): ModelEvent[] {
    this.closed = true;
    return this.finishText();
  }

  /** Gives what half a character still held back. */
  finishText(): ModelEvent[] {
    return this.#show(this.text.finish());
  }

  #show(delta: string): ModelEvent[] {
    if (delta === "") return [];
    if (this.kind === "text") return [{ type: "text_delta", delta }];
    return this.kind === "thinking" ? [{ type: "thinking_delta", delta }] : [{ type: "activity" }];
  }
}

/** Opens a block as `content_block_start` describes it; whole contents may stand in the start already. */
export function openBlock(
  start: Record<string, unknown>,
  id: string,
): { block: Block; events: ModelEvent[] } {
  const block = new Block(asText(start["type"]), id, asText(start["name"]).trim());
  const input = asObject(start["input"]);
  if (block.kind === "tool_use" && input && Object.keys(input).length > 0) block.json = JSON.stringify(input);
  block.data = asText(start["data"]);
  block.signature = asText(start["signature"]);
  const events: ModelEvent[] = [{ type: "activity" }];
  if (asText(start["text"]) !== "") events.push(...block.take({ type: "text_delta", text: start["text"] }));
  if (asText(start["thinking"]) !== "")
    events.push(...block.take({ type: "thinking_delta", thinking: start["thinking"] }));
  return { block, events };
}

/** A block as a part of the message; nothing for unknown kinds, for text that never came, and for thinking without its signature. */
export function partOf(block: Block, cut: boolean): AssistantPart[] {
  const { text } = block.text;
  if (block.kind === "text") return text === "" ? [] : [{ type: "text", text }];
  if (block.kind === "thinking")
    return block.signature === "" ? [] : [{ type: "thinking", text, signature: block.signature }];
  if (block.kind === "redacted_thinking") {
    const opaque: JsonObject = { redacted: block.data };
    return block.data === "" ? [] : [{ type: "thinking", text: "", opaque }];
  }
  if (block.kind !== "tool_use") return [];
  const parsed = cut ? cutArguments(block.json) : parseArguments(block.json);
  return [{ type: "tool_call", id: block.id, name: block.name, ...parsed }];
}
