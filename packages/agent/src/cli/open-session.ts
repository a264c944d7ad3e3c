import type { HomeFolders } from "../platform/home.ts";
import { memorySession } from "../session/memory-session.ts";
import type { Session } from "../session/session.ts";
import { SessionStore } from "../session/session-store.ts";
import type { Flags } from "./flags.ts";
import type { Notices } from "./notices.ts";
import { usageError } from "./usage-error.ts";

/** Opens the session that the flags ask to go on with; null when a new one is to be made. Rejects with usage errors and `session_locked`. */
export async function resumeSession(
  flags: Flags,
  cwd: string,
  home: HomeFolders,
  notices: Notices,
): Promise<Session | null> {
  const store = sessionStore(home, notices);
  if (flags.session !== null) {
    const session = store.open(await ownId(store, flags.session, notices));
    if (session.meta.cwd !== cwd)
      notices.warn(`session ${session.id} was begun in ${session.meta.cwd}; it goes on in ${cwd}`);
    return session;
  }
  if (!flags.continue) return null;
  const newest = store.newest({ cwd });
  if (newest === null) throw usageError(`there is no session to continue in ${cwd}`, 'begin one: pi -p "…"');
  return store.open(newest.id);
}

/** A new session; with `--no-session` one that leaves nothing on disk. */
export function newSession(
  flags: Flags,
  facts: { cwd: string; mode: string; model: string; provider: string },
  home: HomeFolders,
  notices: Notices,
): Session {
  const options = { ...facts, ...(flags.name === null ? {} : { title: flags.name }) };
  if (flags.noSession) return memorySession(options, Date.now);
  return sessionStore(home, notices).create(options);
}

/**
 * The id under which a session can be opened: one of pi-go's is imported first, once; what has no place in ours is told. Rejects as
 * {@link SessionStore.find}.
 */
export async function ownId(store: SessionStore, idOrPrefix: string, notices: Notices): Promise<string> {
  const found = store.find(idOrPrefix);
  if (found.foreign === undefined) return found.id;
  const from = `${found.foreign}:${found.id}`;
  const before = store.list().find((session) => session.imported === from);
  if (before !== undefined) return before.id;
  const { readForeignSession } = await import("../session/import/read-session.ts");
  const imported = readForeignSession(store.folderOf(found.id));
  const { id } = store.adopt(imported);
  notices.warn(
    [`session ${found.id} of ${found.foreign} goes on as ${id}.`, ...imported.notes.sentences()].join(" "),
  );
  return id;
}

/** The sessions of a user, with their caches. */
export function sessionStore(home: HomeFolders, notices: Notices): SessionStore {
  return new SessionStore({
    root: home.sessions,
    cache: home.cache,
    now: Date.now,
    onNotice: (message) => notices.warn(message),
  });
}
