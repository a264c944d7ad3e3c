/** One run as extensions hear of it: our events and callbacks told in the order and the shapes of Pi's. */
import type { AgentEvent } from "../../../contract/events.ts";
import {
  type AssistantMessage,
  type AssistantPart,
  type Message,
  noUsage,
  textOf,
} from "../../../contract/messages.ts";
import type { PiMessage, PiToolResultMessage } from "../pi-types.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { HostState } from "./host-state.ts";
import { customMessage, store } from "./messages-out.ts";
import { asJson, assistantToPi, partsOf, toPi } from "./pi-message.ts";

interface Turn {
  index: number;
  answer: AssistantMessage | null;
  results: PiToolResultMessage[];
  /** What has arrived of the answer. */
  text: string;
  thinking: string;
}

export class RunEvents {
  readonly #state: HostState;
  readonly #dispatcher: Dispatcher;
  readonly #signal: AbortSignal;
  #turn: Turn | null = null;
  #turns = 0;
  readonly #calls = new Map<string, { name: string; args: unknown }>();
  readonly messages: PiMessage[] = [];
  /** A handler of `turn_end` wants the run to go on. */
  goOn = false;

  constructor(state: HostState, dispatcher: Dispatcher, signal: AbortSignal) {
    this.#state = state;
    this.#dispatcher = dispatcher;
    this.#signal = signal;
  }

