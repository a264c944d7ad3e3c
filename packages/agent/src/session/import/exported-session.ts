/** What `pi sessions export --format json` wrote, read back. */
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { branchName } from "../branch-name.ts";
import { titleFrom } from "../session-title.ts";
import { storedMessage } from "../stored-message.ts";
import { ImportedLog, type ImportedSession, ImportNotes } from "./imported-log.ts";
import { objectIn, objectsIn, textIn, timeOf } from "./values.ts";

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
  log.add({ type: "setting", values: { cwd: cwd!, mode: "interactive", model: model!, provider: provider! } });
  const add = (entries: JsonObject[], parent: string | null): string[] => {
    const ids: string[] = [];
    for (const { time, ...rest } of entries) {
      const message = storedMessage(rest);
      if (message === null) {
        notes.leftOut("message that could not be read", "messages that could not be read");
        continue;
      }
      const at = timeOf(time);
      ids.push(log.message(message, { parent: ids.at(-1) ?? parent, ...(at === undefined ? {} : { time: at }) }));
    }
    return ids;
  };
  const main = add(objectsIn(value, "messages"), null);
  const name = branchOf(textIn(value, "branch"));
  if (name !== "main") log.add({ type: "branch", action: "rename", branch: "main", to: name });
  for (const other of objectsIn(value, "branches")) {
    const shared = Number(other["shared"]);
    const parent = main[shared - 1] ?? null;
    const end = add(objectsIn(other, "messages"), parent).at(-1) ?? parent;
    const theirs = branchOf(textIn(other, "name"));
    if (end !== null && theirs !== name) log.branch(theirs, end);
  }
  log.add({ type: "head", branch: name, target: main.at(-1) ?? null });
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
