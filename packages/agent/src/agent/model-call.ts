/** One request to the model: its deltas as events, its end as data. */
import { errorMessage } from "../contract/errors.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { AssistantMessage, AssistantPart, Usage } from "../contract/messages.ts";
import { textOf } from "../contract/messages.ts";
import type { ModelClient, ModelError, ModelEvent, ModelRequest } from "../contract/model.ts";
import type { Clock } from "../contract/services.ts";
import { Interrupt, onAbort, waitUnlessAborted } from "./interrupt.ts";
import { type IdleLimits, Watchdog } from "./watchdog.ts";
import { WholeCharacters } from "./well-formed.ts";

/** How long an aborted stream may take to hand over what it has (its usage, finished blocks). */
const ABORT_GRACE_MS = 250;

/** How one request ended. `partial` holds no calls: a call of an unfinished answer never runs. */
export type Reply =
  | { kind: "message"; message: AssistantMessage; warnings: readonly string[] }
  | { kind: "failed"; error: ModelError; partial: AssistantPart[]; usage?: Usage }
  | { kind: "aborted"; partial: AssistantPart[]; usage?: Usage };

export interface ModelCallPorts {
  client: ModelClient;
  clock: Clock;
  idle: IdleLimits;
  /** A call's arguments have begun to arrive. */
  onCall(): void;
}

/** One request. The fields tell at any time what was shown, also when the reader leaves in the middle. */
export class ModelCall {
  readonly #request: ModelRequest;
  readonly #ports: ModelCallPorts;
  readonly #text = new WholeCharacters();
  readonly #thinking = new WholeCharacters();
  /** The text that was shown so far. */
  text = "";
  /** Whether anything at all was shown: from then on the request is never sent again. */
  shown = false;

  constructor(request: ModelRequest, ports: ModelCallPorts) {
    this.#request = request;
    this.#ports = ports;
  }

  /** Streams the answer. Never throws; leaving the iteration closes the request. */
  async *run(signal: AbortSignal): AsyncGenerator<AgentEvent, Reply> {
    const { client, clock, idle } = this.#ports;
    const request = new AbortController();
    const interrupt = new Interrupt<"aborted" | ModelError>();
    const stopListening = onAbort(signal, () => interrupt.fire("aborted"));
    const watchdog = new Watchdog(clock, idle, (silentMs) => interrupt.fire(stalled(silentMs)));
    let iterator: AsyncIterator<ModelEvent> | undefined;
    let finished = false;
    try {
      iterator = client.stream(this.#request, request.signal)[Symbol.asyncIterator]();
      for (;;) {
        watchdog.waiting();
        const next = iterator.next();
        const step = await interrupt.wait(next);
        if (step.kind === "interrupted") {
          request.abort();
          if (step.reason !== "aborted") return this.#failed(step.reason, []);
          return await this.#handOver(iterator, next);
        }
        if (step.kind === "thrown") return this.#failed(broken(errorMessage(step.error)), []);
        const event = step.value.value as ModelEvent | undefined;
        if (step.value.done || !event) {
          if (signal.aborted) return { kind: "aborted", partial: this.#kept([]) };
          return this.#failed(broken("the stream ended early"), []);
        }
        if (!("delta" in event) || event.delta !== "") watchdog.heard();
        if (event.type === "end" || event.type === "error") {
          yield* this.#flush();
          finished = true;
          return this.#reply(event, signal.aborted);
        }
        const shown = this.#show(event);
        if (shown) yield shown;
      }
    } catch (thrown) {
      // A client that throws instead of ending its stream breaks its contract; the run must end well all the same.
      return this.#failed({ ...broken(errorMessage(thrown)), retryable: false }, []);
    } finally {
      stopListening();
      watchdog.stop();
      if (!finished) request.abort();
      closeQuietly(iterator);
    }
  }

  #show(event: ModelEvent): AgentEvent | undefined {
    if (event.type === "call_delta") this.#ports.onCall();
    if (event.type !== "text_delta" && event.type !== "thinking_delta") return undefined;
    const delta = (event.type === "text_delta" ? this.#text : this.#thinking).push(event.delta);
    if (delta === "") return undefined;
    this.shown = true;
    if (event.type === "text_delta") this.text += delta;
    return { type: event.type, delta };
  }

  *#flush(): Generator<AgentEvent> {
    const thinking = this.#thinking.rest();
    if (thinking !== "") yield { type: "thinking_delta", delta: thinking };
    const text = this.#text.rest();
    if (text === "") return;
    this.text += text;
    yield { type: "text_delta", delta: text };
  }

  #reply(event: Extract<ModelEvent, { type: "end" | "error" }>, aborted: boolean): Reply {
    if (event.type === "end") {
      if (!aborted) return { kind: "message", message: event.message, warnings: event.warnings ?? [] };
      return { kind: "aborted", partial: this.#kept(event.message.parts), usage: event.message.usage };
    }
    const usage = event.usage === undefined ? {} : { usage: event.usage };
    if (aborted) return { kind: "aborted", partial: this.#kept(event.partial), ...usage };
    return { ...this.#failed(event.error, event.partial), ...usage };
  }

  /** After an abort the stream may still say what it had: waits a moment for that, shows nothing more. */
  async #handOver(
    iterator: AsyncIterator<ModelEvent>,
    pending: Promise<IteratorResult<ModelEvent>>,
  ): Promise<Reply> {
    const now = AbortSignal.abort();
    for (let next = pending; ; next = iterator.next()) {
      const step = await waitUnlessAborted(next, now, this.#ports.clock, ABORT_GRACE_MS);
      if (step.kind !== "value" || step.value.done) return { kind: "aborted", partial: this.#kept([]) };
      const event = step.value.value;
      if (event.type === "end" || event.type === "error") return this.#reply(event, true);
    }
  }

  #failed(error: ModelError, received: AssistantPart[]): Extract<Reply, { kind: "failed" }> {
    return { kind: "failed", error, partial: this.#kept(received) };
  }

  /** The parts worth keeping: the client's if they are what was shown, else the shown text; never a call. */
  #kept(received: readonly AssistantPart[]): AssistantPart[] {
    const parts = received.filter((part) => part.type !== "tool_call");
    if (parts.length > 0 && textOf(parts).toWellFormed() === this.text) return parts;
    return this.text === "" ? [] : [{ type: "text", text: this.text }];
  }
}

function stalled(silentMs: number): ModelError {
  return {
    code: "idle",
    message: `the model sent nothing for ${Math.round(silentMs / 1_000)} s`,
    hint: "Try again; slow models need a larger idle.firstByte or idle.between in the config.",
    retryable: true,
  };
}

function broken(message: string): ModelError {
  return { code: "network", message, retryable: true };
}

function closeQuietly(iterator: AsyncIterator<ModelEvent> | undefined): void {
  // Not awaited: a client that hangs must not hold the run. Its failure while closing has no reader.
  void iterator?.return?.().catch(() => undefined);
}
