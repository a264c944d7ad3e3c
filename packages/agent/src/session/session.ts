import type { JsonObject } from "../contract/json.ts";
import type { Message } from "../contract/messages.ts";
import { textOf } from "../contract/messages.ts";
import type { Conversation, SessionMeta, SessionRecord } from "../contract/session.ts";
import { encodeJsonLine } from "../platform/json-lines.ts";
import { coveredOrder, type ViewEntry } from "./branch-view.ts";
import { recordId } from "./session-id.ts";
import { titleFrom } from "./session-title.ts";
import type { SessionTree, TreeNode } from "./session-tree.ts";

/** A conversation with what a resume needs. Made by {@link SessionStore} or `memorySession`. */
export interface Session extends Conversation {
  readonly meta: Readonly<SessionMeta>;
  /** The session's folder; null when nothing is kept on disk. It comes into being with the first record. */
  readonly folder: string | null;
  /** Values of all `setting` records, the latest of each key. */
  readonly settings: Readonly<JsonObject>;
  /** The branch that is appended to. */
  readonly branch: string;
  /** Id of the branch's last record, for {@link compact}. */
  readonly head: string | null;
  /** True while something is not on disk, because the disk refuses: the exit code must then not be 0. */
  readonly degraded: boolean;
  /** Records settings that a resume restores; those that have this value already are left out. */
  saveSettings(values: JsonObject): void;
  /** From now on the model sees `messages` instead of everything up to `upTo` (default: {@link head}). The records stay. */
  compact(kind: "shed" | "summary", messages: Message[], upTo?: string): void;
  setTitle(title: string): void;
  /** Writes what is left and gives the session free for other processes. A second call does nothing. */
  close(): void;
}

/** Where a session's lines go. */
export interface SessionSink {
  readonly degraded: boolean;
  append(line: string): void;
  sync(meta: SessionMeta): void;
  close(meta: SessionMeta): void;
}

export interface SessionParts {
  meta: SessionMeta;
  folder: string | null;
  tree: SessionTree;
  sink: SessionSink;
  now(): number;
  /** Settings of a new session, written before its first record. */
  initial?: JsonObject;
  /** What is on disk already; absent for a new session. */
  stored?: StoredView;
}

/** The conversation so far. It is read at the first need, so that opening a huge session costs little. */
export interface StoredView {
  /** Called at most once. */
  read(): ViewEntry[];
  /** Called when the session is closed, read or not. */
  close(): void;
}

/** Joins the tree, the view and the sink. Every change is one record: written, then applied in memory. */
export function sessionOf(parts: SessionParts): Session {
  const { meta, tree, sink } = parts;
  const messages: Message[] = [];
  /** The record that each message comes from. */
  let nodes: TreeNode[] = [];
  let initial = parts.initial;
  let loaded = false;
  let closed = false;

  if (initial) Object.assign(tree.settings, initial);

  const load = (): Message[] => {
    if (loaded) return messages;
    loaded = true;
    for (const { node, message } of parts.stored?.read() ?? []) {
      messages.push(message);
      nodes.push(node);
    }
    return messages;
  };

  type Body = SessionRecord extends infer R
    ? R extends SessionRecord
      ? Omit<R, "id" | "parent" | "ts">
      : never
    : never;
  const write = <T extends Body>(body: T): { node: TreeNode; body: T } => {
    if (initial) {
      const values = initial;
      initial = undefined;
      write({ type: "setting", values });
    }
    const time = Math.max(Math.trunc(parts.now()), tree.latest + 1);
    const head = { id: recordId(time), parent: tree.head?.id ?? null, ts: new Date(time).toISOString() };
    const record = { ...head, ...body };
    const line = encodeJsonLine(record);
    sink.append(line);
    // Ill-formed text was replaced on its way to the disk; memory must not differ from what a reload gives.
    const stored = (line.includes("\\ufffd") ? JSON.parse(line) : record) as SessionRecord & T;
    tree.add({ ...head, type: body.type }, null, stored);
    meta.updated = head.ts;
    return { node: tree.nodes.get(head.id)!, body: stored };
  };

  return {
    id: meta.id,
    meta,
    folder: parts.folder,
    settings: tree.settings,
    get branch() {
      return tree.active;
    },
    get head() {
      return tree.head?.id ?? null;
    },
    get degraded() {
      return sink.degraded;
    },
    messages: load,
    append(message) {
      load();
      if (message.role === "user" && message.origin === "user")
        meta.title ??= titleFrom(textOf(message.parts));
      const { node, body } = write({ type: "message", message });
      messages.push(body.message);
      nodes.push(node);
    },
    sync: () => sink.sync(meta),
    saveSettings(values) {
      const changed = Object.entries(values).filter(
        ([key, value]) => JSON.stringify(tree.settings[key]) !== JSON.stringify(value),
      );
      if (changed.length === 0) return;
      const { model, provider, mode } = values;
      if (typeof model === "string") meta.model = model;
      if (typeof provider === "string") meta.provider = provider;
      if (typeof mode === "string") meta.mode = mode;
      const news = Object.fromEntries(changed);
      if (initial) Object.assign(tree.settings, Object.assign(initial, news));
      else write({ type: "setting", values: news });
    },
    compact(kind, replacement, upTo) {
      load();
      const target = upTo ?? tree.head?.id ?? "";
      const { node, body } = write({ type: "compaction", kind, messages: replacement, upTo: target });
      const covered = coveredOrder(tree, node, target);
      const kept = messages.filter((_, index) => nodes[index]!.order > covered);
      nodes = [...body.messages.map(() => node), ...nodes.filter((old) => old.order > covered)];
      messages.splice(0, messages.length, ...body.messages, ...kept);
    },
    setTitle(title) {
      const text = titleFrom(title);
      if (text !== undefined) meta.title = text;
    },
    close() {
      if (closed) return;
      closed = true;
      parts.stored?.close();
      sink.close(meta);
    },
  };
}
