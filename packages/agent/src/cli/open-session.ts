import type { HomeFolders } from "../platform/home.ts";
import { memorySession } from "../session/memory-session.ts";
import type { Session } from "../session/session.ts";
import { SessionStore } from "../session/session-store.ts";
import type { Flags } from "./flags.ts";
import type { Notices } from "./notices.ts";
import { usageError } from "./usage-error.ts";

/** Opens the session that the flags ask to go on with; null when a new one is to be made. Throws usage errors and `session_locked`. */
export function resumeSession(
  flags: Flags,
  cwd: string,
  home: HomeFolders,
  notices: Notices,
): Session | null {
  const store = sessionStore(home, notices);
  if (flags.session !== null) {
    const session = store.open(flags.session);
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

function sessionStore(home: HomeFolders, notices: Notices): SessionStore {
  return new SessionStore({
    root: home.sessions,
    now: Date.now,
    onNotice: (message) => notices.warn(message),
  });
}
