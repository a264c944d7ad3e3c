/** The seam of the loop: a prompt in, a stream of events out. */
import { PiError } from "../contract/errors.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { UserMessage } from "../contract/messages.ts";
import type { CompactionKind } from "../contract/session.ts";
import { CallRegister } from "./call-register.ts";
import type { BranchSummary, LeftBranch } from "./compaction/branch-summary.ts";
import { RunCompaction } from "./compaction/run-compaction.ts";
import { ContextMeter } from "./context-meter.ts";
import { Inbox, type QueuedInput, type WaitingInput } from "./inbox.ts";
import { onAbort } from "./interrupt.ts";
import { type RunnerOptions, sourceOf } from "./options.ts";
import { RepairedHistory } from "./repair/history.ts";
import { Run } from "./run.ts";
import { contextTokens, type RunScope } from "./run-scope.ts";
import { Toolbox } from "./toolbox.ts";

/** After an undo the next automatic compaction waits until the context has grown by this. */
const UNDONE_GROWTH = 1.05;

/** Drives one conversation. Everything that happens is stored as it happens and told as an event. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #inbox = new Inbox();
  #scope: RunScope | undefined;
  #running = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /**
   * Runs until a final answer; `null` goes on from the history as it is. One `message_start` … one `message_end`, whatever
   * happens; it throws only PiError `busy` when a run is in progress. Leaving the iteration aborts the run, and the
   * history is valid either way.
   */
  run(input: UserMessage | null, signal: AbortSignal): AsyncIterable<AgentEvent> {
    return this.#alone(signal, (stop) => {
      this.#options.beforeRun?.();
      const scope = this.#scopeNow();
      return new Run(scope, this.#inbox, stop).events(input);
    });
  }

  /**
   * Lets a summary stand for the older part of the conversation, now; `focus` is what it should keep above all. The events tell how
   * it goes: the last `compaction` event is its `end`, or `failed` with the reason, and then nothing has changed. Throws only PiError
   * `busy`.
   */
  compact(request: { focus?: string; signal: AbortSignal }): AsyncIterable<AgentEvent> {
    return this.#alone(request.signal, (stop) =>
      new RunCompaction(this.#scopeNow()).onDemand(request.focus, stop),
    );
  }

  /**
   * Asks for notes of a way of the conversation that a person leaves. `told` hears what came of it; nothing is stored: the message is
   * to be appended where the person goes on. The events are retries. Throws only PiError `busy`.
   */
  summariseBranch(
    left: LeftBranch,
    signal: AbortSignal,
    told: (summary: BranchSummary) => void,
  ): AsyncIterable<AgentEvent> {
    return this.#alone(signal, (stop) =>
      handing(new RunCompaction(this.#scopeNow()).ofBranch(left, stop), told),
    );
  }

  /**
   * Takes the newest compaction back: the messages that it stood for are seen again. Null when there is none. Throws PiError `busy`, or
   * a FileErrorCode when the log cannot be read.
   */
  undoCompaction(): { kind: CompactionKind; tokensBefore: number; tokensAfter: number } | null {
    if (this.#running) throw busy();
    const scope = this.#scopeNow();
    const tokensBefore = contextTokens(scope);
    const kind = scope.options.conversation.undoCompaction();
    if (kind === null) return null;
    const tokensAfter = contextTokens(scope);
    // Who took it back does not want it again with the next message.
    scope.memory.quietBelow = Math.floor(tokensAfter * UNDONE_GROWTH);
    scope.options.conversation.sync();
    return { kind, tokensBefore, tokensAfter };
  }

  /** Puts something before the model with its next request. */
  steer(input: string | QueuedInput): void {
    this.#inbox.add(input, "steer");
  }

  /** Asks this after the answer in progress. */
  followUp(input: string | QueuedInput): void {
    this.#inbox.add(input, "follow_up");
  }

  /** What was added and not yet used, in the order in which it will be. */
  queued(): readonly WaitingInput[] {
    return this.#inbox.waiting();
  }

  /** The same, removed from the queues (to give it back after an interrupt). */
  takeQueued(): WaitingInput[] {
    return this.#inbox.takeAll();
  }

  /** Tokens that the next request will take: the service's last count and an estimate of what came after it. */
  contextTokens(): number {
    return contextTokens(this.#scopeNow());
  }

  /** Events of something that no run may go on beside. Leaving the iteration aborts it. */
  #alone(
    signal: AbortSignal,
    start: (stop: AbortSignal) => AsyncGenerator<AgentEvent, void>,
  ): AsyncIterable<AgentEvent> {
    const stop = new AbortController();
    const events = this.#drive(signal, stop, start);
    const iterator: AsyncIterator<AgentEvent> = {
      next: () => events.next(),
      return: () => {
        stop.abort();
        return events.return(undefined);
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  async *#drive(
    signal: AbortSignal,
    stop: AbortController,
    start: (stop: AbortSignal) => AsyncGenerator<AgentEvent, void>,
  ): AsyncGenerator<AgentEvent, void> {
    if (this.#running) throw busy();
    this.#running = true;
    const unlink = onAbort(signal, () => stop.abort());
    try {
      yield* start(stop.signal);
    } finally {
      unlink();
      this.#running = false;
      this.#options.conversation.sync();
    }
  }

  /** The scope for the options as they are now; what it has learned is kept as long as they stay the same. */
  #scopeNow(): RunScope {
    const before = this.#scope;
    const options = { ...this.#options };
    const source = sourceOf(options);
    if (before && isSame(before.options, options)) return before;
    const { rules } = options.client;
    const sameTools = before?.options.tools === options.tools && before.options.client.rules === rules;
    const toolbox = sameTools ? before.toolbox : new Toolbox(options.tools, rules);
    const sameModel = before?.options.client === options.client && before.options.model === options.model;
    const sameConversation = before?.options.conversation === options.conversation;
    const system = options.system.toWellFormed();
    const repairRules = {
      ...rules,
      source,
      images: options.model.images,
      modelName: options.model.name,
      thinkingBound: rules.bindsThinking?.(options.model) ?? false,
    };
    this.#scope = {
      options,
      source,
      system,
      toolbox,
      callbacks: options.callbacks ?? [],
      memory: sameModel && sameConversation ? before.memory : { quietBelow: 0 },
      calls: sameConversation ? before.calls : new CallRegister(options.conversation, options.newId),
      history: sameModel ? before.history : new RepairedHistory(repairRules),
      meter:
        sameModel && before.toolbox === toolbox && before.system === system
          ? before.meter
          : new ContextMeter(options.model, system + toolbox.spelled),
    };
    return this.#scope;
  }
}

/** The events, with what they come to in the end handed to `told`. */
async function* handing<End>(
  events: AsyncGenerator<AgentEvent, End>,
  told: (end: End) => void,
): AsyncGenerator<AgentEvent, void> {
  told(yield* events);
}

function busy(): PiError {
  return new PiError({
    code: "busy",
    message: "this conversation is already running",
    hint: "Wait for its end, or interrupt it.",
  });
}

function isSame(a: Readonly<RunnerOptions>, b: RunnerOptions): boolean {
  return (Object.keys(b) as (keyof RunnerOptions)[]).every((key) => a[key] === b[key]);
}
