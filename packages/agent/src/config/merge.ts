import { isJsonObject, type Json, type JsonObject } from "../contract/json.ts";

/** `over` laid on `base`, as a new object: objects merge per key, everything else is replaced; undefined replaces nothing. */
export function mergeLayers(base: JsonObject, over: JsonObject): JsonObject {
  const merged = new Map<string, Json>(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const below = merged.get(key);
    merged.set(key, isJsonObject(below) && isJsonObject(value) ? mergeLayers(below, value) : value);
  }
  // fromEntries, not assignment: a key called __proto__ stays a plain key
  return Object.fromEntries(merged) as JsonObject;
}
