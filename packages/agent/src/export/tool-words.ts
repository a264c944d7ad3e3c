import type { JsonObject } from "../contract/json.ts";

/** Arguments that say by themselves what a call is about, the first that is there. */
const TELLING = ["command", "file_path", "path", "pattern", "query", "url", "name", "id"];
const MOST = 160;

/** What a tool call is about, on one line; empty when its arguments do not say. */
export function callWords(input: JsonObject): string {
  const names = [...TELLING.filter((name) => typeof input[name] === "string"), ...Object.keys(input)];
  const value = names.length === 0 ? undefined : input[names[0]!];
  const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
  const characters = [
    ...text
      .slice(0, MOST * 8)
      .replaceAll(/\s+/g, " ")
      .trim(),
  ];
  return characters.length <= MOST ? characters.join("") : `${characters.slice(0, MOST - 1).join("")}…`;
}
