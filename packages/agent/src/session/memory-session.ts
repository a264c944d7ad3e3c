import { type Session, sessionOf } from "./session.ts";
import { type NewSession, newMeta, settingsOf } from "./session-meta.ts";
import { SessionTree } from "./session-tree.ts";

/** A session of `--no-session`: the same port, nothing on disk. */
export function memorySession(options: NewSession, now: () => number): Session {
  const meta = newMeta(options, now());
  const nothing = () => undefined;
  const sink = { degraded: false, append: nothing, sync: nothing, close: nothing };
  return sessionOf({ meta, folder: null, tree: new SessionTree(), sink, now, initial: settingsOf(meta) });
}
