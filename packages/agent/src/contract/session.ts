/** The port to a conversation's storage: an append-only tree of records, of which the loop sees one branch as messages. */
import type { JsonObject } from "./json.ts";
import type { Message } from "./messages.ts";

/** What the loop needs of a conversation. The array is live and must not be changed by the reader. */
export interface Conversation {
  readonly id: string;
  messages(): readonly Message[];
  /** Written before it returns (a kill right after loses nothing); throws never: a full disk turns into a notice. */
  append(message: Message): void;
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
  | { type: "compaction"; kind: "shed" | "summary"; messages: Message[]; upTo: string }
  /** Model, mode or any other setting that a resume restores. */
  | { type: "setting"; values: JsonObject }
);
