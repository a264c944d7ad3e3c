/** A run with extensions around it: what they make of the prompt, what they hear, and what they still want said before it ends. */
import type { AgentEvent } from "../../../contract/events.ts";
import { addUsage, noUsage, type UserMessage } from "../../../contract/messages.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { HostState } from "./host-state.ts";
import { store, takePending } from "./messages-out.ts";
import { admit, prepareAgent, type RunNotes } from "./prompt-events.ts";
import { RunEvents } from "./run-events.ts";

export type RunEnd = Extract<AgentEvent, { type: "message_end" }>;
type Inner = (input: UserMessage | null, signal: AbortSignal) => AsyncIterable<AgentEvent>;

/** How often extensions may make a run go on. */
const MOST_ROUNDS = 50;

export interface RunParts {
  readonly state: HostState;
  readonly dispatcher: Dispatcher;
  readonly notes: RunNotes;
  readonly inner: Inner;
}

/** The events of `inner` as one run, whatever extensions add to it: one `message_start`, one `message_end`. */
export async function* runAround(
  parts: RunParts,
  input: UserMessage | null,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void> {
  const { state, dispatcher, notes } = parts;
  const abort = new AbortController();
  const stop = () => abort.abort();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  const idle = Promise.withResolvers<void>();
  state.run = { abort, idle: idle.promise };
  state.starting.shift()?.resolve();
  const round = new Round(parts, abort.signal);
  try {
    const admitted = input === null ? null : await admit(state, dispatcher, input, undefined, abort.signal);
    if (admitted !== null && "handled" in admitted) {
      yield* round.handled(admitted.handled);
      return;
    }
    yield* round.all(admitted?.message ?? null);
  } finally {
    signal.removeEventListener("abort", stop);
    notes.events = null;
    state.answered = false;
    state.goOn = false;
    state.system = null;
    state.run = null;
    idle.resolve();
  }
}

class Round {
  readonly #state: HostState;
  readonly #dispatcher: Dispatcher;
  readonly #notes: RunNotes;
  readonly #inner: Inner;
  readonly #signal: AbortSignal;
  #started = false;
  #end: RunEnd | null = null;

  constructor({ state, dispatcher, notes, inner }: RunParts, signal: AbortSignal) {
    this.#state = state;
    this.#dispatcher = dispatcher;
    this.#notes = notes;
    this.#inner = inner;
    this.#signal = signal;
  }

  /** An extension has taken the prompt: there is nothing to be asked of a model. */
  *handled(by: string): Generator<AgentEvent> {
    yield startOf(this.#state);
    const text = `The extension "${by}" has taken it.`;
    // A person at the terminal sees what the extension does with it.
    if (this.#state.ports?.mode === "tui") yield endOf(text);
    else yield* saidOf(text);
  }

  async *all(first: UserMessage | null): AsyncGenerator<AgentEvent, void> {
    let input: UserMessage | null | undefined = first;
    for (let round = 1; input !== undefined; round++) {
      if (input === null) await this.#startsAnew();
      this.#notes.admitted = input !== null;
      yield* this.#once(input);
      const mayGoOn = !this.#signal.aborted && this.#end?.stop_reason === "end";
      input = mayGoOn ? await this.#next() : undefined;
      if (input === undefined) {
        // It is idle from here on: what handlers ask for now begins something new.
        await this.#settle();
        if (mayGoOn) input = await this.#next();
      }
      if (round < MOST_ROUNDS || input === undefined) continue;
      const message = `Extensions have made this run go on ${MOST_ROUNDS} times; it ends here.`;
      yield { type: "notice", level: "warning", message };
      break;
    }
    if (this.#end !== null) yield this.#end;
  }

  async #settle(): Promise<void> {
    this.#state.settling = true;
    await this.#dispatcher.dispatch({ type: "agent_settled", aborted: this.#signal.aborted });
    this.#state.settling = false;
  }

  /** A run that no prompt begins: `before_agent_start` is told of it all the same. */
  async #startsAnew(): Promise<void> {
    const message: UserMessage = { role: "user", origin: "continue", parts: [{ type: "text", text: "" }] };
    await prepareAgent(this.#state, this.#dispatcher, this.#notes, message, this.#signal);
    for (const each of this.#notes.behind.splice(0)) store(this.#state, each);
  }

  async *#once(input: UserMessage | null): AsyncGenerator<AgentEvent, void> {
    const events = new RunEvents(this.#state, this.#dispatcher, this.#signal);
    this.#notes.events = events;
    this.#state.answered = false;
    if (input === null) await events.begin();
    const begun = this.#end;
    let turns = 0;
    let usage = endOf("").usage;
    for await (const event of this.#inner(input, this.#signal)) {
      if (event.type === "message_start" && this.#started) continue;
      if (event.type === "message_start") this.#started = true;
      if (event.type === "message_end") {
        this.#end = begun === null ? event : joined(begun, event);
        continue;
      }
      if (event.type === "turn_end") {
        turns++;
        usage = addUsage(usage, event.usage);
      }
      await events.see(event);
      yield event;
      if (event.type === "tool_result" && events.terminated) {
        const { text, isNew } = events.lastWords;
        if (isNew && text !== "" && this.#state.ports?.mode !== "tui")
          yield { type: "text_delta", delta: text };
        const end = { ...endOf(text), turns, usage };
        this.#end = begun === null ? end : joined(begun, end);
        break;
      }
    }
    await events.endTurn();
    if (events.goOn) this.#state.goOn = true;
    this.#state.answered = true;
    await this.#dispatcher.dispatch(
      { type: "agent_end", messages: events.messages },
      { signal: this.#signal },
    );
  }

  /** What is to be said next: a message, null (the history as it is goes before the model), or undefined: nothing. */
  async #next(): Promise<UserMessage | null | undefined> {
    const waiting = takePending(this.#state, "steer", "followUp");
    const own = waiting.filter(({ note }) => note !== undefined);
    const [message, ...later] = waiting.filter(({ note }) => note === undefined);
    for (const each of own) store(this.#state, each);
    this.#state.pending.push(...later);
    const goOn = this.#state.goOn || own.length > 0;
    this.#state.goOn = false;
    if (message !== undefined) return message.message;
    return goOn ? null : undefined;
  }
}

/** The beginning of a run that asks no model. */
export function startOf({ ports }: HostState): AgentEvent {
  const { id, provider } = ports!.models.current();
  return { type: "message_start", agent: "pi", model: id, provider, role: "assistant", cwd: ports!.cwd };
}

/** The end of a run that asked no model. */
export function endOf(text: string): RunEnd {
  return { type: "message_end", stop_reason: "end", text, turns: 0, usage: noUsage(), duration_ms: 0 };
}

/** A text of ours in an answer's place, and the end: some surfaces show what comes, others what is there at the end. */
export function* saidOf(text: string): Generator<AgentEvent> {
  yield { type: "text_delta", delta: text };
  yield endOf(text);
}

/** The ends of two runs as one. */
export function joined(before: RunEnd, after: RunEnd): RunEnd {
  return {
    ...after,
    text: after.text === "" ? before.text : after.text,
    turns: before.turns + after.turns,
    usage: addUsage(before.usage, after.usage),
    duration_ms: before.duration_ms + after.duration_ms,
  };
}
