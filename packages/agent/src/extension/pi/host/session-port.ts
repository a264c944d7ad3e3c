import type { JsonObject } from "../../../contract/json.ts";
import type { Message } from "../../../contract/messages.ts";
import type { SessionMeta, SessionRecord } from "../../../contract/session.ts";

/** What extensions keep in a session, beside its messages. */
export type ExtensionNote = Omit<
  Extract<SessionRecord, { type: "extension" }>,
  "type" | "id" | "parent" | "ts"
>;

/** What the host needs of a session. */
export interface SessionPort {
  readonly id: string;
  readonly cwd: string;
  /** Null when nothing is kept on disk. */
  readonly folder: string | null;
  readonly meta: Readonly<SessionMeta>;
  /** Id of the active branch's last record. */
  head(): string | null;
  /** Ids of all records in the order of writing, with the nearest surviving parent. */
  nodes(): readonly { id: string; parent: string | null; type: string }[];
  /** These records; null for one that cannot be read. Throws when the log cannot be read. */
  read(ids: readonly string[]): (SessionRecord | null)[];
  /** What the model sees of the active branch. */
  messages(): readonly Message[];
  /** Appends a message to the conversation. */
  append(message: Message): void;
  note(note: ExtensionNote): string;
  label(target: string, name: string): void;
  setTitle(title: string): void;
  saveSettings(values: JsonObject): void;
}
