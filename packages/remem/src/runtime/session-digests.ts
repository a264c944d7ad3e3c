import type { CapturedEntry } from "../core/capture/captured-entry.ts";
import { SessionDigest } from "../core/capture/compression/session-digest.ts";

const MOST_SESSIONS = 20;
const MOST_ENTRIES = 200;

/** What each session of this process has done, for its summary. */
export class SessionDigests {
  readonly #sessions = new Map<string, { readonly digest: SessionDigest; entries: CapturedEntry[] }>();

  add(entries: readonly CapturedEntry[]): void {
    for (const entry of entries) {
      const id = entry.memory.provenance.sessionId;
      const known = this.#sessions.get(id) ?? { digest: new SessionDigest(), entries: [] };
      known.digest.add(entry);
      // The first one is what the session was begun for.
      known.entries = [
        ...known.entries.slice(0, 1),
        ...known.entries.slice(1).slice(2 - MOST_ENTRIES),
        entry,
      ];
      this.#sessions.set(id, known);
      const oldest = this.#sessions.keys().next().value;
      if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
    }
  }

  /** Takes a session's digest out; undefined when nothing worth a summary happened. */
  take(
    sessionId: string,
  ): { readonly digest: SessionDigest; readonly entries: readonly CapturedEntry[] } | undefined {
    const known = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    return known === undefined || known.digest.isEmpty ? undefined : known;
  }
}

/** The digest of some of a session's entries; undefined when they are not worth a summary. */
export function digestOf(entries: readonly CapturedEntry[]): SessionDigest | undefined {
  const digest = new SessionDigest();
  for (const entry of entries) digest.add(entry);
  return digest.isEmpty ? undefined : digest;
}
