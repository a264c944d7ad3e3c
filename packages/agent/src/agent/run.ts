/** One run: from a prompt to a final answer, with as many turns as it takes. */
import { errorMessage, isPiError } from "../contract/errors.ts";
import type { AgentEvent, RunStop } from "../contract/events.ts";
import {
  type AssistantMessage,
  addUsage,
  noUsage,
  type ToolCallPart,
  textOf,
  type UserMessage,
} from "../contract/messages.ts";
import { RunCompaction } from "./compaction/run-compaction.ts";
import { type Inbox, messageOf } from "./inbox.ts";
import { LoopGuard, type Verdict } from "./loop-guard.ts";
import { ModelTurn, type TurnEnd } from "./model-turn.ts";
import { notStarted } from "./refusals.ts";
import { CONTINUE_NOTE } from "./repair/history.ts";
import { admitPrompt, wishToGoOn } from "./run-callbacks.ts";
import { type RunScope, store } from "./run-scope.ts";
import { ToolBatch } from "./tool-batch.ts";
import { asResult } from "./tool-result.ts";

/** Turns in a row that may be cut inside of a call before the run stops. */
const CUT_TURNS = 3;

export class Run {
  readonly #scope: RunScope;
  readonly #inbox: Inbox;
  readonly #signal: AbortSignal;
  readonly #guard = new LoopGuard();
  readonly #compaction: RunCompaction;
  readonly #startedAt: number;
  #turns = 0;
  #cutTurns = 0;
  #usage = noUsage();
  #text = "";

  constructor(scope: RunScope, inbox: Inbox, signal: AbortSignal) {
    this.#scope = scope;
    this.#inbox = inbox;
    this.#signal = signal;
    this.#compaction = new RunCompaction(scope);
    this.#startedAt = scope.options.clock.now();
  }

