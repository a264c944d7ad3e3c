import { join } from "node:path";
import { textOf } from "../../../contract/messages.ts";
import type { SessionRecord } from "../../../contract/session.ts";
import { toPi } from "./pi-message.ts";
import type { SessionPort } from "./session-port.ts";

/** An entry of a session as extensions read it. */
export interface PiEntry {
  type: string;
  id: string;
  parentId: string | null;
  timestamp: string;
  [field: string]: unknown;
}

/** `ctx.sessionManager`: a session of ours as Pi's extensions read one. Read only. */
export class SessionView {
  readonly #session: SessionPort;
  /** Records never change, so that an entry is made once. */
  readonly #made = new Map<string, PiEntry>();

  constructor(session: SessionPort) {
    this.#session = session;
  }

  getCwd = () => this.#session.cwd;
  getSessionDir = () => (this.#session.folder === null ? "" : join(this.#session.folder, ".."));
  getSessionId = () => this.#session.id;
  getSessionFile = () =>
    this.#session.folder === null ? undefined : join(this.#session.folder, "events.jsonl");
  getSessionName = () => this.#session.meta.title;
  getLeafId = () => this.#session.head();
  isPersisted = () => this.#session.folder !== null;

  getHeader = () => ({
    type: "session",
    version: 3,
    id: this.#session.id,
    timestamp: this.#session.meta.created,
    cwd: this.#session.cwd,
  });

  getEntries = (): PiEntry[] => this.#entries(this.#session.nodes().map(({ id }) => id));

  getEntry = (id: string): PiEntry | undefined => this.#entries([id])[0];

  getLeafEntry = (): PiEntry | undefined => {
    const head = this.#session.head();
    return head === null ? undefined : this.getEntry(head);
  };

  /** From the root to `from`, or to the end of the active branch. */
  getBranch = (from?: string): PiEntry[] => {
    const parents = new Map(this.#session.nodes().map(({ id, parent }) => [id, parent]));
    const path: string[] = [];
    for (let id = from ?? this.#session.head(); id !== null && parents.has(id); id = parents.get(id) ?? null)
      path.push(id);
    return this.#entries(path.reverse());
  };

  getChildren = (parent: string): PiEntry[] =>
    this.#entries(this.#session.nodes().flatMap((node) => (node.parent === parent ? [node.id] : [])));

  getLabel = (id: string): string | undefined => {
    const labels = this.getEntries().filter((entry) => entry.type === "label" && entry["targetId"] === id);
    return (labels.at(-1)?.["label"] as string | undefined) || undefined;
  };

  getTree = () => {
    const entries = this.getEntries();
    const labels = new Map(
      entries.flatMap((entry) => (entry.type === "label" ? [[entry["targetId"], entry["label"]]] : [])),
    );
    const nodes = new Map(
      entries.map((entry) => [
        entry.id,
        { entry, children: [] as unknown[], label: labels.get(entry.id) || undefined },
      ]),
    );
    const roots: unknown[] = [];
    for (const node of nodes.values()) (nodes.get(node.entry.parentId ?? "")?.children ?? roots).push(node);
    return roots;
  };

  /** The entries of the active branch that the model sees something of. */
  buildContextEntries = (): PiEntry[] => {
    const branch = this.getBranch();
    const last = branch.findLastIndex(({ type }) => type === "compaction");
    if (last < 0) return branch;
    const kept = branch.findIndex(({ id }) => id === branch[last]!["firstKeptEntryId"]);
    return [
      branch[last]!,
      ...branch.slice(kept < 0 ? last + 1 : Math.min(kept, last), last),
      ...branch.slice(last + 1),
    ];
  };

  buildSessionContext = () => ({
    messages: this.#session.messages().flatMap((message) => toPi(message, 0)),
    thinkingLevel: "off",
    model: null,
  });

  buildSessionProjection = () => ({ ...this.buildSessionContext(), entries: this.buildContextEntries() });

  #entries(ids: readonly string[]): PiEntry[] {
    const news = ids.filter((id) => !this.#made.has(id));
    const records = news.length === 0 ? [] : this.#session.read(news);
    const parents = new Map(this.#session.nodes().map(({ id, parent }) => [id, parent]));
    for (const [index, record] of records.entries())
      if (record !== null) this.#made.set(news[index]!, entryOf(record, parents.get(record.id) ?? null));
    return ids.flatMap((id) => this.#made.get(id) ?? []);
  }
}

/** A record as an entry. What Pi has no entry for becomes a `custom` one, so that no parent is missing. */
function entryOf(record: SessionRecord, parentId: string | null): PiEntry {
  const head = { id: record.id, parentId, timestamp: record.ts };
  switch (record.type) {
    case "message":
      return { type: "message", ...head, message: toPi(record.message, Date.parse(record.ts))[0] };
    case "compaction":
      return {
        type: "compaction",
        ...head,
        summary: record.messages
          .filter((message) => message.role === "user" && message.origin === "summary")
          .map((message) => textOf(message.parts))
          .join("\n\n"),
        firstKeptEntryId: record.upTo,
        tokensBefore: 0,
      };
    case "label":
      return { type: "label", ...head, targetId: record.target, label: record.name };
    case "setting": {
      const { model, provider, thinking, title } = record.values;
      if (typeof model === "string") return { type: "model_change", ...head, provider, modelId: model };
      if (typeof thinking === "string")
        return { type: "thinking_level_change", ...head, thinkingLevel: thinking };
      if (typeof title === "string") return { type: "session_info", ...head, name: title };
      return { type: "custom", ...head, customType: "pi-ts:setting", data: record.values };
    }
    case "extension": {
      if (record.kind === "entry")
        return { type: "custom", ...head, customType: record.custom, data: record.data };
      const { content, details } = record.data as { content?: unknown; details?: unknown };
      return {
        type: "custom_message",
        ...head,
        customType: record.custom,
        content: content ?? "",
        display: record.display === true,
        ...(details === undefined || details === null ? {} : { details }),
      };
    }
    default:
      return { type: "custom", ...head, customType: `pi-ts:${record.type}`, data: null };
  }
}
