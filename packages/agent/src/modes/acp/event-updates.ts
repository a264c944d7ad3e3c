import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { PendingCall } from "../../contract/callbacks.ts";
import type { AgentEvent } from "../../contract/events.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ImagePart, Message } from "../../contract/messages.ts";
import type { ClientFacts } from "./client-facts.ts";
import type { FileChanges } from "./file-changes.ts";
import { isPlanFile, planEntries } from "./plan-entries.ts";
import { liveContent, liveTail, resultContent, textBlock } from "./result-content.ts";
import type { SessionFolder } from "./session-folder.ts";
import { location, toolCallView } from "./tool-call-view.ts";

export interface EventUpdatesOptions {
  folder: SessionFolder;
  client: ClientFacts;
  changes: FileChanges;
  send(update: SessionUpdate): void;
}

/** A call that the editor knows of and whose result it does not have. */
interface OpenCall {
  name: string;
  input: JsonObject;
  output: string;
}

type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { type: Type }>;

/** Turns the events of a session's runs into what its editor is told. */
export class EventUpdates {
  readonly #options: EventUpdatesOptions;
  readonly #open = new Map<string, OpenCall>();
  /** Pictures of results whose events are still to come: these do not carry them. */
  readonly #images = new Map<string, ImagePart[]>();
  #messages = 0;
  #compactions = 0;

  constructor(options: EventUpdatesOptions) {
    this.#options = options;
  }

  /** Takes one event, in order. `error`, `message_start` and `message_end` are no updates: the answer to the prompt tells them. */
  take(event: AgentEvent): void {
    switch (event.type) {
      case "text_delta":
        this.#chunk("agent_message_chunk", event.delta);
        break;
      case "thinking_delta":
        this.#chunk("agent_thought_chunk", event.delta);
        break;
      case "turn_end":
        this.#messages++;
        break;
      case "tool_call":
        this.#called(event);
        break;
      case "tool_progress":
        this.#progressed(event);
        break;
      case "tool_result":
        this.#finished(event);
        break;
      case "retry":
        this.#retried(event);
        break;
      case "notice":
        this.#noticed(event);
        break;
      case "compaction":
        this.#compacted(event);
        break;
      case "message_end":
        this.#closeCalls();
        break;
    }
  }

  /** Sees each message when it is stored: before its calls begin, and before the event of a result. */
  stored(message: Message): void {
    if (message.role === "assistant") this.#options.changes.expect(message);
    if (message.role !== "tool") return;
    for (const { id, content } of message.parts) {
      const images = content.filter((part) => part.type === "image");
      if (images.length > 0) this.#images.set(id, images);
    }
  }

  /** Shows a call that waits for a person, before it is one of the events. */
  waiting({ id, name, input }: PendingCall, content: ToolCallContent[]): void {
    this.#open.set(id, { name, input, output: "" });
    this.#options.send({
      sessionUpdate: "tool_call",
      toolCallId: id,
      name,
      ...toolCallView(name, input, this.#options.folder),
      status: "pending",
      rawInput: input,
      content,
    });
  }

  #chunk(sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", text: string): void {
    const content = textBlock(text);
    const kind = sessionUpdate === "agent_thought_chunk" ? "thought" : "answer";
    this.#options.send({ sessionUpdate, content, messageId: `live-${this.#messages}-${kind}` });
  }

  #called({ id, tool_name: name, tool_input: input }: EventOf<"tool_call">): void {
    const known = this.#open.has(id);
    this.#open.set(id, { name, input, output: "" });
    this.#options.send({
      sessionUpdate: known ? "tool_call_update" : "tool_call",
      toolCallId: id,
      name,
      ...toolCallView(name, input, this.#options.folder),
      status: "in_progress",
      rawInput: input,
    });
  }

  #progressed({ id, delta }: EventOf<"tool_progress">): void {
    const call = this.#open.get(id);
    if (call === undefined) return;
    call.output = liveTail(call.output + delta);
    const content = liveContent(call.output);
    this.#options.send({ sessionUpdate: "tool_call_update", toolCallId: id, content });
  }

  #finished(event: EventOf<"tool_result">): void {
    const { id, tool_name: name, content: text, is_error: failed, details } = event;
    const input = this.#open.get(id)?.input ?? {};
    this.#open.delete(id);
    const { changes, send, folder } = this.#options;
    const diffs = failed ? [] : changes.done(id, name, input, details);
    const line = firstLine(details);
    const path = diffs[0]?.path ?? toolCallView(name, input, folder).locations[0]?.path;
    send({
      sessionUpdate: "tool_call_update",
      toolCallId: id,
      status: failed ? "failed" : "completed",
      content: resultContent(text, diffs, this.#takeImages(id)),
      ...(path === undefined || line === undefined ? {} : { locations: [location(path, line)] }),
      rawOutput: details,
    });
    for (const diff of diffs)
      if (isPlanFile(diff.path)) {
        const entries = planEntries(diff.newText);
        if (entries.length > 0) send({ sessionUpdate: "plan", entries });
      }
  }

  #takeImages(id: string): ImagePart[] {
    const images = this.#images.get(id) ?? [];
    this.#images.delete(id);
    return images;
  }

  #retried({ attempt, delay_ms: delay, reason }: EventOf<"retry">): void {
    const words = `The request is sent again in ${Math.ceil(delay / 1_000)} s (attempt ${attempt}): ${reason}`;
    if (this.#options.client.notices)
      this.#options.send({ sessionUpdate: "notice", severity: "info", title: words });
    else this.#chunk("agent_thought_chunk", `${words}\n`);
  }

  #noticed({ level, message }: EventOf<"notice">): void {
    if (this.#options.client.notices)
      this.#options.send({ sessionUpdate: "notice", severity: level, title: message });
    // An editor without a place for notices shows what a person has to know, and nothing more, in the conversation.
    else if (level === "warning") this.#chunk("agent_thought_chunk", `Warning: ${message}\n`);
  }

  #compacted({ kind, phase, reason }: EventOf<"compaction">): void {
    if (!this.#options.client.compaction || kind !== "summary") return;
    if (phase === "start") this.#compactions++;
    this.#options.send({
      sessionUpdate: "compaction_update",
      compactionId: `compaction-${this.#compactions}`,
      status: phase === "start" ? "in_progress" : phase === "end" ? "completed" : "failed",
      ...(reason === undefined ? {} : { error: reason }),
    });
  }

  /** A run that was stopped leaves calls without results: none may look as if it ran on. */
  #closeCalls(): void {
    for (const id of this.#open.keys())
      this.#options.send({ sessionUpdate: "tool_call_update", toolCallId: id, status: "failed" });
    this.#open.clear();
    this.#images.clear();
    this.#messages++;
  }
}

function firstLine(details: JsonObject): number | undefined {
  const lines = details["lines"];
  const line = Array.isArray(lines) ? lines[0] : undefined;
  return typeof line === "number" ? line : undefined;
}
