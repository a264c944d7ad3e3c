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

/** Places that are looked at, the latest indexed first: enough for every rare word, and a bound for the most common ones. */
const MOST_PLACES = 20_000;
const MOST_APART = 100_000;
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
    const together = this.#places(words.map(({ match }) => match).join(" AND "), MOST_PLACES);
    const hits = new Map<number, { first: Place; places: number }>();
    for (const place of together) {
      const hit = hits.get(place.session);
      if (hit === undefined) hits.set(place.session, { first: place, places: 1 });
      else hit.places++;
    }
    if (words.length > 1 && hits.size < limit) this.#findApart(words, hits);
    const texts = words.map(({ text }) => text);
    return [...hits.values()].slice(0, limit).flatMap(({ first, places }) => {
      const id = this.#idOf(first.session);
      return id === null ? [] : [{ id, places, snippet: this.#snippet(id, first, texts) }];
    });
  }

  /** Adds the sessions that have all words, each somewhere else. */
  #findApart(words: readonly { match: string }[], hits: Map<number, { first: Place; places: number }>): void {
    let common: Map<number, Place> | null = null;
    for (const { match } of words) {
      const found = new Map<number, Place>();
      for (const place of this.#places(match, MOST_APART))
        if ((common === null || common.has(place.session)) && !found.has(place.session))
          found.set(place.session, place);
      common = found;
    }
    for (const [session, place] of common ?? [])
      if (!hits.has(session)) hits.set(session, { first: place, places: 0 });
  }

  #places(match: string, most: number): Place[] {
    return this.#database
      .query<Place, [string, number]>(
        `SELECT chunks.session AS session, chunks.start AS start, chunks.stop AS stop
         FROM (SELECT rowid AS key FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?) AS found
         JOIN chunks ON chunks.key = found.key`,
      )
      .all(match, most);
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

interface Place {
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
