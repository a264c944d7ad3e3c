import type { JsonObject } from "../contract/json.ts";
import { type Message, textOf } from "../contract/messages.ts";
import type { Conversation, SessionMeta, SessionRecord } from "../contract/session.ts";
import type { SessionTranscript } from "../contract/transcript.ts";
import { encodeJsonLine } from "../platform/json-lines.ts";
import type { Span } from "./log-line.ts";
import type { RecordReader } from "./record-reader.ts";
import { type SessionBranches, sessionBranches } from "./session-branches.ts";
import { recordId } from "./session-id.ts";
import { type SessionRecords, sessionRecords } from "./session-records.ts";
import { titleFrom } from "./session-title.ts";
import { transcriptOf } from "./session-transcript.ts";
import type { RecordBody, SessionTree, TreeNode } from "./session-tree.ts";
import { SessionView } from "./session-view.ts";

/** A conversation with what a resume needs. Made by {@link SessionStore} or `memorySession`. */
export interface Session extends Conversation, SessionBranches, SessionRecords {
  readonly meta: Readonly<SessionMeta>;
  /** The session's folder; null when nothing is kept on disk. It comes into being with the first record. */
  readonly folder: string | null;
  /** Values of all `setting` records, the latest of each key. */
  readonly settings: Readonly<JsonObject>;
  /** The branch that is appended to. */
  readonly branch: string;
  /** Id of the branch's last record. */
  readonly head: string | null;
  /** True while something is not on disk, because the disk refuses: the exit code must then not be 0. */
  readonly degraded: boolean;
  /**
   * Everything that was said on this branch, as if nothing had ever been compacted; for people. Throws a PiError with a FileErrorCode
   * when the log cannot be read.
   */
  said(): readonly Message[];
  /** Everything that was said on every branch. Throws as {@link said}. */
  transcript(): SessionTranscript;
  /** Records settings that a resume restores; those that have this value already are left out. */
  saveSettings(values: JsonObject): void;
  setTitle(title: string): void;
  /** Writes what is left and gives the session free for other processes. A second call does nothing. */
  close(): void;
}

/** Where a session's lines go. */
export interface SessionSink {
  readonly degraded: boolean;
  /** The line's place in the log; null while it is on no disk. */
  append(line: string): Span | null;
  sync(meta: SessionMeta): void;
  close(meta: SessionMeta): void;
}

export interface SessionParts {
  meta: SessionMeta;
  folder: string | null;
  tree: SessionTree;
  sink: SessionSink;
  reader: RecordReader;
  now(): number;
  /** Settings of a new session, written before its first record. */
  initial?: JsonObject;
}

/** Joins the tree, the view and the sink. Every change is one record: written, then applied in memory. */
export function sessionOf(parts: SessionParts): Session {
  const { meta, tree, sink, reader } = parts;
  const held = new Map<string, SessionRecord>();
  let initial = parts.initial;
  let shown: SessionView | undefined;
  let closed = false;

  if (initial) Object.assign(tree.settings, initial);
  const { title: given } = tree.settings;
  // Given in the log and lost beside it.
  if (typeof given === "string") meta.title = given;

  const load = (): SessionView => {
    if (shown) return shown;
    shown = new SessionView(tree);
    shown.show(reader.load());
    return shown;
  };

  const write = <T extends RecordBody>(body: T): { node: TreeNode | undefined; body: T } => {
    if (initial) {
      const values = initial;
      initial = undefined;
      write({ type: "setting", values });
    }
    const time = Math.max(Math.trunc(parts.now()), tree.latest + 1);
    const head = { id: recordId(time), parent: tree.head?.id ?? null, ts: new Date(time).toISOString() };
    const record = { ...head, ...body };
    const line = encodeJsonLine(record);
    const span = sink.append(line);
    // Ill-formed text was replaced on its way to the disk; memory must not differ from what a reload gives.
    const stored = (line.includes("\\ufffd") ? JSON.parse(line) : record) as SessionRecord & T;
    if (!span) held.set(head.id, stored);
    tree.add({ ...head, type: body.type }, span, stored);
    meta.updated = head.ts;
    return { node: tree.nodes.get(head.id), body: stored };
  };

  const saveSettings = (values: JsonObject): void => {
    const changed = Object.entries(values).filter(
      ([key, value]) => JSON.stringify(tree.settings[key]) !== JSON.stringify(value),
    );
    if (changed.length === 0) return;
    const { model, provider, mode, parent_session: parent, agent } = values;
    if (typeof model === "string") meta.model = model;
    if (typeof provider === "string") meta.provider = provider;
    if (typeof mode === "string") meta.mode = mode;
    if (typeof parent === "string") meta.parent_session = parent;
    if (typeof agent === "string") meta.agent = agent;
    const news = Object.fromEntries(changed);
    if (initial) Object.assign(tree.settings, Object.assign(initial, news));
    else write({ type: "setting", values: news });
  };

  /** Reads a branch anew; `show` shows it. */
  const look = (head: TreeNode | null) => {
    const view = load();
    const read = reader.read(held, head);
    return () => view.show(read);
  };

  return {
    ...sessionBranches({ tree, write, look }),
    ...sessionRecords({ tree, write, look, read: (nodes) => reader.records(held, nodes) }),
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
    get outdated() {
      return load().outdated;
    },
    messages: () => load().messages,
    said() {
      const view = load();
      if (view.compaction === null) return view.messages;
      return reader.read(held, tree.head, { whole: true }).entries.map((entry) => entry.message);
    },
    transcript: () => transcriptOf(meta, tree, reader, held),
    append(message) {
      const view = load();
      if (message.role === "user" && message.origin === "user")
        meta.title ??= titleFrom(textOf(message.parts));
      const { node, body } = write({ type: "message", message });
      view.append(node!, body.message);
    },
    sync: () => sink.sync(meta),
    saveSettings,
    compact(kind, replacement, count) {
      const view = load();
      const place = view.cover(count);
      if (!place) return;
      const upTo = place.upTo.id;
      const { node, body } = write({
        type: "compaction",
        kind,
        messages: [...replacement, ...place.also],
        upTo,
      });
      view.compact(kind, node!, upTo, body.messages);
    },
    undoCompaction() {
      const view = load();
      const { compaction } = view;
      if (!compaction) return null;
      // Read first: nothing has changed when that fails.
      const read = reader.read(held, tree.head, { undone: compaction.node });
      const { node } = write({ type: "undo", target: compaction.node.id });
      view.undone(node!, read);
      return compaction.kind;
    },
    setTitle(title) {
      const text = titleFrom(title);
      if (text === undefined) return;
      meta.title = text;
      saveSettings({ title: text });
    },
    close() {
      if (closed) return;
      closed = true;
      reader.close();
      sink.close(meta);
    },
  };
}
