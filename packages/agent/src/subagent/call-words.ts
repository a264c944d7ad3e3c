import type { JsonObject } from "../contract/json.ts";

/** What a call is about, in the one of its inputs that says most. */
const TELLING = ["file_path", "path", "command", "pattern", "query", "file", "task", "tool"] as const;
const MOST = 120;

/** A tool call in one line, at most 120 characters: its name and what it is about. */
export function callWords(name: string, input: JsonObject): string {
  const about = TELLING.map((key) => input[key]).find((value) => typeof value === "string");
  const line = `${name} ${typeof about === "string" ? about : ""}`.replaceAll(/\s+/g, " ").trim();
  return line.length > MOST ? `${line.slice(0, MOST - 1).toWellFormed()}…` : line;
}
