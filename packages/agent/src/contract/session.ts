/** The port to a conversation's storage: an append-only tree of records, of which the loop sees one branch as messages. */
import type { FileChange } from "./checkpoint.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Message } from "./messages.ts";

export type CompactionKind = "shed" | "summary";

/** Indexes of messages that are older than the newest change of what came before them (a compaction, or the undoing of one). */
export interface OutdatedRange {
  /** What a service counted for messages before this index holds no longer; 0 when nothing was ever changed. */
  before: number;
  /**
   * Those from here on, up to `before`, stand behind something that has changed since they were made: thinking that is bound to what
   * came before it must not go back. Compaction leaves it out itself, so that this speaks of what an undoing leaves.
   */
  from: number;
}

/** What the loop needs of a conversation. The array is live and must not be changed by the reader. */
export interface Conversation {
  readonly id: string;
  messages(): readonly Message[];
  /** What was made when the history looked different. */
  readonly outdated: OutdatedRange;
  /** Written before it returns (a kill right after loses nothing); throws never: a full disk turns into a notice. */
  append(message: Message): void;
  /** From now on `messages` stand for the first `upTo` ones. One record; what it stands for stays in the log. */
  compact(kind: CompactionKind, messages: readonly Message[], upTo: number): void;
  /**
   * Takes the newest compaction out of the view: what it stood for is seen again, with all that came after it. Null when there
   * is none. Throws a PiError with a FileErrorCode when the log cannot be read; nothing has changed then.
   */
  undoCompaction(): CompactionKind | null;
  /** Makes everything appended so far survive a power cut; once per user turn. */
  sync(): void;
}

/** `meta.json`. Times are ISO 8601. */
export interface SessionMeta {
  id: string;
  app: "pi-ts";
  user: string;
  cwd: string;
  mode: string;
  model: string;
  provider: string;
  created: string;
  updated: string;
  title?: string;
  /** Where it was imported from: a program and its id there (`pi-go:ID`). */
  imported?: string;
  /** Of a subagent: the session that started it, and its id there. */
  parent_session?: string;
  agent?: string;
}

/** One line of `events.jsonl`. Unknown types are kept and ignored. */
export type SessionRecord = { id: string; parent: string | null; ts: string } & (
  | { type: "message"; message: Message }
  /** The head of a branch moves to `target` (branch switch, rewind). */
  | { type: "head"; branch: string; target: string | null }
  | {
      type: "branch";
      action: "create" | "rename" | "delete";
      branch: string;
      target?: string | null;
      to?: string;
    }
  /** From here on the model sees `messages` instead of what came before; the records stay. */
  | { type: "compaction"; kind: CompactionKind; messages: Message[]; upTo: string }
  /** The compaction `target` counts no longer. */
  | { type: "undo"; target: string }
  /** Files that tools changed in this turn: as they were, and as they were left. */
  | { type: "checkpoint"; files: FileChange[] }
  /**
   * A person went to this place, with or without the files. `from` is the place that was left; `files` how files here now differ from
   * what the records before this one say; `replaced` what was done to them, so that it can be undone.
   */
  | {
      type: "rewind";
      from: { branch: string; head: string | null };
      files: FileChange[];
      replaced: FileChange[];
      /** The rewind that this one takes back. */
      undoes?: string;
    }
  /** A name for the record `target`; an empty one takes it away. */
  | { type: "label"; target: string; name: string }
  /** What an extension keeps: state of its own, or what the message record `target` is to it. No model reads it. */
  | {
      type: "extension";
      kind: "entry" | "message";
      custom: string;
      data: Json;
      display?: boolean;
      target?: string;
    }
  /** Model, mode or any other setting that a resume restores. */
  | { type: "setting"; values: JsonObject }
);
