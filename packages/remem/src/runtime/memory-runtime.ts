import { type CaptureReport, NO_CAPTURE } from "../core/capture/capture-report.ts";
import { compressionCounter } from "../core/capture/compression/compressor.ts";
import { CorrectionQueue } from "../core/corrections/correction-queue.ts";
import { MemoryManager } from "../core/manager/memory-manager.ts";
import { VERBATIM_KINDS } from "../core/memory/record.ts";
import type { MemoryContext } from "../core/orchestrator/memory-context.ts";
import type { MemoryStore } from "../core/ports/memory-store.ts";
import { FRAME_INSTRUCTION } from "../core/recall/frame.ts";
import { errorName, within } from "../core/within.ts";
import { loadConfig } from "./config/load-config.ts";
import type { MemoryConfig } from "./config/memory-config.ts";
import { findPlaces } from "./config/places.ts";
import { defaultParts } from "./default-parts.ts";
import { mayRemember } from "./may-remember.ts";
import type {
  CloseReport,
  CompressionSpending,
  Memory,
  MemoryNotice,
  MemoryState,
  OpenedStore,
  SessionOptions,
} from "./memory.ts";
import type { MemoryOptions, MemoryParts } from "./memory-options.ts";
import { adoptOutboxes } from "./outbox/adopt-outboxes.ts";
import { holdsOutboxes } from "./outbox/left-outboxes.ts";
import { type Prepared, prepare } from "./prepared.ts";
import { placed } from "./project-context.ts";
import { RuntimeSession, type SessionHost } from "./runtime-session.ts";
import { StoreSink } from "./store-sink.ts";
import { storeSummary } from "./store-summary.ts";
import { storeTrouble } from "./store-trouble.ts";

const CLOSE_MS = 2_000;
/** Of the time to close, so much is for storing what waits. */
const FLUSH_MS = 1_400;
/** What earlier processes have left is waited for no longer than this, once. */
const ADOPTING_MS = 1_000;
/** What long runs did is taken up in pieces of a few milliseconds, with so long between them. */
const BEHIND_MS = 5;
const NOTHING_LEFT: CatchingUp = { first: Promise.resolve(), all: Promise.resolve() };
const MAINTAIN_EVERY_MS = 5 * 60_000;
const VECTORS_AT_ONCE = 500;
const DAY_MS = 24 * 60 * 60_000;
const MOST_TRACKED_NOTICES = 200;

/** Earlier processes' leavings: what the next prompt may need, and all of it. Each is stored, or had its time. */
interface CatchingUp {
  readonly first: Promise<void>;
  readonly all: Promise<void>;
}

/** The parts of memory, joined; see {@link Memory}. */
export class MemoryRuntime implements Memory, SessionHost {
  readonly instruction: string = FRAME_INSTRUCTION;
  readonly parts: MemoryParts;
  readonly #options: MemoryOptions;
  readonly #sessions = new Map<string, RuntimeSession>();
  readonly #told = new Set<string>();
  readonly #work = new Set<Promise<unknown>>();
  readonly #arriving = new Set<Promise<unknown>>();
  readonly #cancelStart: () => void;
  readonly #stop = new AbortController();
  #state: MemoryState = "opening";
  #preparing: Promise<Prepared> | undefined;
  #done: Prepared | undefined;
  #opening: Promise<MemoryState> | undefined;
  /** Somebody waits for all of what earlier processes have left. */
  #hurries = false;
  #adopting: CatchingUp | undefined;
  #closing: Promise<CloseReport> | undefined;
  #hasStore = false;
  #maintainedAt = Number.NEGATIVE_INFINITY;

