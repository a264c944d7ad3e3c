/** One turn of the model: the request, made valid and paid for, repeated where that is safe, and its answer stored. */
import { isPiError, type PiError } from "../contract/errors.ts";
import type { AgentEvent } from "../contract/events.ts";
import {
  type AssistantMessage,
  type AssistantPart,
  addUsage,
  type ModelStop,
  noUsage,
  type Usage,
} from "../contract/messages.ts";
import type { ModelError, ModelRequest } from "../contract/model.ts";
import { loadValidator } from "./arguments/validate.ts";
import { atLeast, RequestBudget } from "./budget.ts";
import type { RunCompaction } from "./compaction/run-compaction.ts";
import { ModelCall, type Reply } from "./model-call.ts";
import { changedAnswer, changedRequest } from "./model-callbacks.ts";
import { decideRetry, tooLongToWait } from "./retry.ts";
import { priced, type RunScope, store } from "./run-scope.ts";
import { wellFormed } from "./well-formed.ts";

/** How a turn ended. What was received is stored by then; `usage` covers all its requests. */
export type TurnEnd =
  | { kind: "message"; message: AssistantMessage; usage: Usage }
  | { kind: "failed"; error: ModelError; text: string; resumable: boolean; usage: Usage }
  | { kind: "aborted"; text: string; usage: Usage }
  | { kind: "limit"; error: PiError; usage: Usage; requests: number };

/** Asks the model once, with retries. */
export class ModelTurn {
  readonly #scope: RunScope;
  readonly #signal: AbortSignal;
  readonly #compaction: RunCompaction;
  #usage = noUsage();
  #failures = 0;
  #requests = 0;
  #budget: RequestBudget | undefined;
  #call: ModelCall | undefined;

  /** `compaction` makes room when the request turns out to be too long. */
  constructor(scope: RunScope, signal: AbortSignal, compaction: RunCompaction) {
    this.#scope = scope;
    this.#signal = signal;
    this.#compaction = compaction;
  }

  /** Yields what is shown. Leaving the iteration keeps what was received and settles the budget. */
  async *run(): AsyncGenerator<AgentEvent, TurnEnd> {
    let ended = false;
    try {
      for (;;) {
        const end = yield* this.#attempt();
        if (!end) continue;
        ended = true;
        return end;
      }
    } finally {
      if (!ended) this.#abandon();
    }
  }

  /** One request. Undefined: another one follows. */
  async *#attempt(): AsyncGenerator<AgentEvent, TurnEnd | undefined> {
    if (this.#signal.aborted) return this.#aborted([]);
    const { options, meter } = this.#scope;
    const stored = options.conversation.messages();
    try {
      this.#budget = new RequestBudget(
        options.budget,
        () => meter.tokens(stored, options.conversation.outdated.before),
        options.model,
      );
    } catch (thrown) {
      if (!isPiError(thrown)) throw thrown;
      return { kind: "limit", error: thrown, usage: this.#usage, requests: this.#requests };
    }
    const request = yield* this.#request();
    if (this.#signal.aborted) {
      this.#budget.release();
      return this.#aborted([]);
    }
    const { client, clock, idle } = options;
    const call = new ModelCall(request, { client, clock, idle, onCall: warmUp });
    this.#call = call;
    this.#requests++;
    // Counted while the service works: nothing but the end of the answer needs it.
    setImmediate(() => meter.tokens(stored, options.conversation.outdated.before));
    const reply = yield* call.run(this.#signal);
    this.#count(reply, call);
    return yield* this.#after(reply, call);
  }

  async *#request(): AsyncGenerator<AgentEvent, ModelRequest> {
    const { options, history, toolbox, system, callbacks } = this.#scope;
    const { conversation } = options;
    const request: ModelRequest = {
      model: options.model,
      system,
      tools: toolbox.declarations,
      messages: history.messages(conversation.messages(), conversation.outdated),
      thinking: options.thinking,
      cacheKey: conversation.id,
      ...(options.maxOutput === undefined ? {} : { maxOutput: options.maxOutput }),
    };
    const changed = yield* changedRequest(callbacks, request, this.#signal);
    if (changed.messages === request.messages) return changed;
    return { ...changed, messages: history.ofOthers(changed.messages) };
  }

  /** Every request is counted once: with what the service said, or what is known of an answer that broke off. */
  #count(reply: Reply, call: ModelCall): void {
    const told = reply.kind === "message" ? reply.message.usage : reply.usage;
    if (told) this.#usage = addUsage(this.#usage, priced(this.#scope, told));
    const answered = call.shown || reply.kind === "message";
    this.#budget?.settle(answered ? atLeast(told ?? noUsage(), this.#guess(call, reply)) : told);
  }

