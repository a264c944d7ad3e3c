/** The seam of the loop: a prompt in, a stream of events out. */
import { PiError } from "../contract/errors.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { UserMessage } from "../contract/messages.ts";
import { CallRegister } from "./call-register.ts";
import { ContextMeter } from "./context-meter.ts";
import { Inbox } from "./inbox.ts";
import { onAbort } from "./interrupt.ts";
import { type RunnerOptions, sourceOf } from "./options.ts";
import { RepairedHistory } from "./repair/history.ts";
import { Run } from "./run.ts";
import type { RunScope } from "./run-scope.ts";
import { Toolbox } from "./toolbox.ts";

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
    const stop = new AbortController();
    const events = this.#drive(input, signal, stop);
    const iterator: AsyncIterator<AgentEvent> = {
      next: () => events.next(),
      return: () => {
        stop.abort();
        return events.return(undefined);
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  /** Puts a text before the model with its next request. */
  steer(text: string): void {
    this.#inbox.steer(text);
  }

  /** Asks this after the answer in progress. */
  followUp(text: string): void {
    this.#inbox.followUp(text);
  }

  /** Texts that were added and not yet used, removed from their queues (to give them back after an interrupt). */
  takeQueued(): string[] {
    return this.#inbox.takeAll();
  }

  /** Tokens that the next request will take: the service's last count and an estimate of what came after it. */
  contextTokens(): number {
    return this.#scopeNow().meter.tokens(this.#options.conversation.messages());
  }

  async *#drive(
    input: UserMessage | null,
    signal: AbortSignal,
    stop: AbortController,
  ): AsyncGenerator<AgentEvent, void> {
    if (this.#running)
      throw new PiError({
        code: "busy",
        message: "this conversation is already running",
        hint: "Wait for its end, or interrupt it.",
      });
    this.#running = true;
    const unlink = onAbort(signal, () => stop.abort());
    try {
      yield* new Run(this.#scopeNow(), this.#inbox, stop.signal).events(input);
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
      calls: sameConversation ? before.calls : new CallRegister(options.conversation, options.newId),
      history: sameModel ? before.history : new RepairedHistory(repairRules),
      meter:
        sameModel && before.toolbox === toolbox && before.system === system
          ? before.meter
          : new ContextMeter(options.model, system + JSON.stringify(toolbox.declarations)),
    };
    return this.#scope;
  }
}

function isSame(a: Readonly<RunnerOptions>, b: RunnerOptions): boolean {
  return (Object.keys(b) as (keyof RunnerOptions)[]).every((key) => a[key] === b[key]);
}
