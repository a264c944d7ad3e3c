import type { MemoryRecord, Provenance } from "../core/memory/record.ts";
import type { TransferItem, TransferSource } from "../core/memory/transfer-item.ts";
import type { MemoryStore, RestoreOutcome, SessionSummary } from "../core/ports/memory-store.ts";
import type { Screen } from "../core/ports/screen.ts";
import { KnownSummaries } from "./known-summaries.ts";
import { screenRecord, screenSummary } from "./screen-item.ts";

export interface ImportOptions {
  readonly store: MemoryStore;
  readonly screen: Screen;
  /**
   * `import` (the default): nothing that comes in has a person's authority, whatever it says. `as-written`: who said it is kept; only for
   * what a person names as an export of their own store.
   */
  readonly provenance?: "import" | "as-written";
  readonly signal?: AbortSignal;
  /** Called after each part that was stored. */
  readonly onProgress?: (report: ImportReport) => void;
}

export interface ImportReport {
  /** Items read, broken ones included. */
  readonly read: number;
  readonly added: number;
  readonly known: number;
  /** Erased once, and left out. */
  readonly forgotten: number;
  readonly summaries: number;
  /** Spans that screening took out. */
  readonly redactions: number;
  readonly broken: number;
  /** The first broken items: where they are, and why. */
  readonly brokenItems: readonly { readonly where: string; readonly reason: string }[];
}

const ITEMS_AT_ONCE = 200;
const BROKEN_NAMED = 100;

/** Puts items into a store, a part at a time: what was stored stays when a later part fails. Twice the same items are there once. */
export async function importItems(source: TransferSource, options: ImportOptions): Promise<ImportReport> {
  const run = new ImportRun(options);
  for await (const item of source) {
    options.signal?.throwIfAborted();
    await run.take(item);
  }
  return await run.end();
}

class ImportRun {
  readonly #options: ImportOptions;
  readonly #summaries: KnownSummaries;
  readonly #counts = { read: 0, added: 0, known: 0, forgotten: 0, summaries: 0, redactions: 0, broken: 0 };
  readonly #brokenItems: { readonly where: string; readonly reason: string }[] = [];
  /** Sessions with a memory that was erased: their summaries may repeat it. */
  readonly #erasedSessions = new Set<string>();
  #waiting: MemoryRecord[] = [];

  constructor(options: ImportOptions) {
    this.#options = options;
    this.#summaries = new KnownSummaries(options.store);
  }

  async take(item: TransferItem): Promise<void> {
    this.#counts.read++;
    if (item.type === "broken") this.#note(item.where, item.reason);
    else if (item.type === "memory") await this.#takeRecord(item.record);
    else await this.#takeSummary(item.summary);
  }

  async end(): Promise<ImportReport> {
    await this.#store();
    return this.#report();
  }

  async #takeRecord(record: MemoryRecord): Promise<void> {
    const { item, redactions } = await screenRecord(this.#options.screen, record);
    this.#counts.redactions += redactions;
    this.#waiting.push(this.#options.provenance === "as-written" ? item : imported(item));
    if (this.#waiting.length >= ITEMS_AT_ONCE) await this.#store();
  }

  async #takeSummary(summary: SessionSummary): Promise<void> {
    await this.#store();
    if (this.#erasedSessions.has(summary.sessionId)) {
      this.#counts.forgotten++;
      return;
    }
    const { item, redactions } = await screenSummary(this.#options.screen, summary);
    this.#counts.redactions += redactions;
    if (await this.#summaries.has(item)) {
      this.#counts.known++;
      return;
    }
    await this.#options.store.addSummary(item);
    this.#summaries.add(item);
    this.#counts.summaries++;
  }

  async #store(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const records = this.#waiting;
    this.#waiting = [];
    const outcomes = await this.#restore(records);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome === undefined) continue;
      this.#counts[outcome]++;
      if (outcome === "forgotten") this.#erasedSessions.add(records[index]!.provenance.sessionId);
    }
    this.#options.onProgress?.(this.#report());
  }

  /** One record that the store refuses keeps no other out. */
  async #restore(records: readonly MemoryRecord[]): Promise<(RestoreOutcome | undefined)[]> {
    const { store } = this.#options;
    try {
      return await store.restore(records);
    } catch (error) {
      if (!(error instanceof RangeError) && !(error instanceof TypeError)) throw error;
    }
    const outcomes: (RestoreOutcome | undefined)[] = [];
    for (const record of records)
      try {
        outcomes.push(...(await store.restore([record])));
      } catch (error) {
        if (!(error instanceof RangeError) && !(error instanceof TypeError)) throw error;
        this.#note(`memory ${record.id}`, error.message);
        outcomes.push(undefined);
      }
    return outcomes;
  }

  #note(where: string, reason: string): void {
    this.#counts.broken++;
    if (this.#brokenItems.length < BROKEN_NAMED) this.#brokenItems.push({ where, reason });
  }

  #report(): ImportReport {
    return { ...this.#counts, brokenItems: [...this.#brokenItems] };
  }
}

function imported(record: MemoryRecord): MemoryRecord {
  const { author, ...rest } = record.provenance;
  const provenance: Provenance = {
    ...rest,
    author: { role: "import", ...(author.name === undefined ? {} : { name: author.name }) },
    typed: false,
  };
  return { ...record, provenance, pinned: false };
}
