import { type CaptureExplanation, NO_CAPTURE } from "../core/capture/capture-report.ts";
import type { SessionDigest } from "../core/capture/compression/session-digest.ts";
import type { AnswerInput, ToolInput, TypedInput } from "../core/capture/observation.ts";
import type { MemoryAnswer, MemoryInjection } from "../core/orchestrator/answers.ts";
import { DEFAULT_LIMITS } from "../core/orchestrator/limits.ts";
import type { MemoryContext } from "../core/orchestrator/memory-context.ts";
import type { MemoryStatus } from "../core/orchestrator/memory-status.ts";
import type { MemoryOrchestrator } from "../core/orchestrator/orchestrator.ts";
import { presentSummary } from "../core/orchestrator/present-records.ts";
import type { RecallTrace } from "../core/trace/recall-trace.ts";
import { within } from "../core/within.ts";
import type { LookOptions, MemorySession, SessionOptions } from "./memory.ts";
import type { MemoryParts } from "./memory-options.ts";
import type { Prepared } from "./prepared.ts";
import { capturingContext, readingContext } from "./project-context.ts";
import { digestOf } from "./session-digests.ts";
import { storeSummary } from "./store-summary.ts";

/** What a session needs of its memory. */
export interface SessionHost {
  readonly parts: MemoryParts;
  /** What is put together, as soon as it is. */
  readonly current: Prepared | undefined;
  prepared(): Promise<Prepared>;
  /** Resolves when what earlier processes left is stored, or had its time; `first`: what of it the next prompt may need. Never rejects. */
  caughtUp(what: "first" | "all"): Promise<void>;
  /** There is no store at all, so that nothing else need be found out to know that nothing is remembered. */
  hasNothing(): Promise<boolean>;
  /** Work behind the scenes that closing waits for. */
  track(work: Promise<unknown>): void;
  /** The session is over; its object is not handed out again. */
  release(sessionId: string): void;
  /** Inputs on their way to the queue: closing takes them in first. */
  intake(work: Promise<unknown>): void;
}

interface Signalled {
  readonly signal?: AbortSignal;
}

/** One session that is asked and fed; see {@link MemorySession}. */
export class RuntimeSession implements MemorySession {
  readonly #host: SessionHost;
  readonly #options: SessionOptions;
  #prepared: Prepared | undefined;
  #ready: Promise<Prepared> | undefined;
  #ended = false;

  constructor(host: SessionHost, options: SessionOptions) {
    this.#host = host;
    // A session without an id would share its memories with every other one.
    this.#options = options.id === "" ? { ...options, id: host.parts.newId() } : options;
  }

  get id(): string {
    return this.#options.id;
  }

  context(): Promise<MemoryContext> {
    return this.#context("all");
  }

  /** `known`: what of earlier processes' leavings has to be stored by then. */
  async #context(known: "first" | "all"): Promise<MemoryContext> {
    const { door, keys, identity } = await this.#host.prepared();
    await this.#host.caughtUp(known);
    try {
      const opened = await door.read();
      const key = opened === undefined ? undefined : await keys.keyOf(identity, opened.state);
      return readingContext(this.#options, key);
    } catch {
      // Without the project's name only what holds everywhere is read.
      return readingContext(this.#options, undefined);
    }
  }

  sessionStart(options: Signalled = {}): Promise<MemoryInjection> {
    return this.#inject("start", DEFAULT_LIMITS.startDeadlineMs, options.signal, (prepared, context) =>
      prepared.orchestrator.sessionStart(context, options),
    );
  }

