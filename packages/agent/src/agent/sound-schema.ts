/** A schema without what makes services refuse every request that declares it: whoever wrote the tool, the others go on working. */
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../contract/json.ts";

const TYPES: ReadonlySet<unknown> = new Set([
  "object",
  "array",
  "string",
  "number",
  "integer",
  "boolean",
  "null",
]);
const NAMED = ["properties", "$defs", "definitions", "patternProperties"] as const;
const INNER = ["items", "additionalProperties", "not"] as const;
const LISTS = ["anyOf", "oneOf", "allOf"] as const;

/** The very same object where nothing is wrong with it. What is no schema becomes any value. */
export function soundSchema(schema: JsonSchema): JsonSchema {
  return sound(schema as JsonObject) as JsonSchema;
}

function sound(node: Json): Json {
  if (typeof node === "boolean") return node;
  if (!isJsonObject(node)) return {};
  // Made when there is something to put into it: most schemas are sound, and every start walks through all of them.
  let changes: Map<string, Json | undefined> | undefined;
  const change = (word: string, to: Json | undefined) => {
    if (to === node[word]) return;
    changes ??= new Map();
    changes.set(word, to);
  };
  if (node["type"] !== undefined) change("type", soundType(node["type"]));
  const { enum: values, required } = node;
  if (values !== undefined && !(Array.isArray(values) && values.length > 0)) change("enum", undefined);
  if (required !== undefined) change("required", soundNames(required, node["properties"]));
  for (const word of NAMED) if (node[word] !== undefined) change(word, soundNamed(node[word]!));
  for (const word of INNER)
    if (node[word] !== undefined && !Array.isArray(node[word])) change(word, sound(node[word]!));
  // A list with a schema for each place, as older drafts have it: services know one schema for all, so any of them fits.
  if (Array.isArray(node["items"])) {
    const places = node["items"].map(sound);
    change("items", places.length > 1 ? { anyOf: places } : (places[0] ?? {}));
    change("additionalItems", undefined);
  }
  for (const word of LISTS) if (node[word] !== undefined) change(word, soundList(node[word]!));
  const made = changes;
  if (made === undefined) return node;
  const entries = Object.entries(node).map(([word, value]): [string, Json | undefined] => [
    word,
    made.has(word) ? made.get(word) : value,
  ]);
  // fromEntries defines properties, so that a key named __proto__ stays a plain key.
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function soundType(type: Json): Json | undefined {
  if (!Array.isArray(type)) return TYPES.has(type) ? type : undefined;
  const known = type.filter((each) => TYPES.has(each));
  if (known.length === type.length && known.length > 0) return type;
  return known.length > 0 ? known : undefined;
}

function soundNames(required: Json, properties: Json | undefined): Json | undefined {
  if (!Array.isArray(required)) return undefined;
  const names = required.filter(
    (name) => typeof name === "string" && (!isJsonObject(properties) || Object.hasOwn(properties, name)),
  );
  return names.length === required.length ? required : names;
}

function soundNamed(named: Json): Json | undefined {
  if (!isJsonObject(named)) return undefined;
  let differs = false;
  const entries = Object.keys(named).map((name): [string, Json] => {
    const each = sound(named[name]!);
    differs ||= each !== named[name];
    return [name, each];
  });
  return differs ? Object.fromEntries(entries) : named;
}

function soundList(list: Json): Json | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const all = list.map(sound);
  return all.every((each, index) => each === list[index]) ? list : all;
}
