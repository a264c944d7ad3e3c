import type { Database } from "bun:sqlite";
import { closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../contract/errors.ts";
import { parseRecord } from "../log-line.ts";
import { readFully } from "../read-fully.ts";
import { EVENTS_FILE } from "../session-meta.ts";
import { messageText } from "./record-text.ts";
import { isBusy, openSearchDatabase, removeSearchDatabase } from "./search-database.ts";
import { searchWords } from "./search-text.ts";
import { dropSession, indexSession } from "./session-indexer.ts";
import { snippetOf } from "./snippet.ts";

/** A session in which all words were found. */
export interface SearchHit {
  id: string;
  /** Places that have all words; 0 when they stand in different ones. */
  places: number;
  /** A line around the words, with what stands there as it was said (it may hold secrets). */
  snippet: string;
}

export interface IndexProgress {
  /** Sessions that are not (or not wholly) in the index yet. */
  left: number;
  /** Another process writes the index, or the disk refuses. */
  stopped: boolean;
}

/** Places that are looked at, the latest indexed first, until there are enough sessions: a page of them, and at most. */
const PAGE = 1_000;
const MOST_PLACES = 100_000;
/** Sessions of the rarest of several words that are looked at for the others. */
const MOST_CANDIDATES = 100;
const SLICE = 8 * 1024 * 1024;

/** Full-text search over all sessions of a user, by an index in a file of its own. */
export class SessionSearch {
  readonly #root: string;
  readonly #path: string;
  #database: Database;

  /** Opens the index at `path`, or makes it. Throws when it can be neither opened nor made. */
  constructor(root: string, path: string) {
    this.#root = root;
    this.#path = path;
    this.#database = openSearchDatabase(path);
  }

  /**
   * Brings the index up to date with these sessions (in this order: the most wanted first) until `until` says so. What is gone from
   * the list is taken out. Never throws.
   */
  update(ids: readonly string[], until: () => boolean): IndexProgress {
    try {
      return this.#update(ids, until);
    } catch (thrown) {
      if (!isBusy(thrown)) this.#rebuild();
      return { left: ids.length, stopped: true };
    }
  }

  #update(ids: readonly string[], until: () => boolean): IndexProgress {
    const rows = this.#database
      .query<{ key: number; id: string; indexed: number; inode: string }, []>(
        "SELECT key, id, indexed, inode FROM sessions",
      )
      .all();
    const known = new Map(rows.map((row) => [row.id, row]));
    const wanted = new Set(ids);
    const gone = rows.filter(({ id }) => !wanted.has(id));
    if (gone.length > 0)
      this.#database
        .transaction(() => {
          for (const { key } of gone) dropSession(this.#database, key);
        })
        .immediate();
    const behind = ids.filter((id) => {
      const stat = sizeOf(join(this.#root, id, EVENTS_FILE));
      const row = known.get(id);
      return stat !== null && (row === undefined || row.indexed !== stat.size || row.inode !== stat.inode);
    });
    let left = behind.length;
    for (const id of behind) {
      for (let whole = false; !whole; ) {
        if (until()) return { left, stopped: false };
        whole = this.#index(id);
      }
      left--;
    }
    return { left, stopped: false };
  }

  #index(id: string): boolean {
    try {
      return indexSession(this.#database, id, join(this.#root, id, EVENTS_FILE), SLICE).whole;
    } catch (thrown) {
      // A file that is gone or not ours to read holds up no other one.
      if (systemCode(thrown) !== undefined) return true;
      throw thrown;
    }
  }

  /**
   * The sessions in which all words of a query are found, best in one place; in the order in which they were indexed last, the latest
   * first. Empty for a query without a letter or a digit. An index that turns out to be broken is made anew, and is then empty.
   */
  find(query: string, limit: number): SearchHit[] {
    const words = searchWords(query);
    if (words.length === 0) return [];
    try {
      return this.#find(words, limit);
    } catch (thrown) {
      if (!isBusy(thrown)) this.#rebuild();
      return [];
    }
  }

  #find(words: readonly { text: string; match: string }[], limit: number): SearchHit[] {
    const hits = this.#findTogether(words.map(({ match }) => match).join(" AND "), limit);
    if (words.length > 1 && hits.size < limit) this.#findApart(words, limit, hits);
    const texts = words.map(({ text }) => text);
    return [...hits.values()].slice(0, limit).flatMap(({ first, places }) => {
      const id = this.#idOf(first.session);
      return id === null ? [] : [{ id, places, snippet: this.#snippet(id, first, texts) }];
    });
  }

  /** Sessions with places that match, the latest place first; ends when there are enough of them. */
  #findTogether(match: string, limit: number): Map<number, Found> {
    const hits = new Map<number, Found>();
    let before = Number.MAX_SAFE_INTEGER;
    for (let seen = 0; seen < MOST_PLACES && hits.size < limit; ) {
      const places = this.#places(match, before);
      for (const place of places) {
        const hit = hits.get(place.session);
        if (hit === undefined) hits.set(place.session, { first: place, places: 1 });
        else hit.places++;
      }
      if (places.length < PAGE) break;
      seen += places.length;
      before = places.at(-1)!.key;
    }
    return hits;
  }

  /** Adds sessions that have all words, each somewhere else: those of the rarest word that have the others too. */
  #findApart(words: readonly { match: string }[], limit: number, hits: Map<number, Found>): void {
    const pages = words.map(({ match }) => ({ match, places: this.#places(match, Number.MAX_SAFE_INTEGER) }));
    const [rarest, ...others] = pages.sort((a, b) => a.places.length - b.places.length);
    if (rarest === undefined || rarest.places.length === 0) return;
    const candidates = new Map<number, Place>();
    for (const place of rarest.places)
      if (!hits.has(place.session) && !candidates.has(place.session) && candidates.size < MOST_CANDIDATES)
        candidates.set(place.session, place);
    for (const [session, first] of candidates) {
      if (hits.size >= limit) return;
      if (others.every(({ match }) => this.#has(session, match))) hits.set(session, { first, places: 0 });
    }
  }

  /** A page of places, from before a key on; the latest first. */
  #places(match: string, before: number): Place[] {
    return this.#database
      .query<Place, [string, number, number]>(
        `SELECT found.key AS key, chunks.session AS session, chunks.start AS start, chunks.stop AS stop
         FROM (SELECT rowid AS key FROM words WHERE words MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?) AS found
         JOIN chunks ON chunks.key = found.key ORDER BY found.key DESC`,
      )
      .all(match, before, PAGE);
  }

  #has(session: number, match: string): boolean {
    const range = this.#database
      .query<{ first: number; last: number }, [number]>(
        "SELECT min(key) AS first, max(key) AS last FROM chunks WHERE session = ?",
      )
      .get(session);
    if (range === null) return false;
    return (
      this.#database
        .query<{ key: number }, [string, number, number, number]>(
          `SELECT chunks.key AS key
           FROM (SELECT rowid AS key FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?) AS found
           JOIN chunks ON chunks.key = found.key WHERE chunks.session = ? LIMIT 1`,
        )
        .get(match, range.first, range.last, session) !== null
    );
  }

  #idOf(session: number): string | null {
    return (
      this.#database.query<{ id: string }, [number]>("SELECT id FROM sessions WHERE key = ?").get(session)
        ?.id ?? null
    );
  }

  /** The line of the place that has the most of the words. */
  #snippet(id: string, { start, stop }: Place, words: readonly string[]): string {
    let best = { snippet: "", found: -1 };
    try {
      const fd = openSync(join(this.#root, id, EVENTS_FILE), "r");
      try {
        const bytes = Buffer.alloc(stop - start);
        const whole = bytes.subarray(0, readFully(fd, bytes, start, bytes.length));
        for (let from = 0; from < whole.length; ) {
          const end = whole.indexOf(10, from);
          const record = parseRecord(whole.subarray(from, end < 0 ? whole.length : end));
          from = end < 0 ? whole.length : end + 1;
          const text = record?.type === "message" ? messageText(record.message) : "";
          if (text === "") continue;
          const found = snippetOf(text, words);
          if (found.found > best.found) best = found;
        }
      } finally {
        closeSync(fd);
      }
    } catch {
      // the session was deleted meanwhile
    }
    return best.snippet;
  }

  #rebuild(): void {
    try {
      this.#database.close();
      removeSearchDatabase(this.#path);
      this.#database = openSearchDatabase(this.#path);
    } catch {
      // the disk refuses: the next search tries again
    }
  }

  close(): void {
    this.#database.close();
  }
}

interface Found {
  first: Place;
  places: number;
}

interface Place {
  key: number;
  session: number;
  start: number;
  stop: number;
}

function sizeOf(path: string): { size: number; inode: string } | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? { size: stat.size, inode: String(stat.ino) } : null;
  } catch {
    // not a folder, or not ours to enter
    return null;
  }
}
