import { rmSync } from "node:fs";
import type { MemoryRecord } from "../core/memory/record.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { KeptCopy } from "../store/sqlite/backup/list-kept.ts";

/** What became of the copies beside a store after something was erased from it. */
export interface ScrubReport {
  /** Copies that were opened and hold none of it any more. */
  readonly clean: number;
  /** Memories that were erased from copies. */
  readonly erased: number;
  /** Copies that cannot be opened: it may still be in them. */
  readonly unread: readonly string[];
}

const RECORDS_AT_ONCE = 500;

/** Erases memories from the copies that the engine keeps beside a store, so that no restore brings them back. */
export async function scrubCopies(
  path: string,
  forgotten: readonly MemoryRecord[],
  clock: Clock,
): Promise<ScrubReport> {
  const { listKeptCopies } = await import("../store/sqlite/backup/list-kept.ts");
  const ids = new Set(forgotten.map(({ id }) => id));
  const texts = new Set(forgotten.map(contentOf));
  const unread: string[] = [];
  let clean = 0;
  let erased = 0;
  for (const copy of listKeptCopies(path))
    try {
      erased += await scrubCopy(copy, (record) => ids.has(record.id) || texts.has(contentOf(record)), clock);
      clean++;
    } catch {
      unread.push(copy.path);
    }
  return { clean, erased, unread };
}

async function scrubCopy(
  { path }: KeptCopy,
  isForgotten: (record: MemoryRecord) => boolean,
  clock: Clock,
): Promise<number> {
  const { openSqliteStore } = await import("../store/sqlite/open-store.ts");
  const { listKeptCopies } = await import("../store/sqlite/backup/list-kept.ts");
  try {
    const store = await openSqliteStore({ path, clock });
    try {
      const ids: string[] = [];
      for (let after: number | null = 0; after !== null; ) {
        const part: Awaited<ReturnType<typeof store.scan>> = await store.scan(after, RECORDS_AT_ONCE);
        ids.push(...part.items.filter(isForgotten).map(({ id }) => id));
        after = part.next;
      }
      if (ids.length === 0) return 0;
      return (await store.forget({ ids }, clock.now())).memories;
    } finally {
      await store.close();
    }
  } finally {
    // Opening an older copy brings it up to date and keeps what it was, which would hold what is to go.
    for (const older of listKeptCopies(path)) rmSync(older.path, { force: true });
  }
}

function contentOf({ title, text }: MemoryRecord): string {
  return JSON.stringify([title, text]);
}
