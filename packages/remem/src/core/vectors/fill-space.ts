import type { Clock } from "../ports/clock.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { EngineState } from "../ports/engine-state.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { embeddedText } from "../text/embedded-text.ts";
import { errorName } from "../within.ts";
import { storedVector } from "./packed-vector.ts";

export interface FillerOptions {
  readonly store: Pick<MemoryStore, "withoutVector" | "records" | "putVectors" | "removeVectors">;
  readonly clock: Clock;
  readonly embedder: Embedder;
  /** Fingerprints of spaces that this one replaces: their vectors are removed when it is full. */
  readonly replaced: readonly string[];
  /** Keeps two processes from paying for the same vectors. Absent: this process is the only one. */
  readonly leases: Pick<EngineState, "takeLease" | "giveLease"> | undefined;
  /** Who holds the lease. */
  readonly owner: string;
}

/** What a stage came to: `elsewhere` is another process at work, `resting` the time after a failure. */
export interface Stage {
  readonly made: number;
  readonly outcome: "full" | "more" | "elsewhere" | "resting";
}

/** Texts that are embedded and stored at once: what a crash can lose. */
const BATCH = 32;
/** Renewed with each batch, so that a process that was killed holds others up no longer than this. */
const LEASE_MS = 120_000;
const REST_MS = 300_000;

/**
 * Fills a space with the vectors that are missing, oldest memories first, a bounded stage at a time. Each batch is stored before the next
 * is asked for, so that a stage that was cut off, by an abort or by a crash, goes on where it was.
 */
export class SpaceFiller {
  readonly #options: FillerOptions;
  #restUntil = Number.NEGATIVE_INFINITY;
  #trouble: string | undefined;

  constructor(options: FillerOptions) {
    this.#options = options;
  }

  /** The code or name of the last failure; undefined after a good stage. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Makes at most `limit` vectors. Rejects with what the embedder rejects with, and then rests: further calls do nothing for five minutes. */
  async stage(limit: number, signal?: AbortSignal): Promise<Stage> {
    const { clock, leases, owner } = this.#options;
    if (clock.now() < this.#restUntil) return { made: 0, outcome: "resting" };
    if (!(await this.#takeLease())) return { made: 0, outcome: "elsewhere" };
    try {
      const stage = await this.#fill(limit, signal);
      this.#trouble = undefined;
      return stage;
    } catch (error) {
      if (signal?.aborted !== true) {
        this.#trouble = errorName(error);
        this.#restUntil = clock.now() + REST_MS;
      }
      throw error;
    } finally {
      await leases?.giveLease(this.#leaseName(), owner);
    }
  }

  async #fill(limit: number, signal: AbortSignal | undefined): Promise<Stage> {
    const { store, embedder } = this.#options;
    const { fingerprint } = embedder.space;
    let made = 0;
    while (made < limit) {
      signal?.throwIfAborted();
      const missing = await store.withoutVector(fingerprint, Math.min(BATCH, limit - made));
      if (missing.length === 0) {
        if (made > 0) await this.#removeReplaced();
        return { made, outcome: "full" };
      }
      // Another process may have taken over while this one slept.
      if (!(await this.#takeLease())) return { made, outcome: "elsewhere" };
      const rows = missing.map(({ row }) => row);
      const batch = await this.#fillBatch(rows, signal);
      // All of them were erased meanwhile.
      if (batch === 0) return { made, outcome: "more" };
      made += batch;
    }
    const [rest] = await store.withoutVector(fingerprint, 1);
    if (rest !== undefined) return { made, outcome: "more" };
    await this.#removeReplaced();
    return { made, outcome: "full" };
  }

  async #fillBatch(rows: readonly number[], signal: AbortSignal | undefined): Promise<number> {
    const { store, embedder } = this.#options;
    const records = await store.records(rows);
    // Those that were erased meanwhile are gone from the next list too.
    const found = rows.flatMap((row) => {
      const record = records.get(row);
      return record === undefined ? [] : [{ row, text: embeddedText(record) }];
    });
    if (found.length === 0) return 0;
    const vectors = await embedder.embed(
      found.map(({ text }) => text),
      "document",
      signal,
    );
    const packed = found.flatMap(({ row }, index) => {
      const vector = vectors[index];
      const stored = vector === undefined ? undefined : storedVector(vector, embedder.space.dimensions);
      return stored === undefined ? [] : [{ row, packed: stored }];
    });
    if (packed.length === 0)
      throw new RangeError(
        `the embedder of ${embedder.space.fingerprint} gave no vector for ${found.length} texts`,
      );
    await store.putVectors(embedder.space.fingerprint, packed);
    return packed.length;
  }

  async #removeReplaced(): Promise<void> {
    const { store, replaced } = this.#options;
    for (const fingerprint of replaced) await store.removeVectors(fingerprint);
  }

  async #takeLease(): Promise<boolean> {
    const { leases, owner, clock } = this.#options;
    const now = clock.now();
    return (await leases?.takeLease(this.#leaseName(), owner, now, now + LEASE_MS)) ?? true;
  }

  #leaseName(): string {
    return `vectors of ${this.#options.embedder.space.fingerprint}`;
  }
}
