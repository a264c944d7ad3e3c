import { createHash } from "node:crypto";
import { isMemoryKind, type MemoryRecord } from "../../../core/memory/record.ts";
import type { MemoryScope } from "../../../core/memory/scope.ts";
import type { TransferItem } from "../../../core/memory/transfer-item.ts";
import type { SqlRow } from "../driver.ts";
import { parseFiles } from "../memory-rows.ts";
import { writtenTime } from "./written-time.ts";

/** What rows of other programs are read with. */
export interface ForeignContext {
  /** The program that wrote them: `claude-mem`, `pi-go`. */
  readonly host: string;
  /** Which scope the rows of one of its projects get. */
  readonly scopeOf: (project: string) => MemoryScope;
  /** The time of a row whose own cannot be read. */
  readonly now: number;
}

export type RowReader = (row: SqlRow, context: ForeignContext) => TransferItem;

/** Columns changed their names over the years: the first that is there and not empty counts. */
const SESSION = [
  "memory_session_id",
  "content_session_id",
  "sdk_session_id",
  "claude_session_id",
  "session_id",
];
const TIME = ["created_at_epoch", "created_at"];

export const readObservation: RowReader = (row, context) => {
  const type = first(row, ["type"]);
  const facts = parseFiles(first(row, ["facts"])).map((fact) => `- ${fact}`);
  const concepts = parseFiles(first(row, ["concepts"]));
  const text = [first(row, ["subtitle"]), first(row, ["narrative"]), first(row, ["text"]), facts.join("\n")];
  return memoryItem("observations", row, context, {
    kind: isMemoryKind(type) ? type : "discovery",
    title: first(row, ["title"]),
    text: text.filter((part) => part !== "").join("\n\n"),
    attachment: concepts.length === 0 ? "" : concepts.join(", "),
    files: [
      ...new Set(
        ["source_files", "files_modified", "files_read"].flatMap((name) => parseFiles(first(row, [name]))),
      ),
    ],
  });
};

export const readPrompt: RowReader = (row, context) =>
  memoryItem("user_prompts", row, context, {
    kind: "prompt",
    title: "",
    text: first(row, ["prompt_text"]),
    attachment: "",
    files: [],
  });

export const readSummary: RowReader = (row, context) => {
  const part = (name: string): string => first(row, [name]);
  const notes = part("notes");
  const summary = {
    sessionId: sessionOf(row, context),
    project: projectId(context.scopeOf(part("project"))),
    request: part("request"),
    investigated: part("investigated"),
    learned: [part("learned"), notes].filter((text) => text !== "").join("\n"),
    completed: part("completed"),
    nextSteps: part("next_steps"),
    at: timeOf(row, context),
  };
  const { request, investigated, learned, completed, nextSteps } = summary;
  return [request, investigated, learned, completed, nextSteps].every((text) => text.trim() === "")
    ? broken("session_summaries", row, "it has no text")
    : { type: "summary", summary };
};

type Content = Pick<MemoryRecord, "kind" | "title" | "text" | "attachment" | "files">;

function memoryItem(table: string, row: SqlRow, context: ForeignContext, content: Content): TransferItem {
  if (content.title.trim() === "" && content.text.trim() === "") return broken(table, row, "it has no text");
  const at = timeOf(row, context);
  const sessionId = sessionOf(row, context);
  return {
    type: "memory",
    record: {
      ...content,
      text: content.text === "" ? content.title : content.text,
      id: rowId(context.host, table, row, sessionId, content),
      scope: context.scopeOf(first(row, ["project"])),
      subject: undefined,
      provenance: { host: context.host, sessionId, author: { role: "import" }, typed: false },
      at,
      recordedAt: context.now,
      validTo: undefined,
      freshness: "unknown",
      state: "active",
      pinned: false,
      supersededBy: undefined,
    },
  };
}

/** The same row gives the same id at every import, wherever its database lies. */
function rowId(host: string, table: string, row: SqlRow, sessionId: string, content: Content): string {
  const parts = [host, table, String(row["id"]), sessionId, content.title, content.text];
  return `i${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24)}`;
}

function broken(table: string, row: SqlRow, reason: string): TransferItem {
  return { type: "broken", where: `${table} ${String(row["id"])}`, reason };
}

function sessionOf(row: SqlRow, context: ForeignContext): string {
  const found = first(row, SESSION);
  return found === "" ? `${context.host}-import` : found;
}

function timeOf(row: SqlRow, context: ForeignContext): number {
  for (const name of TIME) {
    const value = row[name];
    const at = value === null || value === undefined ? 0 : writtenTime(value);
    if (at > 0) return Math.trunc(at);
  }
  return context.now;
}

function projectId(scope: MemoryScope): string {
  return scope.kind === "global" ? "" : scope.id;
}

function first(row: SqlRow, names: readonly string[]): string {
  for (const name of names) {
    const value = row[name];
    if (value !== null && value !== undefined && value !== "") return String(value);
  }
  return "";
}
