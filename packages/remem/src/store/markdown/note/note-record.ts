import { createHash } from "node:crypto";
import { basename } from "node:path";
import {
  type AuthorRole,
  type Freshness,
  isMemoryKind,
  type MemoryRecord,
  type MemoryState,
} from "../../../core/memory/record.ts";
import { type MemoryScope, parseScopeKey, scopeKey } from "../../../core/memory/scope.ts";
import { changeFields, type FieldValue, parseFields, splitNote } from "./front-matter.ts";

/** What a note that says nothing about itself is taken for. */
export interface NoteDefaults {
  /** Where it lies in its folder, with slashes. */
  readonly path: string;
  readonly scope: MemoryScope;
  /** When its file was changed last. */
  readonly changedAt: number;
}

const STATES: ReadonlySet<string> = new Set(["active", "candidate", "superseded"]);
const FRESHNESS: ReadonlySet<string> = new Set(["current", "stale", "unknown"]);
const ROLES: ReadonlySet<string> = new Set(["user", "agent", "tool", "import"]);
const HEADING = /^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$/m;
const FOREIGN_HOST = "markdown";

/** The memory a note holds. Throws an error that says what is wrong with it, without quoting its text. */
export async function readNote(content: string, defaults: NoteDefaults): Promise<MemoryRecord> {
  const { opening, front, body } = splitNote(content);
  const fields = new Fields(front === null ? new Map() : await parseFields(front));
  const own = fields.text("id") !== undefined;
  const kind = fields.text("kind") ?? "fact";
  if (own && !isMemoryKind(kind)) throw new Error(`its kind is not known: "${kind.slice(0, 40)}"`);
  const name = fields.text("author_name");
  const messageId = fields.text("message");
  const at = fields.time("said") ?? fields.time("date") ?? Math.trunc(defaults.changedAt);
  return {
    id: fields.text("id") ?? foreignId(defaults.path),
    kind: isMemoryKind(kind) ? kind : "fact",
    scope: fields.scope("scope") ?? defaults.scope,
    title: fields.text("title") ?? (own ? "" : foreignTitle(body, defaults.path)),
    text: own ? withoutLastLineFeed(body, opening.includes("\r")) : body.trim(),
    attachment: fields.text("attachment") ?? "",
    files: fields.list("files"),
    subject: fields.text("subject"),
    provenance: {
      host: fields.text("host") ?? FOREIGN_HOST,
      sessionId: fields.text("session") ?? FOREIGN_HOST,
      ...(messageId === undefined ? {} : { messageId }),
      author: {
        role: fields.oneOf("author", ROLES, "import") as AuthorRole,
        ...(name === undefined ? {} : { name }),
      },
      typed: fields.flag("typed"),
    },
    at,
    recordedAt: fields.time("recorded") ?? at,
    validTo: fields.time("valid_to"),
    freshness: fields.oneOf("freshness", FRESHNESS, "current") as Freshness,
    state: fields.oneOf("state", STATES, "active") as MemoryState,
    pinned: fields.flag("pinned"),
    supersededBy: fields.text("superseded_by"),
  };
}

/** A memory as a note of its own. */
export async function writeNote(record: MemoryRecord): Promise<string> {
  return `---\n${await changeFields("", new Map([...fixedFields(record), ...markFields(record)]))}---\n${record.text}\n`;
}

/** A note with the marks of its memory: id, state, freshness, pin, successor. Its body, and fields that are not ours, stay byte for byte. */
export async function remarkNote(content: string, record: MemoryRecord): Promise<string> {
  const { opening, front, closing, body } = splitNote(content);
  const marks = markFields(record);
  if (front === null)
    return `---\n${await changeFields("", new Map([...fixedFields(record), ...marks]))}---\n${content}`;
  const present = await parseFields(front);
  // With an id, a note is read as one of ours: what was concluded so far is written down with it.
  const concluded = present.has("id")
    ? []
    : [...fixedFields(record)].filter(([name]) => !present.has(name) || CHOSEN.has(name));
  return opening + (await changeFields(front, new Map([...concluded, ...marks]))) + closing + body;
}

/** Fields in which another program's words would be wrong. */
const CHOSEN: ReadonlySet<string> = new Set(["kind", "scope", "author"]);

function fixedFields(record: MemoryRecord): Map<string, FieldValue | undefined> {
  const { provenance } = record;
  return new Map<string, FieldValue | undefined>([
    ["id", record.id],
    ["kind", record.kind],
    ["scope", scopeKey(record.scope)],
    ["title", record.title === "" ? undefined : record.title],
    ["subject", record.subject],
    ["files", record.files.length === 0 ? undefined : record.files],
    ["attachment", record.attachment === "" ? undefined : record.attachment],
    ["author", provenance.author.role],
    ["author_name", provenance.author.name],
    ["typed", provenance.typed],
    ["host", provenance.host],
    ["session", provenance.sessionId],
    ["message", provenance.messageId],
    ["said", isoTime(record.at)],
    ["recorded", isoTime(record.recordedAt)],
  ]);
}

function markFields(record: MemoryRecord): Map<string, FieldValue | undefined> {
  return new Map<string, FieldValue | undefined>([
    ["state", record.state],
    ["freshness", record.freshness],
    ["pinned", record.pinned ? true : undefined],
    ["valid_to", record.validTo === undefined ? undefined : isoTime(record.validTo)],
    ["superseded_by", record.supersededBy],
  ]);
}

/** Times that a calendar cannot write stay numbers. */
function isoTime(at: number): string | number {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) || date.getTime() !== at ? at : date.toISOString();
}

/** The line feed at the end is the file's, not the text's. */
function withoutLastLineFeed(body: string, windows: boolean): string {
  if (windows && body.endsWith("\r\n")) return body.slice(0, -2);
  return body.endsWith("\n") ? body.slice(0, -1) : body;
}

function foreignTitle(body: string, path: string): string {
  return HEADING.exec(body)?.[1] ?? basename(path).replace(/\.[^.]+$/, "");
}

/** The id of a note that has none: it stays the same while the note stays where it is. */
function foreignId(path: string): string {
  return `n${createHash("sha256").update(path).digest("hex").slice(0, 24)}`;
}

class Fields {
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(fields: ReadonlyMap<string, unknown>) {
    this.#fields = fields;
  }

  text(name: string): string | undefined {
    const value = this.#fields.get(name);
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : undefined;
  }

  flag(name: string): boolean {
    return this.#fields.get(name) === true;
  }

  list(name: string): string[] {
    const value = this.#fields.get(name);
    if (Array.isArray(value)) return value.map(String);
    return typeof value === "string" ? [value] : [];
  }

  time(name: string): number | undefined {
    const value = this.#fields.get(name);
    if (value === undefined || value === null) return undefined;
    if (typeof value === "number") return value;
    const at = value instanceof Date ? value.getTime() : Date.parse(String(value));
    if (Number.isNaN(at)) throw new Error(`its field "${name}" is no date`);
    return at;
  }

  oneOf(name: string, allowed: ReadonlySet<string>, otherwise: string): string {
    const value = this.text(name) ?? otherwise;
    // A word of another program's in a field of the same name is no mistake.
    if (allowed.has(value)) return value;
    if (this.text("id") === undefined) return otherwise;
    throw new Error(`its field "${name}" is none of ${[...allowed].join(", ")}`);
  }

  scope(name: string): MemoryScope | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    try {
      const scope = parseScopeKey(value);
      scopeKey(scope);
      return scope;
    } catch (error) {
      if (this.text("id") === undefined) return undefined;
      throw error;
    }
  }
}
