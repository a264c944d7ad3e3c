import type { SqlConnection } from "./driver.ts";
import { inTexts } from "./index-row.ts";

/** A term of fewer rows is counted again faster than it is worth keeping. */
const FREQUENT = 500;
const MOST_KEPT = 1_000;

/**
 * In how many memories terms occur. Counting reads every row of a term; of frequent ones the count is kept, and only what came since is
 * counted. It is exact, whatever other programs write: new memories have higher numbers, and an erasure forgets all counts.
 */
export class TermFrequencies {
  readonly #connection: SqlConnection;
  readonly #kept = new Map<string, { readonly rows: number; readonly upTo: number }>();
  #erasures = 0;

  constructor(connection: SqlConnection) {
    this.#connection = connection;
  }

  /** By term; 0 for one that does not occur. `erasures` are the store's. Call it in a transaction. */
  count(terms: readonly string[], erasures: number): Map<string, number> {
    if (erasures !== this.#erasures) this.#kept.clear();
    this.#erasures = erasures;
    const newest = Number(this.#connection.prepare("SELECT max(id) AS id FROM memories").get()?.["id"] ?? 0);
    return new Map(terms.map((term) => [term, this.#countTerm(term, newest)]));
  }

  #countTerm(term: string, newest: number): number {
    const kept = this.#kept.get(term) ?? { rows: 0, upTo: 0 };
    if (kept.upTo === newest) return kept.rows;
    const found = this.#connection
      .prepare("SELECT count(*) AS n FROM memory_index WHERE memory_index MATCH ? AND rowid > ?")
      .get(inTexts(term), kept.upTo)?.["n"];
    const rows = kept.rows + Number(found);
    this.#kept.delete(term);
    if (rows >= FREQUENT) this.#keep(term, { rows, upTo: newest });
    return rows;
  }

  #keep(term: string, counted: { readonly rows: number; readonly upTo: number }): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(term, counted);
  }
}