  processPrompt(
    prompt: string,
    options: { readonly turnId: string; readonly signal?: AbortSignal },
  ): Promise<MemoryInjection> {
    return this.#inject("prompt", DEFAULT_LIMITS.promptDeadlineMs, options.signal, (prepared, context) =>
      prepared.orchestrator.processPrompt(prompt, context, options),
    );
  }

  search(query: string, options: LookOptions = {}): Promise<MemoryAnswer> {
    return this.#look((orchestrator, context) => orchestrator.search(query, context, options));
  }

  history(query: string, options: LookOptions = {}): Promise<MemoryAnswer> {
    return this.#look((orchestrator, context) => orchestrator.history(query, context, options));
  }

  timeline(
    anchor: string,
    options: { readonly before?: number; readonly after?: number } & Signalled = {},
  ): Promise<MemoryAnswer> {
    return this.#look((orchestrator, context) => orchestrator.timeline(anchor, context, options));
  }

  get(ids: readonly string[], options: Signalled = {}): Promise<MemoryAnswer> {
    return this.#look((orchestrator, context) => orchestrator.get(ids, context, options));
  }

  status(options: Signalled = {}): Promise<MemoryStatus> {
    return this.#ask((orchestrator, context) => orchestrator.status(context, options), {
      providers: [],
      moreProviders: 0,
      limits: DEFAULT_LIMITS,
      lastTrace: undefined,
      capture: undefined,
    });
  }

  async holdsAnything(): Promise<boolean> {
    try {
      const { config, door } = await this.#host.prepared();
      if (config.settings.providers.length > 0) return true;
      const { scopes } = await this.#context("first");
      const store = await door.read();
      for (const scope of store === undefined ? [] : scopes)
        if ((await store!.memories.list({ scope, states: ["active"] }, 1)).length > 0) return true;
      return false;
    } catch {
      return false;
    }
  }

  explain(): Promise<RecallTrace | undefined> {
    return this.#ask((orchestrator) => orchestrator.explain(this.id), undefined);
  }

  explainPreviousTurn(): Promise<RecallTrace | undefined> {
    return this.#ask((orchestrator) => orchestrator.explainPreviousTurn(this.id), undefined);
  }

  explainCapture(): CaptureExplanation {
    return this.#host.current?.coordinator.explain(this.id) ?? idleExplanation(this.id);
  }

  compactionContext(options: Signalled = {}): Promise<string> {
    return this.#ask((orchestrator, context) => orchestrator.compactionContext(context, options.signal), "");
  }

  typed(input: Omit<TypedInput, "context">): void {
    this.#capture(({ coordinator }, context) => coordinator.typed({ ...input, context }));
  }

  answer(input: Omit<AnswerInput, "context">): void {
    this.#capture(({ coordinator }, context) => coordinator.answer({ ...input, context }));
  }

  tool(input: Omit<ToolInput, "context">): void {
    this.#capture(({ coordinator }, context) => coordinator.tool({ ...input, context }));
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const work = this.#summarize().catch(() => undefined);
    this.#host.track(work);
    await work;
    this.#host.release(this.id);
  }

  /** What memory answers, or the stand-in when it cannot even be put together. */
  async #ask<T>(
    work: (orchestrator: MemoryOrchestrator, context: MemoryContext) => Promise<T>,
    otherwise: T,
  ): Promise<T> {
    try {
      const { orchestrator } = await this.#host.prepared();
      return await work(orchestrator, await this.context());
    } catch {
      return otherwise;
    }
  }

  #look(
    work: (orchestrator: MemoryOrchestrator, context: MemoryContext) => Promise<MemoryAnswer>,
  ): Promise<MemoryAnswer> {
    const reason = "memory is not available";
    return this.#ask(work, { outcome: "not_looked", memories: [], gaps: [], outOfScope: 0, reason });
  }

  /** Once prepared, inputs are taken at once, in their order. */
  #capture(take: (prepared: Prepared, context: MemoryContext) => unknown): void {
    if (this.#options.passive === true) return;
    const context = capturingContext(this.#options);
    if (this.#prepared !== undefined) take(this.#prepared, context);
    else
      this.#host.intake(
        this.#readyToCapture().then(
          (prepared) => take(prepared, context),
          () => undefined,
        ),
      );
  }

  #readyToCapture(): Promise<Prepared> {
    this.#ready ??= this.#host.prepared().then(async (prepared) => {
      await this.#rememberShown(prepared);
      this.#prepared = prepared;
      return prepared;
    });
    return this.#ready;
  }

  /** A resumed session was shown memories by an earlier process: they are not learned again either. */
  async #rememberShown({ traces, door, echo }: Prepared): Promise<void> {
    try {
      const earlier = await traces.of(this.id, EARLIER_TRACES);
      const ids = earlier.flatMap(({ hits }) =>
        hits.filter(({ fate }) => fate === "injected" || fate === "listed").map(({ id }) => id),
      );
      if (ids.length > 0) echo.shown((await (await door.read())?.memories.get([...new Set(ids)])) ?? []);
    } catch {
      // A locked store: what this process shows is still known.
    }
  }

  async #summarize(): Promise<void> {
    const { coordinator, digests, compressor, door, keys, identity, screen, leaves, outbox } =
      await this.#host.prepared();
    // What was handed over before the settings were known is part of the session.
    await this.#ready;
    await coordinator.idle();
    const found = digests.take(this.id);
    if (found === undefined) return;
    const own = { sessionId: this.id, at: this.#host.parts.clock.now() };
    const summaryOf = (digest: SessionDigest) =>
      presentSummary(digest.summary({ ...own, project: "" }), { screen });
    if (leaves && outbox.keepSummary(await summaryOf(found.digest))) return;
    const { memories, state } = await door.write();
    const project = await keys.keyOf(identity, state);
    if (project === undefined) return;
    const about = { ...own, project };
    // What was erased while the session ran does not come back with its summary.
    const erased = await memories.forgotten(
      found.entries.map(({ memory }) =>
        memory.scope.kind === "project" ? { ...memory, scope: { kind: "project", id: project } } : memory,
      ),
    );
    const entries = found.entries.filter((_, index) => erased[index] !== true);
    const digest = entries.length === found.entries.length ? found.digest : digestOf(entries);
    if (digest === undefined) return await memories.endSession(this.id);
    await storeSummary(memories, { ...(await summaryOf(digest)), project });
    if (compressor === undefined) return;
    // A model's better one may follow, if this process lives on: nobody waits for a model at the end.
    this.#host.track(
      compressor.summarize({ ...about, at: about.at + 1 }, entries).then(async (better) => {
        if (better !== undefined) await memories.addSummary(await presentSummary(better, { screen }));
      }),
    );
  }

  async #inject(
    kind: "start" | "prompt",
    milliseconds: number,
    signal: AbortSignal | undefined,
    ask: (prepared: Prepared, context: MemoryContext) => Promise<MemoryInjection>,
  ): Promise<MemoryInjection> {
    const { clock, scheduler } = this.#host.parts;
    const asked = await within({ milliseconds, clock, scheduler, signal }, async () => {
      if (await this.#host.hasNothing()) return undefined;
      const prepared = await this.#host.prepared();
      // Nobody waits for more before a prompt is sent.
      return ask(prepared, await this.#context("first"));
    });
    if (asked.outcome === "ok")
      return asked.value ?? this.#silence(kind, "nothing_found", asked.milliseconds, []);
    const attempts = [{ provider: "*", found: 0, ...asked }];
    return this.#silence(kind, asked.outcome === "aborted" ? "off" : "failed", asked.milliseconds, attempts);
  }

  #silence(
    kind: "start" | "prompt",
    decision: RecallTrace["decision"],
    milliseconds: number,
    attempts: RecallTrace["attempts"],
  ): MemoryInjection {
    const { newId, clock } = this.#host.parts;
    return {
      text: "",
      tokens: 0,
      trace: {
        id: newId(),
        sessionId: this.id,
        at: clock.now(),
        kind,
        prompt: "",
        terms: [],
        decision,
        relevance: 0,
        budget: 0,
        tokens: 0,
        milliseconds,
        attempts,
        hits: [],
      },
    };
  }
}

const EARLIER_TRACES = 50;

function idleExplanation(sessionId: string): CaptureExplanation {
  return { sessionId, state: "idle", recent: [], report: NO_CAPTURE };
}
