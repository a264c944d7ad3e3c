/** JSON in one spelling, so that equal values compare equal. */
import type { Json } from "../contract/json.ts";

/** The value as JSON with the keys of every object in order. */
export function canonicalJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`);
  return `{${fields.join(",")}}`;
}