  /** The events from `message_start` to `message_end`; never throws. */
  async *events(input: UserMessage | null): AsyncGenerator<AgentEvent, void> {
    const { agentName, model, cwd, clock } = this.#scope.options;
    yield {
      type: "message_start",
      agent: agentName,
      model: model.id,
      provider: model.provider,
      role: "assistant",
      cwd,
    };
    let stop: RunStop;
    try {
      stop = (yield* this.#begin(input)) ?? (yield* this.#untilDone());
    } catch (thrown) {
      yield unexpected(thrown);
      stop = "error";
    }
    yield {
      type: "message_end",
      stop_reason: stop,
      text: this.#text,
      turns: this.#turns,
      usage: addUsage(this.#usage, this.#compaction.usage),
      duration_ms: clock.now() - this.#startedAt,
    };
  }

  /** Stores what was asked; the stop of a run that may not begin. */
  async *#begin(input: UserMessage | null): AsyncGenerator<AgentEvent, RunStop | undefined> {
    if (input) {
      const refused = yield* this.#say(input);
      if (refused === undefined) return undefined;
      const message = `the prompt was not sent: ${refused}`;
      yield { type: "error", code: "prompt_blocked", message, retryable: false };
      return "error";
    }
    if (this.#scope.options.conversation.messages().at(-1)?.role === "assistant")
      store(this.#scope, messageOf({ text: CONTINUE_NOTE }, "continue"));
    return undefined;
  }

  /** Stores a message and what the callbacks add to it; the reason when they block it. */
  async *#say(message: UserMessage): AsyncGenerator<AgentEvent, string | undefined> {
    const isPersons = message.origin === "user" || message.origin === "steering";
    const { block, context } = isPersons
      ? yield* admitPrompt(this.#scope, message, this.#signal)
      : { context: [] };
    if (block !== undefined) return block;
    store(this.#scope, message);
    for (const text of context) store(this.#scope, messageOf({ text }, "reminder"));
    return undefined;
  }

  /** Loops until an end that the callbacks accept. */
  async *#untilDone(): AsyncGenerator<AgentEvent, RunStop> {
    for (let wentOn = false; ; wentOn = true) {
      const stop = yield* this.#loop();
      const end = { stop, text: this.#text, turns: this.#turns, wentOn };
      const wish = yield* wishToGoOn(this.#scope, end, this.#signal);
      if (wish === undefined || stop !== "end" || this.#signal.aborted) return stop;
      if (wentOn) {
        yield notice("A callback asked to go on a second time; the run ends all the same.");
        return stop;
      }
      store(this.#scope, messageOf({ text: wish }, "reminder"));
    }
  }

  async *#loop(): AsyncGenerator<AgentEvent, RunStop> {
    const { maxTurns } = this.#scope.options;
    for (;;) {
      for (const input of this.#inbox.takeSteering()) {
        const refused = yield* this.#say(messageOf(input, "steering"));
        if (refused !== undefined) yield notSent(refused);
      }
      if (this.#signal.aborted) return "aborted";
      if (maxTurns !== undefined && this.#turns >= maxTurns) {
        yield notice(
          `Stopped after ${maxTurns} ${maxTurns === 1 ? "turn" : "turns"}, the limit of this run. Send a message to go on.`,
        );
        return "max_turns";
      }
      yield* this.#compaction.beforeRequest(this.#signal);
      const end = yield* new ModelTurn(this.#scope, this.#signal, this.#compaction).run();
      yield* this.#count(end);
      if (end.kind !== "message") return yield* this.#broken(end);
      const stop = yield* this.#answered(end.message);
      if (stop) return stop;
    }
  }

  *#count(end: TurnEnd): Generator<AgentEvent> {
    this.#usage = addUsage(this.#usage, end.usage);
    if (end.kind === "limit" && end.requests === 0) return;
    this.#turns++;
    const reason = end.kind === "message" ? end.message.stop : end.kind === "failed" ? "error" : end.kind;
    yield { type: "turn_end", turn: this.#turns, usage: end.usage, stop_reason: reason };
  }

  *#broken(end: Exclude<TurnEnd, { kind: "message" }>): Generator<AgentEvent, RunStop> {
    if (end.kind === "limit") {
      yield unexpected(end.error);
      return "limit";
    }
    this.#text = end.text;
    if (end.kind === "aborted") return "aborted";
    const { code, message } = end.error;
    const resume =
      end.text === ""
        ? 'Say "continue" to try again.'
        : 'What was received is kept: say "continue" to go on from there.';
    const hint = end.resumable
      ? resume
      : (end.error.hint ?? (code === "overflow" ? OVERFLOW_HINT : undefined));
    const retryable = end.resumable || end.error.retryable;
    yield { type: "error", code, message, ...(hint === undefined ? {} : { hint }), retryable };
    return "error";
  }

  /** What follows from a whole answer; undefined: another turn. */
  async *#answered(message: AssistantMessage): AsyncGenerator<AgentEvent, RunStop | undefined> {
    this.#compaction.answered();
    this.#text = textOf(message.parts).toWellFormed();
    const calls = message.parts.filter((part): part is ToolCallPart => part.type === "tool_call");
    if (message.stop === "filtered") {
      for (const call of calls) store(this.#scope, { role: "tool", parts: [asResult(call, notStarted())] });
      yield {
        type: "error",
        code: "filtered",
        message: "the service refused to go on with this answer",
        hint: "Put the request in other words, or choose another model.",
        retryable: false,
      };
      return "error";
    }
    if (calls.length > 0) return yield* this.#work(message, calls);
    if (message.stop === "length") {
      yield notice('The answer was cut at the output limit. Say "continue" for the rest.');
      return "length";
    }
    if (this.#inbox.hasSteering) return undefined;
    for (let next = this.#inbox.nextFollowUp(); next !== undefined; next = this.#inbox.nextFollowUp()) {
      const refused = yield* this.#say(messageOf(next, "user"));
      if (refused === undefined) return undefined;
      yield notSent(refused);
    }
    return "end";
  }

  async *#work(
    message: AssistantMessage,
    calls: readonly ToolCallPart[],
  ): AsyncGenerator<AgentEvent, RunStop | undefined> {
    const { options, toolbox, callbacks } = this.#scope;
    let verdict: Verdict = {};
    const batch = new ToolBatch(
      calls,
      {
        toolbox,
        callbacks,
        clock: options.clock,
        context: (id, signal, progress) => options.toolContext(id, signal, progress),
        store: (result) => store(this.#scope, { role: "tool", parts: [result] }),
        review: (finished) => {
          verdict = this.#guard.review(finished);
          return verdict.warning;
        },
      },
      this.#signal,
    );
    yield* batch.run();
    if (this.#signal.aborted) return "aborted";
    if (verdict.stop !== undefined) {
      const hint = 'Say how to go on, for example "try another way".';
      yield { type: "error", code: "loop_detected", message: verdict.stop, hint, retryable: false };
      return "limit";
    }
    const cut = message.stop === "length" && calls.some((call) => call.problem?.kind === "cut");
    this.#cutTurns = cut ? this.#cutTurns + 1 : 0;
    if (this.#cutTurns < CUT_TURNS) return undefined;
    yield {
      type: "error",
      code: "output_limit",
      message: `${CUT_TURNS} answers in a row were cut by the output limit in the middle of a tool call; none of these calls was run`,
      hint: "Ask for the work in smaller pieces, or choose a model with a larger output limit.",
      retryable: false,
    };
    return "length";
  }
}

const OVERFLOW_HINT =
  "The conversation no longer fits the model's context: compact it, or start a new session.";

function notice(message: string): AgentEvent {
  return { type: "notice", level: "warning", message };
}

function notSent(reason: string): AgentEvent {
  return notice(`A message was not sent: ${reason}`);
}

function unexpected(thrown: unknown): AgentEvent {
  if (!isPiError(thrown))
    return { type: "error", code: "internal", message: errorMessage(thrown), retryable: false };
  const hint = thrown.hint === undefined ? {} : { hint: thrown.hint };
  return { type: "error", code: thrown.code, message: thrown.message, ...hint, retryable: false };
}
