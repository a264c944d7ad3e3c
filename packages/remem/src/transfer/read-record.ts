import { isMemoryKind, type MemoryRecord } from "../core/memory/record.ts";
import { type MemoryScope, scopeKey } from "../core/memory/scope.ts";
import type { SessionSummary } from "../core/ports/memory-store.ts";

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === "string";
const filled: Check = (value) => typeof value === "string" && value !== "";
const time: Check = (value) => typeof value === "number" && Number.isFinite(value);
const flag: Check = (value) => typeof value === "boolean";
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const object: Check = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
const oneOf =
  (...allowed: readonly string[]): Check =>
  (value) =>
    allowed.includes(value as string);

const RECORD: Readonly<Record<keyof MemoryRecord, Check>> = {
  id: filled,
  kind: (value) => typeof value === "string" && isMemoryKind(value),
  scope: (value) => {
    if (!object(value)) return false;
    const { kind, id } = value as { kind?: unknown; id?: unknown };
    return kind === "global" || (oneOf("workspace", "project", "session")(kind) && filled(id));
  },
  title: text,
  text,
  attachment: text,
  files: texts,
  subject: optional(text),
  provenance: (value) => {
    if (!object(value)) return false;
    const { host, sessionId, messageId, author, typed } = value as Record<string, unknown>;
    if (!text(host) || !filled(sessionId) || !optional(text)(messageId) || !flag(typed) || !object(author))
      return false;
    const { role, name } = author as Record<string, unknown>;
    return oneOf("user", "agent", "tool", "import")(role) && optional(text)(name);
  },
  at: time,
  recordedAt: time,
  validTo: optional(time),
  freshness: oneOf("current", "stale", "unknown"),
  state: oneOf("active", "candidate", "superseded"),
  pinned: flag,
  supersededBy: optional(text),
};

const SUMMARY: Readonly<Record<keyof SessionSummary, Check>> = {
  sessionId: filled,
  project: text,
  request: text,
  investigated: text,
  learned: text,
  completed: text,
  nextSteps: text,
  at: time,
};

/** A record that was read somewhere, with our fields only. Throws an error that names the field that is wrong. */
export function readRecord(value: unknown): MemoryRecord {
  const fields = checked(value, RECORD);
  const { host, sessionId, messageId, author, typed } = fields["provenance"] as MemoryRecord["provenance"];
  const scope = fields["scope"] as MemoryScope;
  scopeKey(scope);
  const { role, name } = author;
  return {
    ...(fields as unknown as MemoryRecord),
    scope: scope.kind === "global" ? { kind: "global" } : { kind: scope.kind, id: scope.id },
    provenance: {
      host,
      sessionId,
      ...(typeof messageId === "string" ? { messageId } : {}),
      author: { role, ...(typeof name === "string" ? { name } : {}) },
      typed,
    },
  };
}

/** The same for a summary. */
export function readSummary(value: unknown): SessionSummary {
  return checked(value, SUMMARY) as unknown as SessionSummary;
}

function checked(value: unknown, checks: Readonly<Record<string, Check>>): Record<string, unknown> {
  if (!object(value)) throw new Error("it is no object");
  const given = value as Record<string, unknown>;
  const fields: Record<string, unknown> = {};
  for (const [name, check] of Object.entries(checks)) {
    if (!check(given[name]))
      throw new Error(`its field "${name}" is ${given[name] === undefined ? "missing" : "wrong"}`);
    fields[name] = given[name] ?? undefined;
  }
  return fields;
}
