/** Lossless changes of type: models send numbers and lists as text. Nothing is ever guessed. */
import type { Json, JsonObject, JsonSchema } from "../../contract/json.ts";
import { alternatives, isOfType, resolve, typesOf } from "./schema.ts";

/** Decides whether a value fits a schema; used only to choose between alternatives. */
export type Fits = (schema: JsonSchema, value: Json) => boolean;

/**
 * The value in the type that the schema asks for, where the change loses nothing; else the value as it is (the validation
 * then refuses it). Text stays text wherever the schema allows text.
 */
export function coerce(value: Json, schema: JsonSchema, root: JsonSchema, fits: Fits, depth = 0): Json {
  if (depth > 64) return value;
  const plain = resolve(schema, root);
  const options = alternatives(plain);
  if (options && !plain.properties) {
    if (options.some((option) => fits(option, value))) return value;
    for (const option of options) {
      const changed = coerce(value, option, root, fits, depth + 1);
      if (fits(option, changed)) return changed;
    }
    return value;
  }
  const listed = fromEnum(value, plain);
  if (listed !== undefined) return listed;
  const types = typesOf(plain);
  const typed =
    types.length === 0 || types.some((type) => isOfType(value, type)) ? value : retype(value, types, plain);
  return inside(typed, plain, root, fits, depth);
}

function inside(value: Json, schema: JsonSchema, root: JsonSchema, fits: Fits, depth: number): Json {
  if (Array.isArray(value)) {
    const items = schema.items;
    return items ? value.map((item) => coerce(item, items, root, fits, depth + 1)) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const property = ownProperty(schema, key);
      return [key, property ? coerce(item, property, root, fits, depth + 1) : item];
    }),
  ) as JsonObject;
}

function retype(value: Json, types: readonly string[], schema: JsonSchema): Json {
  for (const type of types) {
    const changed = toType(value, type, schema);
    if (changed !== undefined) return changed;
  }
  return value;
}

function toType(value: Json, type: string, schema: JsonSchema): Json | undefined {
  switch (type) {
    case "integer":
    case "number":
      return typeof value === "string" ? numberFrom(value, type) : undefined;
    case "boolean":
      return typeof value === "string" && /^(true|false)$/i.test(value.trim())
        ? value.trim().toLowerCase() === "true"
        : undefined;
    case "string":
      return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
    case "object":
      return parsed(value, type);
    case "array":
      return parsed(value, type) ?? wrapped(value, schema);
    default:
      return undefined;
  }
}

/** Plain decimal notation only: `007`, `0x10`, `1_000` and numbers beyond exact integers would lose something. */
function numberFrom(text: string, type: "integer" | "number"): number | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text.trim())) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  if (Number.isInteger(number)) return Number.isSafeInteger(number) ? number : undefined;
  return type === "number" ? number : undefined;
}

function parsed(value: Json, type: "object" | "array"): Json | undefined {
  if (typeof value !== "string") return undefined;
  try {
    const json = JSON.parse(value) as Json;
    return isOfType(json, type) ? json : undefined;
  } catch {
    // Not JSON: then it is text, and the validation says so.
    return undefined;
  }
}

/** One item where a list of exactly such items is wanted. */
function wrapped(value: Json, schema: JsonSchema): Json | undefined {
  const types = schema.items ? typesOf(schema.items) : [];
  if (typeof value === "string" && /^\s*[[{]/.test(value)) return undefined;
  return types.some((type) => isOfType(value, type)) ? [value] : undefined;
}

/** `"2"` where the list holds 2, and the other way round. */
function fromEnum(value: Json, schema: JsonSchema): Json | undefined {
  const listed = "const" in schema ? [schema.const as Json] : schema.enum;
  if (!Array.isArray(listed) || typeof value === "object" || listed.includes(value)) return undefined;
  const same = listed.filter((item) => typeof item !== "object" && String(item) === String(value));
  return same.length === 1 ? (same[0] as Json) : undefined;
}

/** A declared property's schema; never one that every object inherits. */
export function ownProperty(schema: JsonSchema, key: string): JsonSchema | undefined {
  return schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
}
