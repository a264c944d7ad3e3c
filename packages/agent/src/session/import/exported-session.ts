/** What `pi sessions export --format json` wrote, read back. */
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Message } from "../../contract/messages.ts";
import { branchName } from "../branch-name.ts";
import { titleFrom } from "../session-title.ts";
import { storedMessage } from "../stored-message.ts";
import { ImportedLog, type ImportedSession, ImportNotes } from "./imported-log.ts";
import { objectIn, objectsIn, textIn, timeOf } from "./values.ts";

interface Item {
  message: Message;
  before: Item | null;
  time: number;
  /** Of its record, once it is written. */
  id: string;
}

/** True for the whole value of such a file. */
export function isExported(value: unknown): value is JsonObject {
  return isJsonObject(value) && value["format"] === "pi-ts session" && Array.isArray(value["messages"]);
}

/** The session in it. */
export function importExported(value: JsonObject): ImportedSession {
  const meta = objectIn(value, "session");
  const created = timeOf(meta["created"]) ?? 0;
  const notes = new ImportNotes();
  const log = new ImportedLog(created);
  const [cwd, model, provider] = ["cwd", "model", "provider"].map((name) => textIn(meta, name) ?? "");
  log.add({
    type: "setting",
    values: { cwd: cwd!, mode: "interactive", model: model!, provider: provider! },
  });
  const items: Item[] = [];
  const read = (entries: JsonObject[], before: Item | null): Item[] =>
    entries.flatMap(({ time, ...rest }): Item[] => {
      const message = storedMessage(rest);
      if (message === null) {
        notes.leftOut("message that could not be read", "messages that could not be read");
        return [];
      }
      const item: Item = { message, before, time: Math.max(timeOf(time) ?? 0, before?.time ?? 0), id: "" };
      before = item;
      items.push(item);
      return [item];
    });
  const main = read(objectsIn(value, "messages"), null);
  const others = objectsIn(value, "branches").map((other) => {
    const fork = main[Number(other["shared"]) - 1] ?? null;
    return {
      name: branchOf(textIn(other, "name")),
      end: read(objectsIn(other, "messages"), fork).at(-1) ?? fork,
    };
  });
  // In the order in which it was said, so that each keeps its time; nothing comes before what it follows.
  for (const item of items.toSorted((a, b) => a.time - b.time))
    item.id = log.message(item.message, { parent: item.before?.id ?? null, time: item.time });
  const name = branchOf(textIn(value, "branch"));
  if (name !== "main") log.add({ type: "branch", action: "rename", branch: "main", to: name });
  for (const other of others)
    if (other.end !== null && other.name !== name) log.branch(other.name, other.end.id);
  log.add({ type: "head", branch: name, target: main.at(-1)?.id ?? null });
  const title = titleFrom(textIn(meta, "title") ?? "");
  return {
    from: `pi-ts:${textIn(meta, "id") ?? ""}`,
    cwd: cwd!,
    model: model!,
    provider: provider!,
    created,
    updated: timeOf(meta["updated"]) ?? created,
    log,
    notes,
    ...(title === undefined ? {} : { title }),
  };
}

function branchOf(name: string | undefined): string {
  try {
    return branchName(name ?? "main");
  } catch {
    // edited by hand
    return "main";
  }
}
