import { scopeKey } from "../memory/scope.ts";
import type { Clock } from "../ports/clock.ts";
import type { Scheduler } from "../ports/scheduler.ts";
import { errorName, within } from "../within.ts";
import { CaptureLog } from "./capture-log.ts";
import type { CaptureExplanation, CaptureReport } from "./capture-report.ts";
import type { CapturedEntry, CaptureSink } from "./captured-entry.ts";
import { type Arrival, arrivalId, type EntryParts, makeEntries } from "./make-entries.ts";
import type { AnswerInput, CaptureOutcome, ToolInput, TypedInput } from "./observation.ts";
import { RecentTexts } from "./recent-texts.ts";

export interface CaptureOptions extends EntryParts {
  readonly enabled: boolean;
  /** Most inputs that may wait. What a person typed is taken even then. */
  readonly maxPending: number;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly sink: CaptureSink;
  /** Told when something had to be dropped, with the number so far. */
  readonly onDropped?: (dropped: number) => void;
  /** Told once when entries lie nowhere but in memory, with their number and the store's error: they end with the process. */
  readonly onAtRisk?: (entries: number, error: string) => void;
  /** Told of entries that are on their way, for compression. */
  readonly onEntries?: (entries: readonly CapturedEntry[]) => void;
}

const FLUSH_SIZE = 50;
const FLUSH_MS = 250;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
const MOST_SEEN = 5_000;
const DISPOSE_MS = 2_000;

/**
 * Takes what a session says and does, screens it, and hands it to the store behind the work. Nothing here throws or makes a host
 * wait. The queue is bounded; the same input is taken once.
 */
export class CaptureCoordinator {
  readonly #options: CaptureOptions;
  readonly #log = new CaptureLog();
  readonly #recent = new RecentTexts();
  readonly #seen = new Set<string>();
  #arrivals: Arrival[] = [];
  #pending: CapturedEntry[] = [];
  /** Of those the ones that could not be kept beside the store. */
  readonly #unkept = new Set<CapturedEntry>();
  #toldAtRisk = false;
  #working: Promise<void> | undefined;
  #flushing: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #retryMs = FIRST_RETRY_MS;
  #blocked: string | undefined;
  #disposed = false;

  constructor(options: CaptureOptions) {
    this.#options = options;
  }

