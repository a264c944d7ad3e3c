import { isJsonObject, type JsonObject } from "../contract/json.ts";
import { addUsage, noUsage, type Usage } from "../contract/messages.ts";
import { createLineSplitter, type RawLine } from "../platform/json-lines.ts";
import type { AgentLog } from "./agent-log.ts";
import { callWords } from "./call-words.ts";
import { ASK_EVENT, PLACE_EVENT } from "./handoff.ts";

/** One line may hold a whole answer. */
const MOST_LINE_BYTES = 256 * 1024 * 1024;
/** Of what a subagent said in its last model call, in characters; what it said before is in its session. */
const MOST_PARTIAL = 200_000;

/** The last event of a subagent's run. */
export interface RunEnd {
  stop: string;
  text: string;
}

/** What hears of a subagent's events besides; `place` and `ask` are messages to its parent that are no events. */
export interface EventListeners {
  action(words: string): void;
  place(message: JsonObject): void;
  ask(message: JsonObject): void;
  log: AgentLog;
}

/** What is known of a subagent by its events. */
export class EventReader {
  readonly #lines = createLineSplitter(MOST_LINE_BYTES);
  readonly #decoder = new TextDecoder();
  readonly #on: EventListeners;
  #said: string[] = [];
  #saidLength = 0;
  usage: Usage = noUsage();
  turns = 0;
  session: string | null = null;
  end: RunEnd | null = null;
  /** Of an `error` event: the reason of the end. */
  error: { code: string; message: string; hint: string | null } | null = null;
  /** Lines that are no events. */
  garbage = 0;
  bytes = 0;

  constructor(on: EventListeners) {
    this.#on = on;
  }

  push(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    for (const line of this.#lines.push(chunk)) this.#line(line);
  }

  /** The output has ended: what came without a line's end counts, too. */
  finish(): void {
    const rest = this.#lines.end();
    if (rest !== null) this.#line(rest);
  }

  /** What was said since the last tool call, in case no whole answer comes. */
  partial(): string {
    return this.#said.join("");
  }

  #line(line: RawLine): void {
    const event = line.bytes === null ? null : parsed(this.#decoder.decode(line.bytes));
    if (event === null) this.garbage++;
    else this.#event(event);
  }

  #event(event: JsonObject): void {
    switch (event["type"]) {
      case "message_start":
        this.session = text(event["session_id"]) || null;
        return;
      case "text_delta":
        this.#say(text(event["delta"]));
        return;
      case "tool_call":
        this.#said = [];
        this.#saidLength = 0;
        this.#on.log.call(text(event["tool_name"]), inputOf(event));
        this.#on.action(callWords(text(event["tool_name"]), inputOf(event)));
        return;
      case "tool_result":
        if (event["is_error"] === true) this.#on.log.failed(text(event["content"]));
        return;
      case "turn_end":
        this.turns++;
        this.usage = addUsage(this.usage, usageOf(event["usage"]));
        return;
      case "retry":
        this.#on.action(`waits for the model again: ${text(event["reason"])}`);
        return;
      case "error":
        this.error = {
          code: text(event["code"]),
          message: text(event["message"]),
          hint: text(event["hint"]) || null,
        };
        return;
      case "message_end":
        this.end = { stop: text(event["stop_reason"]), text: text(event["text"]) };
        this.usage = usageOf(event["usage"]);
        return;
      case PLACE_EVENT:
        this.#on.place(event);
        return;
      case ASK_EVENT:
        this.#on.ask(event);
        return;
      default:
        return;
    }
  }

  #say(delta: string): void {
    this.#on.log.say(delta);
    this.#said.push(delta);
    this.#saidLength += delta.length;
    if (this.#saidLength <= 2 * MOST_PARTIAL) return;
    const kept = this.#said.join("").slice(-MOST_PARTIAL).toWellFormed();
    this.#said = [kept];
    this.#saidLength = kept.length;
  }
}

function parsed(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) && typeof value["type"] === "string" ? value : null;
  } catch {
    // a program that wrote to our stdout
    return null;
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function inputOf(event: JsonObject): JsonObject {
  return isJsonObject(event["tool_input"]) ? event["tool_input"] : {};
}

function usageOf(value: unknown): Usage {
  if (!isJsonObject(value)) return noUsage();
  const usage: Usage = noUsage();
  for (const key of ["input", "output", "cache_read", "cache_write", "reasoning", "total"] as const)
    if (typeof value[key] === "number") usage[key] = value[key];
  if (typeof value["cost_usd"] === "number") usage.cost_usd = value["cost_usd"];
  return usage;
}
