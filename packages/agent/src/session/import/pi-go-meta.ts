import { join } from "node:path";
import { isJsonObject } from "../../contract/json.ts";
import { readSmallFile } from "../../platform/read-small-file.ts";
import type { ListedSession } from "../listed-session.ts";
import { META_FILE } from "../session-meta.ts";
import { titleFrom } from "../session-title.ts";

/** A session folder of pi-go as lists give it; null for any other folder. */
export function readPiGoMeta(folder: string, id: string): ListedSession | null {
  let value: unknown;
  try {
    value = JSON.parse(readSmallFile(join(folder, META_FILE), 1024 * 1024));
  } catch {
    // missing or damaged: pi-go itself passes over such a folder
    return null;
  }
  if (!isJsonObject(value) || value["appName"] !== "pi-go") return null;
  const text = (name: string): string => (typeof value[name] === "string" ? value[name] : "");
  const title = titleFrom(text("title"));
  return {
    id,
    app: "pi-ts",
    foreign: "pi-go",
    user: text("userID") || "local",
    cwd: text("workDir"),
    mode: "interactive",
    model: text("model"),
    provider: text("provider"),
    created: isoTime(text("createdAt")),
    updated: isoTime(text("updatedAt") || text("createdAt")),
    ...(title === undefined ? {} : { title }),
  };
}

/** Go writes nanoseconds and the local offset. */
function isoTime(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? "" : new Date(time).toISOString();
}