  /** A prompt. Only what a person typed is kept. */
  typed(input: TypedInput): CaptureOutcome {
    const arrival: Arrival = { weight: "typed", input, at: input.at ?? this.#options.clock.now() };
    if (input.source !== "interactive" && this.#options.enabled) {
      const { sessionId } = input.context;
      this.#log.exclude(sessionId, {
        id: input.messageId,
        kind: "prompt",
        outcome: "excluded",
        reason: "source",
      });
      return "excluded";
    }
    return this.#take(arrival);
  }

  /** The final answer of a turn, kept with an agent's authority. */
  answer(input: AnswerInput): CaptureOutcome {
    return this.#take({ weight: "answer", input, at: input.at ?? this.#options.clock.now() });
  }

  /** A finished tool call, kept as a note by rule. */
  tool(input: ToolInput): CaptureOutcome {
    return this.#take({ weight: "tool", input, at: input.at ?? this.#options.clock.now() });
  }

  report(): CaptureReport {
    return this.#log.report({
      enabled: this.#options.enabled,
      pending: this.#arrivals.length + this.#pending.length,
      waiting: this.#blocked === undefined ? 0 : this.#pending.length,
      ...(this.#blocked === undefined ? {} : { blocked: this.#blocked }),
    });
  }

  explain(sessionId: string): CaptureExplanation {
    const recent = this.#log.recent(sessionId);
    const waiting =
      this.#arrivals.some(({ input }) => input.context.sessionId === sessionId) ||
      this.#pending.some(({ memory }) => memory.provenance.sessionId === sessionId);
    const last = recent.at(-1)?.outcome;
    const settled =
      last === undefined ? "idle" : last === "excluded" || last === "nothing" ? "excluded" : "stored";
    return {
      sessionId,
      state: !this.#options.enabled
        ? "off"
        : waiting
          ? this.#blocked === undefined
            ? "pending"
            : "failed"
          : settled,
      report: this.report(),
      recent,
    };
  }

  /** Resolves when all that was taken so far is stored, or the store refused it. Flushes at once. */
  async idle(): Promise<void> {
    await this.#working;
    await this.#flush();
  }

  /** Takes nothing more and flushes within the deadline; gives how many entries are left to the outbox. */
  async dispose(deadlineMs = DISPOSE_MS): Promise<number> {
    this.#disposed = true;
    const { clock, scheduler } = this.#options;
    const limit = { milliseconds: deadlineMs, clock, scheduler, signal: undefined };
    await within(limit, () => this.idle());
    this.#cancelTimer?.();
    return this.#pending.length + this.#arrivals.length;
  }

  #take(arrival: Arrival): CaptureOutcome {
    if (!this.#options.enabled || this.#disposed) return "off";
    const id = arrivalId(arrival);
    if (this.#seen.has(id)) return "joined";
    this.#seen.add(id);
    const [oldest] = this.#seen;
    if (this.#seen.size > MOST_SEEN && oldest !== undefined) this.#seen.delete(oldest);
    this.#arrivals.push(arrival);
    this.#makeRoom();
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
    });
    return this.#arrivals.includes(arrival) ? "queued" : "dropped";
  }

  /** Drops the oldest tool notes, then the oldest answers; never what a person typed. */
  #makeRoom(): void {
    for (const weight of ["tool", "answer"] as const)
      while (this.#arrivals.length + this.#pending.length > this.#options.maxPending) {
        const stored = this.#pending.findIndex((entry) => entry.weight === weight);
        const arrived = this.#arrivals.findIndex((one) => one.weight === weight);
        if (stored >= 0) this.#options.sink.discard(this.#pending.splice(stored, 1));
        else if (arrived >= 0) this.#arrivals.splice(arrived, 1);
        else break;
        this.#log.dropped++;
        this.#options.onDropped?.(this.#log.dropped);
      }
  }

  async #work(): Promise<void> {
    // The host goes on first, to its next request; what arrives together is looked at together.
    await new Promise<void>((resolve) => this.#options.scheduler.soon(resolve));
    for (let arrival = this.#arrivals[0]; arrival !== undefined; arrival = this.#arrivals[0]) {
      const entries = await this.#entries(arrival);
      const place = this.#arrivals.indexOf(arrival);
      // It was dropped while it was screened.
      if (place < 0) continue;
      this.#arrivals.splice(place, 1);
      if (entries.length === 0) continue;
      if (this.#options.sink.keep(entries) > 0) for (const entry of entries) this.#unkept.add(entry);
      this.#pending.push(...entries);
      this.#options.onEntries?.(entries);
      this.#makeRoom();
      if (this.#pending.length >= FLUSH_SIZE) void this.#flush();
      else this.#schedule(FLUSH_MS);
    }
  }

  async #entries(arrival: Arrival): Promise<CapturedEntry[]> {
    const { sessionId } = arrival.input.context;
    const id = arrivalId(arrival).slice(sessionId.length + 1);
    const kind = arrival.weight === "typed" ? "prompt" : arrival.weight;
    try {
      const made = await makeEntries(this.#options, arrival);
      this.#log.redact(made.findings);
      if (made.reason !== undefined)
        this.#log.exclude(sessionId, { id, kind, outcome: "excluded", reason: made.reason });
      return made.entries.flatMap(({ sameAs, ...entry }) => {
        const group = `${entry.memory.kind}\n${scopeKey(entry.memory.scope)}`;
        if (this.#recent.meets(group, sameAs, entry.weight !== "typed")) {
          this.#log.joined++;
          this.#log.note(sessionId, { id, kind: entry.memory.kind, outcome: "joined", reason: "same" });
          return [];
        }
        this.#log.note(sessionId, { id, kind: entry.memory.kind, outcome: "queued", reason: "" });
        return [entry];
      });
    } catch (error) {
      // What cannot be screened is not kept.
      this.#log.exclude(sessionId, { id, kind, outcome: "excluded", reason: errorName(error) });
      return [];
    }
  }

  #schedule(milliseconds: number): void {
    if (this.#disposed || this.#cancelTimer !== undefined) return;
    this.#cancelTimer = this.#options.scheduler.after(milliseconds, () => {
      this.#cancelTimer = undefined;
      void this.#flush();
    });
  }

  #flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#flushing ??= this.#storeAll().finally(() => {
      this.#flushing = undefined;
    });
    return this.#flushing;
  }

  async #storeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.slice(0, FLUSH_SIZE);
      try {
        const { stored, joined } = await this.#options.sink.store(batch);
        this.#log.stored += stored;
        this.#log.joined += joined;
      } catch (error) {
        this.#blocked = errorName(error);
        this.#secure(this.#blocked);
        this.#schedule(this.#retryMs);
        this.#retryMs = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2);
        return;
      }
      const done = new Set(batch);
      for (const entry of batch) this.#unkept.delete(entry);
      this.#pending = this.#pending.filter((entry) => !done.has(entry));
      this.#blocked = undefined;
      this.#retryMs = FIRST_RETRY_MS;
    }
  }

  /** The store takes nothing now: what could not be kept either is tried once more, and told of. */
  #secure(error: string): void {
    const atRisk = this.#pending.filter((entry) => this.#unkept.has(entry));
    if (atRisk.length === 0) return;
    if (this.#options.sink.keep(atRisk) === 0) for (const entry of atRisk) this.#unkept.delete(entry);
    else if (!this.#toldAtRisk) {
      this.#toldAtRisk = true;
      this.#options.onAtRisk?.(atRisk.length, error);
    }
  }
}