  #guess(call: ModelCall, reply?: Reply): Usage {
    const { options, meter } = this.#scope;
    const { conversation } = options;
    const input = meter.tokens(conversation.messages(), conversation.outdated.before);
    const parts = reply?.kind === "message" ? reply.message.parts : [];
    const calls = parts.map((part) => (part.type === "tool_call" ? JSON.stringify(part.arguments) : ""));
    const output = meter.ofText(call.text + calls.join(""));
    return { ...noUsage(), input, output, total: input + output };
  }

  async *#after(reply: Reply, call: ModelCall): AsyncGenerator<AgentEvent, TurnEnd | undefined> {
    if (reply.kind === "aborted") return this.#aborted(reply.partial);
    if (reply.kind === "failed") return yield* this.#failed(reply, call);
    for (const text of reply.warnings) yield warning(text);
    const answer = { ...reply.message, usage: priced(this.#scope, reply.message.usage) };
    const { callbacks, calls, meter, options } = this.#scope;
    const message = calls.settle(wellFormed(yield* changedAnswer(callbacks, wellFormed(answer))));
    meter.learn(
      options.conversation.messages(),
      options.conversation.outdated.before,
      reply.message.usage,
      message,
    );
    store(this.#scope, message);
    return { kind: "message", message, usage: this.#usage };
  }

  async *#failed(
    { error, partial }: Extract<Reply, { kind: "failed" }>,
    call: ModelCall,
  ): AsyncGenerator<AgentEvent, TurnEnd | undefined> {
    if (call.shown) {
      this.#keep(partial, "error");
      return { kind: "failed", error, text: call.text, resumable: true, usage: this.#usage };
    }
    if (
      error.code === "overflow" &&
      (yield* this.#compaction.afterOverflow(error.contextWindow, this.#signal))
    )
      return undefined;
    this.#failures++;
    const { retry, random, clock } = this.#scope.options;
    const decision = decideRetry(error, this.#failures, retry.maxDelayMs, random);
    if (decision.kind !== "wait") {
      const told = decision.kind === "give_up" ? error : tooLongToWait(error, decision.askedMs, clock.now());
      return { kind: "failed", error: told, text: "", resumable: false, usage: this.#usage };
    }
    yield { type: "retry", attempt: this.#failures, delay_ms: decision.delayMs, reason: error.message };
    await clock.sleep(decision.delayMs, this.#signal);
    return undefined;
  }

  #aborted(partial: AssistantPart[]): TurnEnd {
    this.#keep(partial, "aborted");
    return { kind: "aborted", text: this.#call?.text ?? "", usage: this.#usage };
  }

  /** The reader has left in the middle of this turn. */
  #abandon(): void {
    const text = this.#call?.text ?? "";
    if (this.#call) this.#budget?.settle(this.#call.shown ? this.#guess(this.#call) : undefined);
    else this.#budget?.release();
    this.#keep(text === "" ? [] : [{ type: "text", text }], "aborted");
  }

  #keep(parts: AssistantPart[], stop: Extract<ModelStop, "aborted" | "error">): void {
    if (!parts.some((part) => part.type === "text" && part.text !== "")) return;
    store(this.#scope, {
      role: "assistant",
      parts,
      source: this.#scope.source,
      stop,
      usage: this.#usage,
      partial: true,
    });
  }
}

/** Loads the validator while the call's arguments still arrive; a failure shows when a call is validated. */
function warmUp(): void {
  loadValidator().catch(() => undefined);
}

function warning(message: string): AgentEvent {
  return { type: "notice", level: "warning", message };
}
