import type { Json } from "../../contract/json.ts";
import {
  type AssistantMessage,
  type AssistantPart,
  type ModelSource,
  type ModelStop,
  noUsage,
  type ToolCallPart,
  type Usage,
} from "../../contract/messages.ts";
import type { ModelEvent } from "../../contract/model.ts";
import { StreamedText } from "./text.ts";

/** Which call is asked for: `length` when the answer ended on the output limit, `last` when nothing came after it. */
export interface CallEnding {
  length: boolean;
  last: boolean;
}

interface Prose {
  type: "text" | "thinking";
  stream: StreamedText;
  opaque?: Json;
}

type Entry = Prose | { type: "call"; build: (ending: CallEnding) => ToolCallPart };

/**
 * An answer whose parts come one after the other: collects them in order, so that what had arrived is there when the
 * stream fails. Each method gives the events to show for it.
 */
export class StreamedAnswer {
  readonly #entries: Entry[] = [];
  #open: Prose | undefined;

  /** Text goes on with the text before it; with an `opaque` item it is a part of its own, even if it is empty. */
  text(delta: string, opaque?: Json): ModelEvent[] {
    return this.#prose("text", delta, opaque);
  }

  thinking(delta: string, opaque?: Json): ModelEvent[] {
    return this.#prose("thinking", delta, opaque);
  }

  /** A call begins here; `build` is asked for it when the answer is over, however it ended. */
  call(build: (ending: CallEnding) => ToolCallPart): ModelEvent[] {
    const events = this.close();
    this.#entries.push({ type: "call", build });
    return events;
  }

  /** Ends the text that is open. */
  close(): ModelEvent[] {
    const open = this.#open;
    this.#open = undefined;
    return open === undefined ? [] : shown(open.type, open.stream.finish());
  }

  /** Attaches an item that came later to the newest thinking, or keeps it as thinking without text. */
  attachToThinking(opaque: Json): void {
    const thinking = this.#entries.findLast((entry) => entry.type === "thinking");
    if (thinking?.type === "thinking") thinking.opaque = opaque;
    else this.#entries.unshift({ type: "thinking", stream: new StreamedText(), opaque });
  }

  get empty(): boolean {
    return this.#entries.length === 0;
  }

  get hasCalls(): boolean {
    return this.#entries.some((entry) => entry.type === "call");
  }

  /** The parts so far. `length`: the answer ended on the output limit. */
  parts(length = false): AssistantPart[] {
    const parts: AssistantPart[] = [];
    for (const [index, entry] of this.#entries.entries()) {
      if (entry.type === "call")
        parts.push(entry.build({ length, last: index === this.#entries.length - 1 }));
      else if (entry.stream.text !== "" || entry.opaque !== undefined)
        parts.push({
          type: entry.type,
          text: entry.stream.text,
          ...(entry.opaque !== undefined && { opaque: entry.opaque }),
        });
    }
    return parts;
  }

  /** The whole answer; without `usage` the service counted nothing. */
  message(source: ModelSource, stop: ModelStop, usage: Usage | undefined): AssistantMessage {
    return {
      role: "assistant",
      parts: this.parts(stop === "length"),
      source,
      stop,
      usage: usage ?? noUsage(),
    };
  }

  #prose(type: Prose["type"], delta: string, opaque: Json | undefined): ModelEvent[] {
    if (delta === "" && opaque === undefined) return [];
    const events: ModelEvent[] = [];
    if (this.#open?.type !== type || opaque !== undefined) events.push(...this.close());
    const open = this.#open ?? { type, stream: new StreamedText() };
    if (this.#open === undefined) this.#entries.push(open);
    this.#open = open;
    events.push(...shown(type, open.stream.push(delta)));
    if (opaque !== undefined) {
      open.opaque = opaque;
      events.push(...this.close());
      if (events.length === 0) events.push({ type: "activity" });
    }
    return events;
  }
}

function shown(type: Prose["type"], delta: string): ModelEvent[] {
  if (delta === "") return [];
  return [type === "text" ? { type: "text_delta", delta } : { type: "thinking_delta", delta }];
}
