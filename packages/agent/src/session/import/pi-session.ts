/** Sessions of Pi: one JSON-lines file each, a header and a tree of entries whose last line is where it stands (version 3). */
import { PiError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { textOf } from "../../contract/messages.ts";
import { newId } from "../../platform/ids.ts";
import { titleFrom } from "../session-title.ts";
import { ImportedLog, type ImportedSession, ImportNotes } from "./imported-log.ts";
import { piMessage, userMessage } from "./pi-message.ts";
import { CallIds, textIn, timeOf } from "./values.ts";

/** True for the first line of a session of Pi. */
export function isPiHeader(value: unknown): value is JsonObject {
  return isJsonObject(value) && value["type"] === "session" && typeof value["cwd"] === "string";
}

/** Entries of Pi that lists and people see, and what becomes of all others. */
const LEFT_OUT: Readonly<Record<string, [one: string, many: string]>> = {
  usage: ["usage record", "usage records"],
  custom: ["record of an extension", "records of extensions"],
  context_edit: [
    "edit of the context (its message was kept)",
    "edits of the context (their messages were kept)",
  ],
  label: ["name of a place that is not there", "names of places that are not there"],
};

/** The session in the text of a file. Throws a PiError `import_unknown` for a version that is not understood. */
export function importPiSession(header: JsonObject, lines: Iterable<string>): ImportedSession {
  const version = typeof header["version"] === "number" ? header["version"] : 1;
  if (version > 3)
    throw new PiError({
      code: "import_unknown",
      message: `this session of Pi has version ${version}; versions 1 to 3 can be imported`,
      exitCode: 2,
    });
  const created = timeOf(header["timestamp"]) ?? 0;
  const reader = new PiReader(created, textIn(header, "cwd") ?? "");
  for (const line of lines) reader.read(line);
  return reader.end(textIn(header, "id") ?? "");
}

class PiReader {
  readonly #log: ImportedLog;
  readonly #notes = new ImportNotes();
  readonly #ids = new CallIds(newId);
  /** Our record for each entry of Pi's; of an entry without one, that of its nearest ancestor. */
  readonly #records = new Map<string, string | null>();
  /** The entry before each entry. */
  readonly #parents = new Map<string, string | null>();
  readonly #inner = new Set<string>();
  readonly #created: number;
  readonly #cwd: string;
  #last: string | null = null;
  #updated: number;
  #title: string | undefined;
  #firstPrompt: string | undefined;
  #model = "";
  #provider = "";

  constructor(created: number, cwd: string) {
    this.#created = created;
    this.#updated = created;
    this.#cwd = cwd;
    this.#log = new ImportedLog(created);
    this.#log.add({ type: "setting", values: { cwd, mode: "interactive" } });
  }

  read(line: string): void {
    if (line.trim() === "") return;
    let entry: unknown;
    try {
      entry = JSON.parse(line);
    } catch {
      entry = null;
    }
    if (!isJsonObject(entry)) {
      this.#notes.leftOut("damaged line");
      return;
    }
    // Version 1 is a list: entries have no ids.
    const id = textIn(entry, "id") ?? `line ${this.#parents.size}`;
    const parent = "parentId" in entry ? (textIn(entry, "parentId") ?? null) : this.#last;
    const time = timeOf(entry["timestamp"]);
    if (time !== undefined && time > this.#updated) this.#updated = time;
    const above = parent === null ? null : (this.#records.get(parent) ?? null);
    this.#parents.set(id, parent);
    if (parent !== null) this.#inner.add(parent);
    this.#records.set(id, this.#add(entry, above, time) ?? above);
    this.#last = id;
  }

  /** Our record for an entry, or null. */
  #add(entry: JsonObject, parent: string | null, time: number | undefined): string | null {
    const place = { parent, ...(time === undefined ? {} : { time }) };
    const message = this.#message(entry);
    if (message !== undefined) return message === null ? null : this.#log.message(message, place);
    switch (entry["type"]) {
      case "model_change":
        this.#model = textIn(entry, "modelId") ?? this.#model;
        this.#provider = textIn(entry, "provider") ?? this.#provider;
        return this.#log.add(
          { type: "setting", values: { model: this.#model, provider: this.#provider } },
          place,
        );
      case "thinking_level_change": {
        const thinking = textIn(entry, "thinkingLevel");
        return thinking === undefined
          ? null
          : this.#log.add({ type: "setting", values: { thinking } }, place);
      }
      case "compaction":
        return this.#compaction(entry, parent, place);
      case "label": {
        const target = this.#records.get(textIn(entry, "targetId") ?? "") ?? null;
        if (target === null) return this.#leftOut("label");
        return this.#log.add({ type: "label", target, name: textIn(entry, "label") ?? "" }, place);
      }
      case "session_info":
        this.#title = titleFrom(textIn(entry, "name") ?? "") ?? this.#title;
        return null;
      default:
        return this.#leftOut(String(entry["type"]));
    }
  }

  #leftOut(type: string): null {
    const [one, many] = LEFT_OUT[type] ?? ["entry of an unknown kind", "entries of unknown kinds"];
    this.#notes.leftOut(one, many);
    return null;
  }

  /** The message in an entry: undefined for an entry that is none, null for one that has no place. */
  #message(entry: JsonObject) {
    switch (entry["type"]) {
      case "message": {
        const value = entry["message"];
        const message = isJsonObject(value) ? piMessage(value, this.#ids, this.#notes) : null;
        if (message?.role === "user" && message.origin === "user")
          this.#firstPrompt ??= titleFrom(textOf(message.parts));
        if (message?.role === "assistant" && this.#model === "")
          ({ model: this.#model, provider: this.#provider } = message.source);
        return message;
      }
      case "custom_message":
        return userMessage(entry["content"], "reminder");
      case "branch_summary":
        return userMessage(entry["summary"], "branch_summary");
      default:
        return undefined;
    }
  }

  #compaction(
    entry: JsonObject,
    parent: string | null,
    place: { parent: string | null; time?: number },
  ): string | null {
    const summary = userMessage(entry["summary"], "summary");
    const kept = textIn(entry, "firstKeptEntryId");
    // Ours names the last record that it stands for, Pi's the first that it does not.
    const before = kept === undefined ? null : (this.#parents.get(kept) ?? null);
    const upTo = before === null ? parent : (this.#records.get(before) ?? null);
    if (summary === null || upTo === null) {
      this.#notes.leftOut("compaction that stands for nothing", "compactions that stand for nothing");
      return null;
    }
    return this.#log.add({ type: "compaction", kind: "summary", messages: [summary], upTo }, place);
  }

  end(id: string): ImportedSession {
    const head = this.#last === null ? null : (this.#records.get(this.#last) ?? null);
    const ends = new Set<string>();
    for (const entry of this.#parents.keys()) {
      const record = this.#records.get(entry) ?? null;
      if (entry !== this.#last && !this.#inner.has(entry) && record !== null && record !== head)
        ends.add(record);
    }
    const title = this.#title ?? this.#firstPrompt;
    let number = 1;
    for (const end of ends) this.#log.branch(`branch-${++number}`, end);
    this.#log.end(head);
    return {
      from: `pi:${id}`,
      cwd: this.#cwd,
      model: this.#model,
      provider: this.#provider,
      created: this.#created,
      updated: this.#updated,
      log: this.#log,
      notes: this.#notes,
      ...(title === undefined ? {} : { title }),
    };
  }
}
