import type { MemoryRecord } from "../../core/memory/record.ts";
import { titleOf } from "../../core/orchestrator/frame-summary.ts";
import type { Json } from "../command.ts";
import type { Block, Table } from "./block.ts";

/** A memory as `--json` gives it; times are ISO 8601. */
export function memoryData(record: MemoryRecord): { readonly [key: string]: Json } {
  const { provenance, scope } = record;
  return {
    id: record.id,
    kind: record.kind,
    state: record.state,
    scope: scope.kind,
    scope_id: scope.kind === "global" ? null : scope.id,
    title: record.title,
    text: record.text,
    attachment: record.attachment,
    subject: record.subject ?? null,
    files: record.files,
    typed: provenance.typed,
    author: provenance.author.role,
    author_name: provenance.author.name ?? null,
    host: provenance.host,
    session: provenance.sessionId,
    at: isoTime(record.at),
    recorded_at: isoTime(record.recordedAt),
    valid_to: isoTime(record.validTo),
    freshness: record.freshness,
    pinned: record.pinned,
    superseded_by: record.supersededBy ?? null,
  };
}

/** Memories as a table: one line each, the newest as they come. */
export function memoryTable(records: readonly MemoryRecord[]): Table {
  return {
    head: ["id", "said", "kind", "holds", "what"],
    rows: records.map((record) => [
      record.id,
      day(record.at),
      record.kind,
      record.scope.kind,
      `${marksOf(record)}${titleOf(record)}`,
    ]),
  };
}

/** Everything about one memory. */
export function memoryBlocks(record: MemoryRecord): Block[] {
  const { provenance, scope, supersededBy } = record;
  const { author, host, sessionId, typed } = provenance;
  const rows: (readonly [string, string])[] = [
    ["id", record.id],
    ["kind", record.kind],
    ["state", supersededBy === undefined ? record.state : `${record.state}, replaced by ${supersededBy}`],
    ["holds", scope.kind === "global" ? "everywhere (global)" : `${scope.kind} ${scope.id}`],
    [
      "said",
      `${moment(record.at)}${record.validTo === undefined ? "" : `, until ${moment(record.validTo)}`}`,
    ],
    ["by", `${authorOf(author)}${typed ? ", typed" : ""}, in ${host} (session ${sessionId})`],
    ...(record.subject === undefined ? [] : [["about", record.subject] as const]),
    ...(record.files.length === 0 ? [] : [["files", record.files.join(", ")] as const]),
    ...(record.pinned ? [["pinned", "shown at the start of every session"] as const] : []),
    ...(record.freshness === "stale" ? [["fresh", "no: what it speaks of has changed since"] as const] : []),
  ];
  return [
    { head: [], rows },
    "",
    ...(record.title === "" ? [] : [record.title]),
    record.text,
    ...(record.attachment === "" ? [] : [`(came along: ${record.attachment})`]),
  ];
}

/** A time as ISO 8601; null for one that is not known. */
export function isoTime(time: number | undefined): string | null {
  return time === undefined || Math.abs(time) > 8.64e15 || Number.isNaN(time)
    ? null
    : new Date(time).toISOString();
}

/** The day of a time where the user lives. */
export function day(time: number): string {
  return moment(time).slice(0, 10);
}

/** Day and time of day where the user lives. */
export function moment(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "at no known time";
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `1 memory`, `2 memories`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

function marksOf({ state, pinned, freshness }: MemoryRecord): string {
  const marks = [
    ...(state === "active" ? [] : [state]),
    ...(pinned ? ["pinned"] : []),
    ...(freshness === "stale" ? ["stale"] : []),
  ];
  return marks.length === 0 ? "" : `[${marks.join(", ")}] `;
}

function authorOf({ role, name }: MemoryRecord["provenance"]["author"]): string {
  return name === undefined ? role : `${role} ${name}`;
}
