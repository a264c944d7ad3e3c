/** The calls of one answer: which run together, which wait, and one result for each, whatever happens. */
import type { Callbacks } from "../contract/callbacks.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { ToolCallPart, ToolResultPart } from "../contract/messages.ts";
import type { Clock } from "../contract/services.ts";
import type { ToolContext, ToolOutcome } from "../contract/tool.ts";
import { EventChannel } from "./channel.ts";
import { waitUnlessAborted } from "./interrupt.ts";
import { interrupted, notStarted } from "./refusals.ts";
import { type PreparedCall, prepareCall, runCall } from "./tool-call.ts";
import { asResult } from "./tool-result.ts";
import type { Toolbox } from "./toolbox.ts";
import { wellFormed } from "./well-formed.ts";

/** How long a running tool may take to wind up after an abort, before the run goes on without its result. */
const ABORT_GRACE_MS = 1_000;
/** Of the live output of a call that gives no result after an abort (a program that ignores signals), so many characters are kept. */
const KEPT_OUTPUT = 4_000;

export interface BatchPorts {
  toolbox: Toolbox;
  callbacks: readonly Callbacks[];
  clock: Clock;
  context(callId: string, signal: AbortSignal, progress: (delta: string) => void): ToolContext;
  /** Stores a result; called once for each call, as each one finishes. */
  store(result: ToolResultPart): void;
  /** Sees all results of the batch before the last one is stored; the text it gives is added to that one. */
  review(results: readonly FinishedCall[]): string | undefined;
}

/** A call with what came out of it, before any note of the loop was added. */
export interface FinishedCall {
  call: ToolCallPart;
  outcome: ToolOutcome;
  /** Whether the tool itself was started. */
  ran: boolean;
}

