/**
 * Session folders of pi-go: one event of its agent framework a line, the active branch in `events.jsonl`, every other one whole in
 * `branches/NAME/events.jsonl`. The spelling of field names depends on the framework's version, so that they are found in any.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../contract/json.ts";
import { type AssistantPart, type Message, noUsage, type ToolResultPart } from "../../contract/messages.ts";
import { newId } from "../../platform/ids.ts";
import { readSmallFile } from "../../platform/read-small-file.ts";
import { branchName } from "../branch-name.ts";
import type { ListedSession } from "../listed-session.ts";
import { EVENTS_FILE } from "../session-meta.ts";
import { titleFrom } from "../session-title.ts";
import { ImportedLog, type ImportedSession, ImportNotes } from "./imported-log.ts";
import { readLines } from "./read-lines.ts";
import { CallIds, timeOf } from "./values.ts";

interface BranchFile {
  name: string;
  path: string;
}

/** The session in a folder of pi-go, whose meta has been read. Throws a PiError with a FileErrorCode when the log cannot be read. */
export function importPiGoSession(folder: string, meta: ListedSession): ImportedSession {
  const created = Date.parse(meta.created) || 0;
  const notes = new ImportNotes();
  const log = new ImportedLog(created);
  log.add({
    type: "setting",
    values: { cwd: meta.cwd, mode: "interactive", model: meta.model, provider: meta.provider },
  });
  const reader = new PiGoReader(log, notes, meta);
  const { active, names } = branchesOf(folder);
  const head = reader.read(readLines(join(folder, EVENTS_FILE), notes));
  if (active !== null) log.add({ type: "branch", action: "rename", branch: "main", to: active });
  const taken = new Set([active ?? "main"]);
  for (const { name, path } of names) {
    if (name === (active ?? "main")) continue;
    const end = reader.read(readLines(path, notes));
    const ours = freeName(name, taken);
    if (end !== null) log.branch(ours, end);
  }
  log.add({ type: "head", branch: active ?? "main", target: head });
  const title = meta.title ?? reader.title;
  return {
    from: `pi-go:${meta.id}`,
    cwd: meta.cwd,
    model: meta.model,
    provider: meta.provider,
    created,
    updated: Date.parse(meta.updated) || created,
    log,
    notes,
    ...(title === undefined ? {} : { title }),
  };
}

class PiGoReader {
  readonly #log: ImportedLog;
  readonly #notes: ImportNotes;
  readonly #meta: ListedSession;
  readonly #ids = new CallIds(newId);
  /** Our last record for each event: branches are copies that begin alike. */
  readonly #records = new Map<string, string>();
  title: string | undefined;

  constructor(log: ImportedLog, notes: ImportNotes, meta: ListedSession) {
    this.#log = log;
    this.#notes = notes;
    this.#meta = meta;
  }

  /** Adds a branch's events; returns its last record, null for none. */
  read(lines: Iterable<string>): string | null {
    let head: string | null = null;
    for (const line of lines) {
      const event = parse(line);
      if (event === null) {
        if (line.trim() !== "") this.#notes.leftOut("damaged line");
        continue;
      }
      const id = stringIn(event, "id");
      const known = id === "" ? undefined : this.#records.get(id);
      if (known !== undefined) {
        head = known;
        continue;
      }
      if (field(event, "partial") === true) continue;
      const time = timeOf(field(event, "timestamp"));
      for (const message of this.#messages(event))
        head = this.#log.message(message, { parent: head, ...(time === undefined ? {} : { time }) });
      if (id !== "" && head !== null) this.#records.set(id, head);
    }
    return head;
  }

  #messages(event: JsonObject): Message[] {
    const content = asObject(field(event, "content"));
    const parts = asList(field(content, "parts"));
    const fromUser = stringIn(content, "role") === "user" && stringIn(event, "author") === "user";
    const texts: AssistantPart[] = [];
    const results: ToolResultPart[] = [];
    for (const part of parts) {
      const text = stringIn(part, "text");
      const call = asObject(field(part, "functioncall"));
      const response = asObject(field(part, "functionresponse"));
      if (text !== "") texts.push({ type: field(part, "thought") === true ? "thinking" : "text", text });
      else if (stringIn(call, "name") !== "")
        texts.push({
          type: "tool_call",
          id: this.#ids.of(stringIn(call, "id")),
          name: stringIn(call, "name"),
          arguments: asObject(field(call, "args")),
        });
      else if (stringIn(response, "name") !== "") results.push(this.#result(response));
      else this.#notes.leftOut("part of an unknown kind", "parts of unknown kinds");
    }
    const messages: Message[] = results.map((result) => ({ role: "tool", parts: [result] }));
    if (texts.length === 0) return messages;
    const plain = texts.filter((part) => part.type === "text");
    if (fromUser || stringIn(content, "role") === "user") {
      const summary = stringIn(event, "id") === "compaction-summary";
      if (!summary) this.title ??= titleFrom(plain.map(({ text }) => text).join(""));
      return [...messages, { role: "user", origin: summary ? "summary" : "user", parts: plain }];
    }
    const { provider, model } = this.#meta;
    return [
      ...messages,
      {
        role: "assistant",
        parts: texts,
        source: { provider: provider || "unknown", wire: "openai-chat", model: model || "unknown" },
        usage: noUsage(),
        stop: texts.some((part) => part.type === "tool_call") ? "tool" : "end",
      },
    ];
  }

  /** What the tool gave is data there and text here; its data is kept beside the text. */
  #result(response: JsonObject): ToolResultPart {
    const data = asObject(field(response, "response"));
    const { output, error } = data;
    const only = Object.keys(data).length === 1;
    const text =
      only && typeof output === "string"
        ? output
        : only && typeof error === "string"
          ? error
          : JSON.stringify(data, null, 1);
    return {
      type: "tool_result",
      id: this.#ids.of(stringIn(response, "id")),
      name: stringIn(response, "name"),
      content: [{ type: "text", text }],
      isError: typeof error === "string" && error !== "",
      details: data,
    };
  }
}

/** The name of the active branch (null: the one it has without branches) and the files of all. */
function branchesOf(folder: string): { active: string | null; names: BranchFile[] } {
  let active: string | null = null;
  try {
    const value: unknown = JSON.parse(readSmallFile(join(folder, "branches.json")));
    const name = isJsonObject(value) ? stringIn(value, "active") : "";
    if (name !== "" && name !== "main") active = branchName(name);
  } catch {
    // no branches, or a name that is none here
  }
  const inner = join(folder, "branches");
  try {
    const entries = readdirSync(inner, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const names = entries.map(({ name }) => ({ name, path: join(inner, name, EVENTS_FILE) }));
    return { active, names };
  } catch {
    // it never branched
    return { active, names: [] };
  }
}

function freeName(wanted: string, taken: Set<string>): string {
  let name: string;
  try {
    name = branchName(wanted);
  } catch {
    // its characters are not for names here
    name = "branch";
  }
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name.slice(0, 50)}-${number}`;
  taken.add(free);
  return free;
}

function parse(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : null;
  } catch {
    // damaged: the caller counts it
    return null;
  }
}

/** A field by its letters, in whatever spelling (`ID`, `id`, `functionCall`, `function_call`). */
function field(object: JsonObject, name: string): Json | undefined {
  for (const [key, value] of Object.entries(object))
    if (key.replaceAll("_", "").toLowerCase() === name) return value;
  return undefined;
}

function stringIn(object: JsonObject, name: string): string {
  const value = field(object, name);
  return typeof value === "string" ? value : "";
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function asList(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
