/** A whole session as people read it: everything that was said, on every branch. */
import type { Message } from "./messages.ts";
import type { SessionMeta } from "./session.ts";

export interface TranscriptEntry {
  message: Message;
  /** When it was stored, in milliseconds since 1970; null when that is not known. */
  time: number | null;
}

/** A branch besides the current one: what it has of its own. */
export interface TranscriptBranch {
  name: string;
  /** How many of the current branch's entries come before its own. */
  shared: number;
  entries: readonly TranscriptEntry[];
}

/** As if nothing had ever been compacted. */
export interface SessionTranscript {
  meta: SessionMeta;
  /** The current branch. */
  branch: string;
  entries: readonly TranscriptEntry[];
  others: readonly TranscriptBranch[];
}
