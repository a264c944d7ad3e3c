/** The request for a summary: no tools, the transcript as text, the same retries, budget and callbacks as any other. */
import { isPiError } from "../../contract/errors.ts";
import type { AgentEvent } from "../../contract/events.ts";
import { addUsage, noUsage, textOf, type Usage } from "../../contract/messages.ts";
import type { ModelError, ModelRequest } from "../../contract/model.ts";
import { atLeast, RequestBudget } from "../budget.ts";
import { ModelCall, type Reply } from "../model-call.ts";
import { changedAnswer, changedRequest } from "../model-callbacks.ts";
import { decideRetry, tooLongToWait } from "../retry.ts";
import type { RunScope } from "../run-scope.ts";
import { wellFormed } from "../well-formed.ts";
import type { SummaryModel } from "./settings.ts";

export type SummaryEnd =
  | { kind: "text"; text: string }
  | { kind: "failed"; reason: string }
  | { kind: "aborted" };

/** One summary. `usage` tells at any time what it took so far. */
export class SummaryRequest {
  readonly #scope: RunScope;
  readonly #by: SummaryModel;
  readonly #system: string;
  readonly #tokensOf: (text: string) => number;
  usage: Usage = noUsage();

  constructor(
    scope: RunScope,
    { by, system, tokensOf }: { by: SummaryModel; system: string; tokensOf: (text: string) => number },
  ) {
    this.#scope = scope;
    this.#by = by;
    this.#system = system;
    this.#tokensOf = tokensOf;
  }

  /** Yields retries and what callbacks fail with. Never throws. */
  async *run(prompt: string, maxOutput: number, signal: AbortSignal): AsyncGenerator<AgentEvent, SummaryEnd> {
    const { callbacks } = this.#scope;
    const { retry, random, clock } = this.#scope.options;
    const first: ModelRequest = {
      model: this.#by.model,
      system: this.#system,
      tools: [],
      messages: [{ role: "user", origin: "user", parts: [{ type: "text", text: prompt.toWellFormed() }] }],
      thinking: "off",
      maxOutput,
    };
    for (let failures = 1; ; failures++) {
      const request = yield* changedRequest(callbacks, first, signal);
      if (signal.aborted) return { kind: "aborted" };
      const reply = yield* this.#ask(request, prompt, signal);
      if (reply.kind === "limit") return { kind: "failed", reason: reply.reason };
      if (reply.kind === "aborted") return reply;
      if (reply.kind === "message") return yield* this.#read(reply);
      const decision = decideRetry(reply.error, failures, retry.maxDelayMs, random);
      if (decision.kind !== "wait")
        return { kind: "failed", reason: told(reply.error, decision, clock.now()) };
      yield { type: "retry", attempt: failures, delay_ms: decision.delayMs, reason: reply.error.message };
      await clock.sleep(decision.delayMs, signal);
      if (signal.aborted) return { kind: "aborted" };
    }
  }

  async *#ask(
    request: ModelRequest,
    prompt: string,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, Reply | { kind: "limit"; reason: string }> {
    const { options } = this.#scope;
    const { client, model } = this.#by;
    const input = this.#tokensOf(this.#system) + this.#tokensOf(prompt);
    let budget: RequestBudget;
    try {
      budget = new RequestBudget(options.budget, input, model);
    } catch (thrown) {
      if (!isPiError(thrown)) throw thrown;
      return { kind: "limit", reason: thrown.message };
    }
    const call = new ModelCall(request, {
      client,
      clock: options.clock,
      idle: options.idle,
      onCall: () => undefined,
    });
    const estimate = () => {
      const output = this.#tokensOf(call.text);
      return { ...noUsage(), input, output, total: input + output };
    };
    let used: Usage | undefined;
    try {
      const events = call.run(signal);
      for (;;) {
        // Its deltas are nobody's answer: they are not shown.
        const step = await events.next();
        if (!step.done) continue;
        const reply = step.value;
        const counted = reply.kind === "message" ? reply.message.usage : reply.usage;
        if (counted) this.usage = addUsage(this.usage, this.#priced(counted));
        const answered = call.shown || reply.kind === "message";
        used = answered ? atLeast(counted ?? noUsage(), estimate()) : counted;
        return reply;
      }
    } finally {
      budget.settle(used ?? (call.shown ? estimate() : undefined));
    }
  }

  async *#read(reply: Extract<Reply, { kind: "message" }>): AsyncGenerator<AgentEvent, SummaryEnd> {
    const message = yield* changedAnswer(this.#scope.callbacks, wellFormed(reply.message));
    const text = textOf(message.parts).toWellFormed().trim();
    if (message.stop === "length")
      return { kind: "failed", reason: "the summary was cut at the output limit of the model" };
    if (message.stop === "filtered")
      return { kind: "failed", reason: "the service refused to summarise this conversation" };
    if (text === "") return { kind: "failed", reason: "the model gave an empty summary" };
    return { kind: "text", text };
  }

  #priced(usage: Usage): Usage {
    const cost = usage.cost_usd ?? this.#scope.options.priceOf?.(usage, this.#by.model);
    return cost === undefined ? usage : { ...usage, cost_usd: cost };
  }
}

function told(
  error: ModelError,
  decision: Exclude<ReturnType<typeof decideRetry>, { kind: "wait" }>,
  now: number,
): string {
  return decision.kind === "too_long" ? tooLongToWait(error, decision.askedMs, now).message : error.message;
}
