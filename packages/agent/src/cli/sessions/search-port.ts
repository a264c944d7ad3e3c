import { join } from "node:path";
import type { FoundSession, SearchReport } from "../../commands/sessions/sessions-ports.ts";
import { errorMessage, PiError } from "../../contract/errors.ts";
import { createRedactor } from "../../platform/redact.ts";
import type { ListedSession } from "../../session/listed-session.ts";
import type { Notices } from "../notices.ts";
import { sessionStore } from "../open-session.ts";
import type { Place } from "../place.ts";
import { rowOf } from "./session-row.ts";

/** How long one search may read into the index before it answers. */
const INDEX_MS = 1_500;
/** How long the program reads in one go, so that an interrupt is seen. */
const TURN_MS = 250;
const SEARCH_FILE = "session-search.db";

/**
 * Searches the sessions of every project: their titles and everything that was said in them, the latest first. The index is brought up
 * to date first, for a moment, or (`whole`) until it has everything.
 */
export async function searchSessions(
  { place, notices }: { place: Place; notices: Notices },
  words: string,
  { limit, whole }: { limit: number; whole: boolean },
  signal: AbortSignal,
): Promise<SearchReport> {
  const { SessionSearch } = await import("../../session/search/session-search.ts");
  const { home } = place;
  const sessions = sessionStore(home, notices).list();
  const known = new Map(sessions.map((session) => [session.id, session]));
  // Those of pi-go are read once they are imported.
  const ids = sessions.filter(({ foreign }) => foreign === undefined).map(({ id }) => id);
  const file = join(home.cache, SEARCH_FILE);
  const search = attempt(file, () => new SessionSearch(home.sessions, file));
  try {
    const unread = await bringUpToDate(search, ids, whole ? Number.POSITIVE_INFINITY : INDEX_MS, signal);
    const hits = search.find(words, limit + 1);
    const redactor = createRedactor();
    const found = new Map<string, FoundSession>();
    for (const session of titled(sessions, words))
      found.set(session.id, { ...rowOf(session), snippet: "", places: 0 });
    for (const { id, snippet, places } of hits) {
      const session = known.get(id);
      if (session !== undefined)
        found.set(id, { ...rowOf(session), snippet: redactor.text(snippet), places });
    }
    const latestFirst = [...found.values()].sort((a, b) => b.updated - a.updated);
    return { hits: latestFirst.slice(0, limit), more: latestFirst.length > limit, unread };
  } finally {
    search.close();
  }
}

function attempt<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (thrown) {
    throw new PiError({
      code: "search_index",
      message: `the index of the search cannot be used (${file}): ${errorMessage(thrown)}`,
      hint: "Try again in a moment; if that does not help, look at that folder's owner, mode and free space.",
      cause: thrown,
    });
  }
}

/** Sessions that say the words in their titles: also those that are not in the index. */
function titled(sessions: readonly ListedSession[], words: string): ListedSession[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return sessions.filter(({ title, id }) => {
    const text = `${title ?? ""} ${id}`.toLowerCase();
    return wanted.length > 0 && wanted.every((word) => text.includes(word));
  });
}

async function bringUpToDate(
  search: { update(ids: readonly string[], until: () => boolean): { left: number; stopped: boolean } },
  ids: readonly string[],
  mostMs: number,
  signal: AbortSignal,
): Promise<number> {
  const start = performance.now();
  for (;;) {
    const turn = performance.now();
    const until = () => performance.now() - turn > TURN_MS || performance.now() - start > mostMs;
    const { left, stopped } = search.update(ids, until);
    if (left === 0 || stopped || signal.aborted || performance.now() - start > mostMs) return left;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
