import { isJsonObject, type JsonObject } from "../contract/json.ts";

/** The JSON object that a text of others holds; null for anything else. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}
