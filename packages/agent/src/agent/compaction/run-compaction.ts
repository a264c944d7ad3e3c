/** Compaction around the requests of a run: when it is due, and in which stages. */
import type { AgentEvent } from "../../contract/events.ts";
import { addUsage, noUsage, type Usage } from "../../contract/messages.ts";
import { contextTokens, type RunScope } from "../run-scope.ts";
import type { BranchSummary, LeftBranch } from "./branch-summary.ts";
import { type CompactionLimits, limitsFor } from "./limits.ts";

const DEFAULTS = { enabled: false, threshold: 0.85 };
/** After a compaction in vain the next one waits until this part of the window has come to it. */
const QUIET_SHARE = 0.05;
/** A window is believed to be smaller than told only if what did not fit was at least this part of it. */
const BELIEVED_SHARE = 0.5;
const LEAST_WINDOW = 2_000;

/** One run's compactions. */
export class RunCompaction {
  readonly #scope: RunScope;
  /** What requests for summaries took. */
  usage: Usage = noUsage();
  #passed = false;
  #recovered = false;

  constructor(scope: RunScope) {
    this.#scope = scope;
  }

  /** The model has answered: from here on another automatic compaction may come. */
  answered(): void {
    this.#passed = false;
    this.#recovered = false;
  }

  /** Before a request: the two stages, if the context is full. At most once between two answers. */
  async *beforeRequest(signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
    const { options, memory, meter } = this.#scope;
    if (options.compaction?.enabled !== true || this.#passed) return;
    const limits = this.#limits();
    const most = Math.max(limits.trigger, memory.quietBelow);
    const { conversation } = options;
    if (!meter.exceeds(most, conversation.messages(), conversation.outdated.before)) return;
    this.#passed = true;
    const { shedSuperseded } = await this.#stages();
    yield* shedSuperseded(this.#scope, limits);
    let failed: string | undefined;
    if (contextTokens(this.#scope) > limits.target)
      failed = yield* this.#summarise(limits, undefined, signal);
    if (signal.aborted) return;
    const after = contextTokens(this.#scope);
    const full = after > limits.trigger;
    memory.quietBelow = full ? after + Math.floor(limits.window * QUIET_SHARE) : 0;
    if (!full) return;
    const why = failed ?? "what is left cannot be summarised";
    yield {
      type: "notice",
      level: "warning",
      message: `The conversation takes about ${after} of ${limits.window} tokens, and compaction could not change that: ${why}. It goes on as it is.`,
    };
  }

  /**
   * A request was refused as too long; `told`: the tokens that fit, if the service named them. True: there is more room now, and it is
   * worth asking again. Once between two answers.
   */
  async *afterOverflow(told: number | undefined, signal: AbortSignal): AsyncGenerator<AgentEvent, boolean> {
    if (this.#recovered) return false;
    this.#recovered = true;
    const { shedLongest } = await this.#stages();
    this.#learnWindow(told);
    const limits = this.#limits();
    const { changed, enough } = yield* shedLongest(this.#scope, limits);
    if (enough || this.#passed || this.#scope.options.compaction?.enabled !== true) return changed;
    this.#passed = true;
    const failed = yield* this.#summarise(limits, undefined, signal);
    return failed === undefined || changed;
  }

  /** The summary that a person asked for; `focus` is what it should keep above all. */
  async *onDemand(focus: string | undefined, signal: AbortSignal): AsyncGenerator<AgentEvent, void> {
    const { options, meter, memory } = this.#scope;
    const limits = this.#limits();
    // Who asks before the window is full wants less than a full tail.
    const body = options.conversation.messages().reduce((sum, message) => sum + meter.ofMessage(message), 0);
    const tail = Math.min(limits.tail, Math.floor(body / 4));
    const failed = yield* this.#summarise({ ...limits, tail }, focus, signal);
    if (failed === undefined) memory.quietBelow = 0;
  }

  /** Notes of a way that a person leaves; the conversation stays as it is. */
  async *ofBranch(left: LeftBranch, signal: AbortSignal): AsyncGenerator<AgentEvent, BranchSummary> {
    const { summariseBranch } = await import("./branch-summary.ts");
    return yield* summariseBranch(this.#scope, this.#limits(), left, signal);
  }

  /** Gives the reason why nothing changed, or undefined. */
  async *#summarise(
    limits: CompactionLimits,
    focus: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, string | undefined> {
    const { summarise } = await this.#stages();
    const { failed, usage } = yield* summarise(this.#scope, limits, focus, signal);
    if (usage.total > 0) this.usage = addUsage(this.usage, usage);
    return failed;
  }

  /** From here on histories are compared by estimates that begin where the service's count is. */
  #stages(): Promise<typeof import("./stages.ts")> {
    const { meter, options } = this.#scope;
    meter.settle(options.conversation.messages(), options.conversation.outdated.before);
    return import("./stages.ts");
  }

  #limits(): CompactionLimits {
    const { options, memory } = this.#scope;
    const window = Math.min(options.model.contextWindow, memory.window ?? Number.POSITIVE_INFINITY);
    return limitsFor(window, options.compaction ?? DEFAULTS, options.maxOutput ?? options.model.maxOutput);
  }

  /** What was refused as too long tells of a window smaller than told (a local server with a small context, say). */
  #learnWindow(told: number | undefined): void {
    const { options, memory } = this.#scope;
    const { known, contextWindow } = options.model;
    const tokens = contextTokens(this.#scope);
    const least = known ? contextWindow * BELIEVED_SHARE : 0;
    const learned = [
      ...(told !== undefined && told >= LEAST_WINDOW ? [told] : []),
      ...(tokens >= Math.max(LEAST_WINDOW, least) ? [tokens] : []),
    ];
    if (learned.length > 0) memory.window = Math.min(memory.window ?? contextWindow, ...learned);
  }
}