/** Runs one answer's calls. `serial` tools run alone; calls with one lock key run in call order; all others at once. */
export class ToolBatch {
  readonly #calls: readonly ToolCallPart[];
  readonly #ports: BatchPorts;
  readonly #signal: AbortSignal;
  readonly #channel = new EventChannel();
  readonly #finished = new Map<ToolCallPart, FinishedCall>();
  /** The end of the queue of each lock key. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(calls: readonly ToolCallPart[], ports: BatchPorts, signal: AbortSignal) {
    this.#calls = calls;
    this.#ports = ports;
    this.#signal = signal;
  }

  /** The batch's events. However the iteration ends, each call has exactly one stored result afterwards. */
  async *run(): AsyncGenerator<AgentEvent, void> {
    let failure: { thrown: unknown } | undefined;
    // Its failure is kept until it can be thrown here: the reader may be slow, and nobody else listens.
    const work = this.#runAll().then(undefined, (thrown: unknown) => {
      failure = { thrown };
    });
    void work.finally(() => this.#channel.close());
    try {
      yield* this.#channel;
    } finally {
      // The reader may have left in the middle (the run is aborted then): results still have to be complete.
      await work;
    }
    if (failure) throw failure.thrown;
  }

  async #runAll(): Promise<void> {
    for (const group of this.#groups()) {
      const prepared = group.map((call) => this.#prepare(call));
      const running: Promise<void>[] = [];
      for (const [i, call] of group.entries()) {
        // One after the other, so that calls are announced and queued for their locks in call order.
        const ready = await prepared[i]!;
        running.push(this.#start(call, ready));
      }
      await Promise.all(running);
    }
  }

  /** Splits at serial tools: each is a group of its own, after all before it and before all after it. */
  #groups(): ToolCallPart[][] {
    const groups: ToolCallPart[][] = [];
    let open: ToolCallPart[] | undefined;
    for (const call of this.#calls) {
      const serial = !call.problem && this.#ports.toolbox.find(call.name)?.serial === true;
      if (serial || !open) {
        open = [];
        groups.push(open);
      }
      open.push(call);
      if (serial) open = undefined;
    }
    return groups;
  }

  async #prepare(call: ToolCallPart): Promise<PreparedCall> {
    const { toolbox, callbacks, clock } = this.#ports;
    const stopped = (): PreparedCall => ({
      ready: false,
      name: call.name.trim(),
      input: call.problem ? {} : call.arguments,
      outcome: notStarted(),
    });
    if (this.#signal.aborted) return stopped();
    // A callback may wait for a person; an abort ends that wait at once.
    const preparing = prepareCall(call, toolbox, callbacks, this.#signal);
    const waited = await waitUnlessAborted(preparing, this.#signal, clock, 0);
    return waited.kind === "value" && !this.#signal.aborted ? waited.value : stopped();
  }

  async #start(call: ToolCallPart, prepared: PreparedCall): Promise<void> {
    const neverShown = this.#signal.aborted;
    if (!neverShown)
      this.#channel.push({
        type: "tool_call",
        id: call.id,
        tool_name: prepared.name,
        tool_input: prepared.input,
      });
    if (!prepared.ready) return this.#finish(call, prepared, prepared.outcome, 0, false, !neverShown);
    const { clock } = this.#ports;
    let live = true;
    let output = "";
    const keepsOutput = prepared.tool.kind === "run";
    const context = this.#context(call, (delta) => {
      if (live && keepsOutput) output = (output + delta).slice(-KEPT_OUTPUT);
      if (live && delta !== "") this.#channel.push({ type: "tool_progress", id: call.id, delta });
    });
    if ("failure" in context) return this.#finish(call, prepared, context.failure, 0, false, !neverShown);
    let startedAt: number | undefined;
    const work = async (): Promise<ToolOutcome> => {
      if (this.#signal.aborted) return notStarted();
      startedAt = clock.now();
      return await runCall(call.id, prepared, context.doors, this.#ports.callbacks);
    };
    const running = this.#queued(lockKey(prepared, context.doors), work);
    const waited = await waitUnlessAborted(running, this.#signal, clock, ABORT_GRACE_MS);
    live = false;
    const ran = startedAt !== undefined;
    const outcome = waited.kind === "value" ? waited.value : ran ? interrupted(output) : notStarted();
    this.#finish(
      call,
      prepared,
      outcome,
      startedAt === undefined ? 0 : clock.now() - startedAt,
      ran,
      !neverShown,
    );
  }

  #context(
    call: ToolCallPart,
    progress: (delta: string) => void,
  ): { doors: ToolContext } | { failure: ToolOutcome } {
    try {
      return { doors: this.#ports.context(call.id, this.#signal, progress) };
    } catch (thrown) {
      return { failure: { ...notStarted(), text: `The call was not run: ${String(thrown)}` } };
    }
  }

  #queued(key: string | undefined, work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
    if (key === undefined) return work();
    const before = this.#queues.get(key) ?? Promise.resolve();
    const done = before.then(work, work);
    this.#queues.set(key, done);
    return done;
  }

  #finish(
    call: ToolCallPart,
    prepared: PreparedCall,
    outcome: ToolOutcome,
    durationMs: number,
    ran: boolean,
    shown: boolean,
  ): void {
    this.#finished.set(call, { call, outcome, ran });
    const { review, store } = this.#ports;
    const last = this.#finished.size === this.#calls.length;
    const remark = last ? review(this.#calls.map((each) => this.#finished.get(each)!)) : undefined;
    const result = wellFormed(asResult(call, outcome, remark));
    store(result);
    if (!shown) return;
    const content = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    this.#channel.push({
      type: "tool_result",
      id: call.id,
      tool_name: prepared.name,
      content,
      is_error: result.isError,
      details: result.details ?? {},
      duration_ms: durationMs,
    });
  }
}

function lockKey(prepared: Extract<PreparedCall, { ready: true }>, context: ToolContext): string | undefined {
  try {
    return prepared.tool.lockKey?.(prepared.input, context);
  } catch {
    // An input that has no key fails in the tool itself, with a better message.
    return undefined;
  }
}