  /** What the model is asked is settled. Once. */
  async begin(): Promise<void> {
    if (this.#begun) return;
    this.#begun = true;
    await this.#tell("agent_start", {});
  }

  #begun = false;

  /** A call has been validated and is shown to callbacks, or (when it was refused before that) told. Once for each call. */
  async callBegins(id: string, name: string, args: unknown): Promise<void> {
    if (this.#calls.has(id)) return;
    this.#calls.set(id, { name, args });
    const parentToolCallId = this.#state.nested.get(id);
    const from = parentToolCallId === undefined ? {} : { parentToolCallId };
    await this.#tell("tool_execution_start", { toolCallId: id, toolName: name, args, ...from });
  }

  /** A request is about to be made: the turn before it is over. */
  async beforeRequest(): Promise<void> {
    if (this.#turn?.answer === null) return;
    await this.endTurn();
    this.#turn = { index: this.#turns++, answer: null, results: [], text: "", thinking: "" };
    await this.#tell("turn_start", { turnIndex: this.#turn.index, timestamp: Date.now() });
  }

  async endTurn(): Promise<void> {
    const turn = this.#turn;
    this.#turn = null;
    if (turn?.answer === null || turn === null) return;
    const event = {
      type: "turn_end",
      turnIndex: turn.index,
      message: assistantToPi(turn.answer, Date.now()),
      toolResults: turn.results,
      outcome: "completed",
      entries: [] as unknown[],
      continue: false,
    };
    await this.#dispatcher.dispatch(event, {
      signal: this.#signal,
      take: (value) => {
        const { entries, continue: more } = (value ?? {}) as { entries?: unknown; continue?: unknown };
        if (Array.isArray(entries)) this.#keep(entries);
        if (more === true) this.goOn = true;
        return undefined;
      },
    });
  }

  /** An answer is whole. Gives the text that a handler put in its place, if one did. */
  async answered(message: AssistantMessage): Promise<AssistantMessage> {
    if (this.#turn !== null) this.#turn.answer = message;
    const pi = assistantToPi(message, Date.now());
    this.messages.push(pi);
    let changed = message;
    await this.#dispatcher.dispatch(
      { type: "message_end", message: pi },
      {
        signal: this.#signal,
        take: (value) => {
          const given = (value as { message?: { role?: unknown; content?: unknown } } | undefined)?.message;
          if (given?.role === "assistant") changed = withTexts(message, given.content);
          return undefined;
        },
      },
    );
    if (this.#turn !== null) this.#turn.answer = changed;
    return changed;
  }

  /** A message was stored. */
  stored(message: Message): void {
    if (message.role === "assistant") return;
    for (const pi of toPi(message, Date.now())) {
      this.messages.push(pi);
      if (pi.role === "toolResult") this.#turn?.results.push(pi);
      for (const type of ["message_start", "message_end"])
        if (this.#dispatcher.has(type)) void this.#tell(type, { message: pi });
    }
  }

  /** An event of the run, before the surface gets it. */
  async see(event: AgentEvent): Promise<void> {
    switch (event.type) {
      case "text_delta":
      case "thinking_delta":
        return this.#delta(event.type, event.delta);
      case "tool_call":
        return this.callBegins(event.id, event.tool_name, event.tool_input);
      case "tool_progress": {
        const call = this.#calls.get(event.id);
        const partialResult = { content: [{ type: "text", text: event.delta }], details: undefined };
        return this.#tell("tool_execution_update", {
          toolCallId: event.id,
          toolName: call?.name,
          args: call?.args,
          partialResult,
        });
      }
      case "tool_result": {
        const result = { content: [{ type: "text", text: event.content }], details: event.details };
        return this.#tell("tool_execution_end", {
          toolCallId: event.id,
          toolName: event.tool_name,
          result,
          isError: event.is_error,
          durationMs: event.duration_ms,
        });
      }
      case "compaction":
        return this.compaction(event);
      default:
        return undefined;
    }
  }

  async compaction(
    event: Extract<AgentEvent, { type: "compaction" }>,
    reason: "threshold" | "manual" = "threshold",
  ): Promise<void> {
    if (event.kind !== "summary" || event.phase === "start") return;
    const about = { reason, willRetry: false, fromExtension: false };
    if (event.phase === "failed")
      return this.#tell("session_compact_failed", { ...about, errorMessage: event.reason, aborted: false });
    const entry = this.#state.sessionView?.getBranch().findLast(({ type }) => type === "compaction");
    return this.#tell("session_compact", {
      ...about,
      compactionEntry: { ...entry, tokensBefore: event.tokens_before },
    });
  }

  /** Whether every result of the newest answer asks that the run ends. */
  get terminated(): boolean {
    const calls = this.#turn?.answer?.parts.filter((part) => part.type === "tool_call") ?? [];
    const results = this.#turn?.results.length ?? 0;
    return (
      calls.length > 0 && results >= calls.length && calls.every(({ id }) => this.#state.terminated.has(id))
    );
  }

  /** What is said last where {@link terminated} ends the run: by the model, else (`isNew`: no surface has it as an answer) by the tools. */
  get lastWords(): { readonly text: string; readonly isNew: boolean } {
    const said = textOf(this.#turn?.answer?.parts.filter((part) => part.type === "text") ?? []);
    if (said.trim() !== "") return { text: said, isNew: false };
    const results = this.#turn?.results.map(({ content }) => textOf(partsOf(content))) ?? [];
    return { text: results.filter((text) => text.trim() !== "").join("\n"), isNew: true };
  }

  async #delta(kind: "text_delta" | "thinking_delta", delta: string): Promise<void> {
    const turn = this.#turn;
    if (turn === null || !(this.#dispatcher.has("message_update") || this.#dispatcher.has("message_start")))
      return;
    const first = turn.text === "" && turn.thinking === "";
    if (kind === "text_delta") turn.text += delta;
    else turn.thinking += delta;
    const message = this.#partial(turn);
    if (first) await this.#tell("message_start", { message });
    await this.#tell("message_update", {
      message,
      assistantMessageEvent: { type: kind, contentIndex: 0, delta, partial: message },
    });
  }

  #partial({ text, thinking }: Turn) {
    const { provider, id, wire } = this.#state.ports!.models.current();
    const message: AssistantMessage = {
      role: "assistant",
      parts: [
        ...(thinking === "" ? [] : [{ type: "thinking" as const, text: thinking }]),
        ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ],
      source: { provider, model: id, wire },
      stop: "end",
      usage: noUsage(),
    };
    return assistantToPi(message, Date.now());
  }

  /** Drafts of entries that a handler wants at the end of a turn. */
  #keep(drafts: readonly unknown[]): void {
    for (const draft of drafts) {
      const { type, customType, data, content, display, details } = (draft ?? {}) as Record<string, unknown>;
      if (type === "custom")
        this.#state.ports?.session.note({ kind: "entry", custom: String(customType), data: asJson(data) });
      else if (type === "custom_message") {
        const made = {
          customType: String(customType),
          content: content as string,
          display: display === true,
          details,
        };
        store(this.#state, customMessage(made, "steer"));
      }
    }
  }

  #tell(type: string, fields: Record<string, unknown>): Promise<void> {
    return this.#dispatcher.dispatch({ type, ...fields }, { signal: this.#signal });
  }
}

/** The answer with other texts; its calls and its thinking stay, so that it can go back to its model. */
function withTexts(message: AssistantMessage, content: unknown): AssistantMessage {
  const texts = (Array.isArray(content) ? content : []).flatMap((part: unknown) => {
    const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
    return type === "text" && typeof text === "string" ? [text] : [];
  });
  let next = 0;
  const parts = message.parts.flatMap((part): AssistantPart[] => {
    if (part.type !== "text") return [part];
    const text = texts[next++];
    if (text === undefined) return [];
    return [text === part.text ? part : { type: "text", text }];
  });
  return { ...message, parts };
}