  constructor(options: MemoryOptions) {
    this.#options = options;
    this.parts = defaultParts(options);
    // The host goes on first; nothing it does waits for this.
    this.#cancelStart = this.parts.scheduler.after(0, () => {
      if (this.#closing === undefined) this.track(this.ready());
    });
  }

  get state(): MemoryState {
    return this.#state;
  }

  get current(): Prepared | undefined {
    return this.#done;
  }

  async config(): Promise<MemoryConfig> {
    return (await this.prepared()).config;
  }

  ready(): Promise<MemoryState> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async warmUp(): Promise<void> {
    if ((await this.ready()) !== "ready" || this.#closing !== undefined) return;
    const work = this.#warmUp().catch(() => undefined);
    this.track(work);
    await work;
  }

  session(options: SessionOptions): RuntimeSession {
    let session = this.#sessions.get(options.id);
    if (session === undefined) {
      session = new RuntimeSession(this, options);
      this.#sessions.set(options.id, session);
    }
    return session;
  }

  async manager(): Promise<MemoryManager> {
    await this.caughtUp();
    const { door, providers, screen, orchestrator, keys, identity } = await this.prepared();
    const opened = await door.write();
    const engine = await providers.engine(opened);
    const key = (await keys.keyOf(identity, opened.state)) ?? "";
    return new MemoryManager({
      store: opened.memories,
      entry: async (memory) => (await engine.entries([placed(memory, key)]))[0]!,
      screen,
      clock: this.parts.clock,
      host: this.#options.host,
      sessionId: `${this.#options.host}:by-hand`,
      onChange: () => orchestrator.forgetTurns(),
    });
  }

  async corrections(): Promise<CorrectionQueue> {
    const { door, providers, screen, orchestrator, config, embedder } = await this.prepared();
    const opened = await door.write();
    const engine = await providers.engine(opened);
    const vectors = await embedder();
    const { clock, newId, openStore } = this.parts;
    return new CorrectionQueue({
      store: opened.memories,
      state: opened.state,
      screen,
      clock,
      newId,
      host: this.#options.host,
      entry: async (memory) => (await engine.entries([memory]))[0]!,
      previousTrace: (sessionId) => orchestrator.explainPreviousTurn(sessionId),
      openCopy: async () => {
        const request = { kind: "sqlite", path: ":memory:", access: "write", busyTimeoutMs: 0 } as const;
        return (await openStore({ ...request, clock }))!.memories;
      },
      promptTokens: config.settings.budgets.promptTokens,
      ...(vectors === undefined ? {} : { embedder: vectors }),
      onChange: () => orchestrator.forgetTurns(),
    });
  }

  async store(access: "read" | "write"): Promise<OpenedStore | undefined> {
    const { door } = await this.prepared();
    await this.caughtUp();
    return access === "write" ? door.write() : door.read();
  }

  context(sessionId: string): Promise<MemoryContext> {
    return this.session({ id: sessionId }).context();
  }

  capture(): CaptureReport {
    return this.#done?.coordinator.report() ?? NO_CAPTURE;
  }

  async compression(): Promise<CompressionSpending> {
    const { door, config } = await this.prepared();
    const limit = config.settings.compression.dailyTokens;
    const state = (await door.read().catch(() => undefined))?.state;
    const spent = (await state?.counter(compressionCounter(this.parts.clock.now()))) ?? 0;
    return { spent, limit };
  }

  maintain(): void {
    const now = this.parts.clock.now();
    if (now - this.#maintainedAt < MAINTAIN_EVERY_MS || this.#closing !== undefined) return;
    this.#maintainedAt = now;
    this.track(this.#maintain());
  }

  async idle(): Promise<void> {
    do {
      await Promise.all([...this.#work, ...this.#arriving]);
      await this.#done?.coordinator.idle();
      await this.#done?.compressor?.idle();
      await this.#done?.traces.idle();
    } while (this.#work.size + this.#arriving.size > 0);
  }

  close(): Promise<CloseReport> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  prepared(): Promise<Prepared> {
    this.#preparing ??= this.#prepare(this.#closing !== undefined);
    return this.#preparing;
  }

  async hasNothing(): Promise<boolean> {
    if (this.#hasStore || this.#done?.door.opened !== undefined) return false;
    const { environment = process.env, home, settings, ignoreFiles = false } = this.#options;
    const sources = { places: findPlaces(environment, home), environment, given: settings, ignoreFiles };
    const { settings: own } = await loadConfig({ ...sources, projectRoot: undefined });
    this.#hasStore = mayRemember(own, this.#writes);
    return !this.#hasStore;
  }

  async caughtUp(what: keyof CatchingUp = "all"): Promise<void> {
    const { config, outboxFolder: folder } = await this.prepared();
    if (!config.settings.enabled || !this.#writes) return;
    if (what === "all") this.#hurries = true;
    this.#adopting ??= holdsOutboxes(folder) ? this.#takeUp() : NOTHING_LEFT;
    await this.#adopting[what];
  }

  track(work: Promise<unknown>): void {
    keepUntilSettled(this.#work, work);
  }

  release(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }

  intake(work: Promise<unknown>): void {
    keepUntilSettled(this.#arriving, work);
  }

  /** `late`: asked for the first time after the end, when nothing may be opened or taken any more. */
  async #prepare(late: boolean): Promise<Prepared> {
    const prepared = await prepare(this.#options, this.parts, (notice) => this.#notice(notice));
    if (late) {
      await prepared.coordinator.dispose(0);
      await Promise.all(prepared.doors.map((door) => door.close()));
    }
    this.#done = prepared;
    return prepared;
  }

  async #open(): Promise<MemoryState> {
    try {
      const { config, door, identity, keys } = await this.prepared();
      if (!config.settings.enabled) return this.#become("off");
      await this.caughtUp("first");
      const opened = await door.read();
      if (opened !== undefined) await keys.keyOf(identity, opened.state);
      return this.#become(opened === undefined ? "absent" : "ready");
    } catch (error) {
      const failure = this.#done?.door.failure;
      const attempt = { provider: "primary", outcome: "failed", milliseconds: 0, found: 0 } as const;
      this.#notice(storeTrouble({ ...attempt, error: errorName(error) }, failure));
      return this.#become("unavailable");
    }
  }

  #become(state: MemoryState): MemoryState {
    if (this.#state !== "closed") this.#state = state;
    return this.#state;
  }

  get #writes(): boolean {
    return (this.#options.access ?? "write") === "write";
  }

  #takeUp(): CatchingUp {
    const { clock, scheduler } = this.parts;
    const first = Promise.withResolvers<void>();
    const all = this.#adopt(first.resolve);
    this.track(all);
    const waited = async (work: Promise<void>) => {
      await within({ milliseconds: ADOPTING_MS, clock, scheduler, signal: undefined }, () => work);
    };
    return { first: waited(Promise.race([first.promise, all])), all: waited(all) };
  }

  /** Takes up what processes that are gone have captured and not stored. */
  async #adopt(onFirst: () => void): Promise<void> {
    const { outboxFolder, door, providers, keys } = await this.prepared();
    const adopted = await adoptOutboxes({
      folder: outboxFolder,
      newToken: this.parts.newId,
      now: this.parts.clock.now(),
      signal: this.#stop.signal,
      onFirst,
      pause: () => this.#pause(),
      store: async (entries, identity) => {
        const opened = await door.write();
        const sink = new StoreSink({
          outbox: () => undefined,
          open: async () => ({ memories: opened.memories, engine: await providers.engine(opened) }),
          project: async () => (await keys.keyOf(identity, opened.state)) ?? "",
        });
        await sink.store(entries);
      },
      summarize: async (summary, identity) => {
        const { memories, state } = await door.write();
        const project = await keys.keyOf(identity, state);
        if (project !== undefined) await storeSummary(memories, { ...summary, project });
      },
    });
    if (adopted.entries > 0) this.#become("ready");
  }

  /** What waits for the store, and the host, goes on first. */
  async #pause(): Promise<void> {
    if (!this.#hurries && this.#closing === undefined)
      await new Promise<void>((resolve) => void setTimeout(resolve, BEHIND_MS));
  }

  async #warmUp(): Promise<void> {
    const { door, providers } = await this.prepared();
    const opened = await door.read();
    if (opened !== undefined) await (await providers.engine(opened)).vectorStatus();
  }

  async #maintain(): Promise<void> {
    const { door, providers, config } = await this.prepared();
    if (!config.settings.enabled || !this.#writes) return;
    const opened = await door.read();
    if (opened === undefined) return;
    await this.#expire(opened.memories, config.settings.retention.days);
    const engine = await providers.engine(opened);
    await engine.refreshVectors(VECTORS_AT_ONCE, this.#stop.signal);
  }

  /** What was said and done longer ago than the settings keep it is erased, and may be learned again; pinned memories and statements stay. */
  async #expire(memories: MemoryStore, days: number): Promise<void> {
    if (days === 0) return;
    const now = this.parts.clock.now();
    const selection = { before: now - days * DAY_MS, kinds: [...VERBATIM_KINDS], pinned: false };
    await memories.forget(selection, now, { tombstones: false });
  }

  async #close(): Promise<CloseReport> {
    const { clock, scheduler } = this.parts;
    this.#cancelStart();
    const started = clock.now();
    const left = (): number => Math.max(1, CLOSE_MS - (clock.now() - started));
    const bounded = (work: () => Promise<unknown>): Promise<unknown> =>
      within({ milliseconds: left(), clock, scheduler, signal: undefined }, work);
    if (this.#preparing !== undefined) await bounded(() => this.#preparing!);
    const done = this.#done;
    await bounded(() => Promise.all(this.#arriving));
    const unstored = (await done?.coordinator.dispose(Math.min(FLUSH_MS, left()))) ?? 0;
    this.#stop.abort();
    await bounded(async () => {
      await done?.compressor?.close();
      await done?.traces.idle();
      await Promise.all(this.#work);
    });
    const kept = done?.outbox.close() ?? 0;
    await bounded(() => Promise.all((done?.doors ?? []).map((door) => door.close())));
    await bounded(async () => done?.closeEmbedder());
    this.#state = "closed";
    return { left: Math.max(kept, unstored), milliseconds: clock.now() - started };
  }

  #notice(notice: MemoryNotice): void {
    const key = `${notice.code}\n${notice.code === "config" ? notice.message : ""}`;
    if (this.#told.has(key) || this.#told.size > MOST_TRACKED_NOTICES) return;
    this.#told.add(key);
    try {
      this.#options.onNotice?.(notice);
    } catch {
      // The host's own trouble.
    }
  }
}

function keepUntilSettled(set: Set<Promise<unknown>>, work: Promise<unknown>): void {
  const settled = work
    .catch(() => undefined)
    .finally(() => {
      set.delete(settled);
    });
  set.add(settled);
}
