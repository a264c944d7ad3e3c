import { heldReader } from "./record-reader.ts";
import { type Session, sessionOf } from "./session.ts";
import { type NewSession, newMeta, settingsOf } from "./session-meta.ts";
import { SessionTree } from "./session-tree.ts";

/** A session of `--no-session`: the same port, nothing on disk. */
export function memorySession(options: NewSession, now: () => number): Session {
  const meta = newMeta(options, now());
  const nothing = () => undefined;
  const sink = { degraded: false, append: () => null, sync: nothing, close: nothing };
  const tree = new SessionTree();
  const reader = heldReader(tree);
  return sessionOf({ meta, folder: null, tree, sink, reader, now, initial: settingsOf(meta) });
}
