import type { CapturedEntry, CaptureSink } from "../core/capture/captured-entry.ts";
import { normalized } from "../core/capture/recent-texts.ts";
import { jaccard, shingles } from "../core/capture/shingles.ts";
import type { MemoryEngine } from "../core/engine.ts";
import { StoreError } from "../core/errors.ts";
import { type NewMemory, VERBATIM_KINDS } from "../core/memory/record.ts";
import type { MemoryStore } from "../core/ports/memory-store.ts";
import { analyzeQuery } from "../core/query/analyze-query.ts";
import { words } from "../core/text/tokenize.ts";
import type { Outbox } from "./outbox/outbox.ts";
import { placed } from "./project-context.ts";

export interface SinkParts {
  readonly outbox: () => Outbox | undefined;
  /** The primary store, made when it is missing. Rejects with a StoreError. */
  readonly open: () => Promise<{ readonly engine: MemoryEngine; readonly memories: MemoryStore }>;
  /** The key of the project that entries of this folder belong to. */
  readonly project: () => Promise<string>;
  /** Told after something was stored. */
  readonly onStored?: () => void;
}

/** Newest observations of a session that are looked through for ones that come again. */
const MOST_OF_SESSION = 2_000;
const MOST_SESSIONS = 50;
const COMPARED = 5;
const SAME = 0.9;

/** Brings captured entries into the store, each once: by its id within a session, and by its wording. */
export class StoreSink implements CaptureSink {
  readonly #parts: SinkParts;
  readonly #known = new Map<string, Set<string>>();

  constructor(parts: SinkParts) {
    this.#parts = parts;
  }

  keep(entries: readonly CapturedEntry[]): number {
    return this.#parts.outbox()?.keep(entries) ?? entries.length;
  }

  discard(entries: readonly CapturedEntry[]): void {
    this.#parts.outbox()?.done(entries);
  }

  async store(entries: readonly CapturedEntry[]): Promise<{ stored: number; joined: number }> {
    const { engine, memories } = await this.#parts.open();
    const key = await this.#parts.project();
    const fresh: NewMemory[] = [];
    for (const { memory } of entries) {
      const own = placed(memory, key);
      if (!(await this.#isKnown(memories, own, fresh))) fresh.push(own);
    }
    const added = fresh.length === 0 ? 0 : await this.#remember(engine, fresh);
    for (const memory of fresh) this.#known.get(memory.provenance.sessionId)?.add(messageId(memory));
    this.#parts.outbox()?.done(entries);
    if (added > 0) this.#parts.onStored?.();
    return { stored: added, joined: entries.length - added };
  }

  async #remember(engine: MemoryEngine, memories: readonly NewMemory[]): Promise<number> {
    try {
      const results = await engine.remember(memories);
      return results.filter(({ outcome }) => outcome === "added").length;
    } catch (error) {
      if (StoreError.is(error) || memories.length === 1) {
        // One that no store takes must not stand in the way of all others.
        if (!StoreError.is(error)) return 0;
        throw error;
      }
      let added = 0;
      for (const memory of memories) added += await this.#remember(engine, [memory]);
      return added;
    }
  }

  async #isKnown(store: MemoryStore, memory: NewMemory, batch: readonly NewMemory[]): Promise<boolean> {
    const known = await this.#ofSession(store, memory.provenance.sessionId);
    if (known.has(messageId(memory))) return true;
    if (batch.some((other) => isSame(memory, other))) return true;
    // A text has its own words more often than any other one: among the best few by words alone it is found, if it is there.
    const { rows } = await store.lexical({
      terms: analyzeQuery(`${memory.title ?? ""} ${memory.text}`).terms,
      scopes: [memory.scope],
      kinds: [memory.kind],
      states: ["active", "candidate"],
      limit: COMPARED,
    });
    if (rows.length === 0) return false;
    return [...(await store.records(rows)).values()].some((record) => isSame(memory, record));
  }

  /** The ids of what a session has stored: a resumed session says all of it again. */
  async #ofSession(store: MemoryStore, sessionId: string): Promise<Set<string>> {
    const known = this.#known.get(sessionId);
    if (known !== undefined) return known;
    const records = await store.list({ sessionId }, MOST_OF_SESSION);
    const ids = new Set(records.flatMap(({ provenance }) => provenance.messageId ?? []));
    this.#known.set(sessionId, ids);
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > MOST_SESSIONS && oldest !== undefined) this.#known.delete(oldest);
    return ids;
  }
}

function messageId({ provenance }: NewMemory): string {
  return provenance.messageId ?? "";
}

type Comparable = Pick<NewMemory, "kind" | "title" | "text" | "subject" | "provenance">;

/**
 * Whether two memories of one scope say the same. What was said is compared by its wording. Of statements, the words that tell must
 * be the same in the same order: one number or one "before" apart, they say something else. A person's statement is never taken for known because an agent
 * said it, too.
 */
function isSame(one: Comparable, other: Comparable): boolean {
  if (one.kind !== other.kind || (one.provenance.typed && !other.provenance.typed)) return false;
  const texts = [one, other].map(({ title, text }) => `${title ?? ""}\n${text}`) as [string, string];
  if (normalized(texts[0]) === normalized(texts[1])) return true;
  if (VERBATIM_KINDS.has(one.kind)) return jaccard(shingles(texts[0]), shingles(texts[1])) >= SAME;
  return one.subject === other.subject && telling(texts[0]) === telling(texts[1]);
}

/** Words that may come or go without another meaning. */
const FILLERS: ReadonlySet<string> = new Set(
  "a an and also btw fyi just my note now okay our please really so that the this well".split(" "),
);

function telling(text: string): string {
  return words(text)
    .filter((word) => !FILLERS.has(word))
    .join(" ");
}
