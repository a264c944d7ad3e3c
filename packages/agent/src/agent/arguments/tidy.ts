/** Names of properties: aliases, other spellings, unknown ones, and null for "not given". */
import type { Json, JsonObject, JsonSchema } from "../../contract/json.ts";
import { ownProperty } from "./coerce.ts";
import { allowsNull, alternatives, isOfType, resolve, typesOf } from "./schema.ts";

export interface Tidied {
  input: JsonObject;
  /** Properties that were left out because the schema does not know them, as paths. */
  ignored: string[];
}

/** Moves aliases to their canonical names (a canonical one that is there wins), drops unknown properties and empty nulls. */
export function tidy(
  input: JsonObject,
  schema: JsonSchema,
  aliases: Readonly<Record<string, string>>,
): Tidied {
  const ignored: string[] = [];
  const root = resolve(schema, schema);
  const named = renamed(input, root, aliases);
  return { input: tidyObject(named, root, schema, "", ignored), ignored };
}

function renamed(
  input: JsonObject,
  schema: JsonSchema,
  aliases: Readonly<Record<string, string>>,
): JsonObject {
  if (!schema.properties) return input;
  const entries: [string, Json][] = [];
  const empty: [string, Json][] = [];
  const taken = new Set(Object.keys(input).filter((key) => ownProperty(schema, key) && input[key] !== null));
  for (const [key, value] of Object.entries(input)) {
    if (value === null) empty.push([key, value]);
    else if (ownProperty(schema, key)) entries.push([key, value]);
    else {
      const alias = Object.hasOwn(aliases, key) ? aliases[key] : undefined;
      const canonical = alias ?? otherSpelling(key, schema);
      const name = canonical === undefined || taken.has(canonical) ? key : canonical;
      taken.add(name);
      entries.push([name, value]);
    }
  }
  return Object.fromEntries([...entries, ...empty.filter(([key]) => !taken.has(key))]) as JsonObject;
}

/** `filePath`, `file-path` and `FILE_PATH` all mean `file_path`. */
function otherSpelling(key: string, schema: JsonSchema): string | undefined {
  const same = Object.keys(schema.properties ?? {}).filter((name) => letters(name) === letters(key));
  return same.length === 1 ? same[0] : undefined;
}

function letters(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

function tidyObject(
  input: JsonObject,
  schema: JsonSchema,
  root: JsonSchema,
  path: string,
  ignored: string[],
): JsonObject {
  const closed = isClosed(schema, path === "");
  const entries: [string, Json][] = [];
  for (const [key, value] of Object.entries(input)) {
    const property = ownProperty(schema, key);
    const where = path === "" ? key : `${path}.${key}`;
    if (!property) {
      if (closed) ignored.push(where);
      else entries.push([key, value]);
    } else if (value === null && !schema.required?.includes(key) && !allowsNull(property, root)) {
      // A null for an optional property is how some models leave it out.
    } else entries.push([key, tidyValue(value, property, root, where, ignored)]);
  }
  return Object.fromEntries(entries) as JsonObject;
}

function tidyValue(value: Json, schema: JsonSchema, root: JsonSchema, path: string, ignored: string[]): Json {
  if (typeof value !== "object" || value === null) return value;
  const plain = resolve(schema, root);
  if (alternatives(plain)) return value;
  if (Array.isArray(value)) {
    const items = plain.items;
    return items ? value.map((item, i) => tidyValue(item, items, root, `${path}[${i}]`, ignored)) : value;
  }
  return isObjectSchema(plain) ? tidyObject(value, plain, root, path, ignored) : value;
}

function isObjectSchema(schema: JsonSchema): boolean {
  return typesOf(schema).includes("object") && isOfType(schema.properties, "object");
}

/**
 * Whether unknown properties may be dropped. At the top a schema that lists its properties means all of them; below, only one
 * that says so. Where a schema takes more (patterns, compositions, free forms) everything stays.
 */
function isClosed(schema: JsonSchema, top: boolean): boolean {
  if (!schema.properties) return false;
  if (
    ["patternProperties", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"].some((word) => word in schema)
  )
    return false;
  if (schema.additionalProperties === undefined) return top && schema.unevaluatedProperties === undefined;
  return schema.additionalProperties === false;
}
