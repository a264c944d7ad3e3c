import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../../../contract/json.ts";

/** The schema for a model, or why the tool cannot be used. */
export type NormalSchema = { schema: JsonSchema } | { problem: string };

/** Beyond these a schema would cost every request more than its tool is worth, or a service refuses it. */
const MOST_BYTES = 24_000;
const MOST_NODES = 4_000;
const DEEPEST = 24;
const MOST_DESCRIPTION = 600;

/** Keywords that say something about values, and whose content is data. */
const DATA = ["enum", "const", "default"] as const;
const NUMBERS = [
  "minimum",
  "maximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
] as const;
const LISTS = ["anyOf", "oneOf", "allOf"] as const;
const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/**
 * A server's input schema in the form that every service takes: an object with properties at the root, references written out (a
 * recursive one ends as any value), no boolean schemas, no keywords of old drafts. It never says more than the server's did, so what
 * it lets through may still be refused by the server. `clean` makes the text of descriptions safe.
 */
export function normalSchema(given: Json, clean: (text: string, most: number) => string): NormalSchema {
  if (given === null || given === true) return { schema: { type: "object", properties: {} } };
  if (!isJsonObject(given)) return { problem: `its input schema is ${kindOf(given)}, no JSON Schema` };
  const walk = new Walk(given, clean);
  try {
    const root = walk.schema(given, [], 0);
    const type = root["type"];
    const types = Array.isArray(type) ? type : type === undefined ? ["object"] : [type];
    if (!types.includes("object"))
      return {
        problem: `its input is ${types.map((each) => `"${each}"`).join(" or ")}, and services take objects only`,
      };
    const schema = withRoot(root);
    const bytes = JSON.stringify(schema).length;
    if (bytes > MOST_BYTES)
      return { problem: `its input schema has ${bytes} characters, more than ${MOST_BYTES}` };
    return { schema };
  } catch (thrown) {
    if (thrown instanceof TooLarge) return { problem: thrown.message };
    throw thrown;
  }
}

function withRoot(root: JsonObject): JsonSchema {
  const properties = isJsonObject(root["properties"]) ? root["properties"] : {};
  const { description: _description, ...rest } = root;
  return { ...rest, type: "object", properties } as JsonSchema;
}

class TooLarge extends Error {}

class Walk {
  readonly #root: JsonObject;
  readonly #clean: (text: string, most: number) => string;
  #nodes = 0;

  constructor(root: JsonObject, clean: (text: string, most: number) => string) {
    this.#root = root;
    this.#clean = clean;
  }

  /** `open` holds the references on the way here: one that comes again would never end. */
  schema(node: unknown, open: readonly string[], depth: number): JsonObject {
    if (!isJsonObject(node)) return {};
    if (++this.#nodes > MOST_NODES)
      throw new TooLarge(
        `its input schema has more than ${MOST_NODES} parts once its references are followed`,
      );
    if (depth > DEEPEST) throw new TooLarge(`its input schema is nested more than ${DEEPEST} deep`);
    const reference = node["$ref"] ?? node["$dynamicRef"];
    if (typeof reference === "string") return this.#referenced(node, reference, open, depth);
    const normal: JsonObject = {};
    this.#type(node, normal);
    this.#words(node, normal);
    this.#values(node, normal);
    const inner = (child: unknown) => this.schema(child, open, depth + 1);
    this.#object(node, normal, inner);
    this.#array(node, normal, inner);
    for (const word of LISTS) {
      const list = node[word];
      if (!Array.isArray(list)) continue;
      const alternatives = list.filter((each) => each !== false).map(inner);
      if (alternatives.length > 0) normal[word] = alternatives;
    }
    return normal;
  }

  #referenced(node: JsonObject, reference: string, open: readonly string[], depth: number): JsonObject {
    const own =
      typeof node["description"] === "string" ? this.#clean(node["description"], MOST_DESCRIPTION) : "";
    const said: JsonObject = own === "" ? {} : { description: own };
    const target = open.includes(reference) ? undefined : pointed(this.#root, reference);
    if (target === undefined) return said;
    return { ...this.schema(target, [...open, reference], depth + 1), ...said };
  }

  #type(node: JsonObject, normal: JsonObject): void {
    const type = node["type"];
    const known = (Array.isArray(type) ? type : [type]).filter(
      (each): each is string => typeof each === "string" && TYPES.has(each),
    );
    if (node["nullable"] === true && known.length > 0 && !known.includes("null")) known.push("null");
    if (known.length > 0) normal["type"] = known.length === 1 ? known[0]! : [...new Set(known)];
    else if (isJsonObject(node["properties"])) normal["type"] = "object";
    else if (node["items"] !== undefined) normal["type"] = "array";
  }

  #words(node: JsonObject, normal: JsonObject): void {
    for (const word of ["title", "description"] as const) {
      const text = node[word];
      if (typeof text !== "string") continue;
      // A title that only repeats the name of its property is paid for with every request.
      if (word === "title" && typeof node["description"] === "string") continue;
      const clean = this.#clean(text, MOST_DESCRIPTION);
      if (clean !== "") normal[word] = clean;
    }
    if (typeof node["format"] === "string" && /^[a-z0-9-]{1,30}$/i.test(node["format"]))
      normal["format"] = node["format"];
  }

  #values(node: JsonObject, normal: JsonObject): void {
    for (const word of DATA) if (node[word] !== undefined) normal[word] = node[word]!;
    if (!Array.isArray(normal["enum"]) || normal["enum"].length === 0) delete normal["enum"];
    for (const word of NUMBERS) if (isNumber(node[word])) normal[word] = node[word]!;
    for (const [word, limit] of [
      ["exclusiveMinimum", "minimum"],
      ["exclusiveMaximum", "maximum"],
    ] as const) {
      if (isNumber(node[word])) normal[word] = node[word]!;
      // Draft 4 has a yes or no beside the limit.
      else if (node[word] === true && isNumber(node[limit])) {
        normal[word] = node[limit]!;
        delete normal[limit];
      }
    }
    if (node["uniqueItems"] === true) normal["uniqueItems"] = true;
    if (typeof node["pattern"] === "string" && isExpression(node["pattern"]))
      normal["pattern"] = node["pattern"];
  }

  #object(node: JsonObject, normal: JsonObject, inner: (child: unknown) => JsonObject): void {
    const properties = node["properties"];
    const named = isJsonObject(properties)
      ? Object.entries(properties).filter(([name, value]) => value !== false && name !== "__proto__")
      : [];
    if (isJsonObject(properties))
      normal["properties"] = Object.fromEntries(named.map(([name, value]) => [name, inner(value)]));
    if (Array.isArray(node["required"])) {
      const names = new Set(named.map(([name]) => name));
      const required = [...new Set(node["required"])].filter(
        (name): name is string => typeof name === "string" && names.has(name),
      );
      if (required.length > 0) normal["required"] = required;
    }
    const others = node["additionalProperties"];
    if (typeof others === "boolean") normal["additionalProperties"] = others;
    else if (isJsonObject(others)) normal["additionalProperties"] = inner(others);
  }

  #array(node: JsonObject, normal: JsonObject, inner: (child: unknown) => JsonObject): void {
    const tuple = Array.isArray(node["prefixItems"]) ? node["prefixItems"] : node["items"];
    if (Array.isArray(tuple)) {
      // A list with a schema for each place: few services know it, so any of them fits at every place.
      const places = tuple.map(inner);
      normal["items"] = places.length === 1 ? places[0]! : places.length === 0 ? {} : { anyOf: places };
    } else if (isJsonObject(tuple)) normal["items"] = inner(tuple);
    // Services refuse a list that does not say of what.
    else if (normal["type"] === "array") normal["items"] = {};
  }
}

function pointed(root: JsonObject, reference: string): JsonObject | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return named(root, reference);
  let node: Json | undefined = root;
  for (const step of reference.slice(2).split("/")) {
    const key = unescaped(step);
    if (Array.isArray(node)) node = node[Number(key)];
    else node = isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return isJsonObject(node) ? node : undefined;
}

/** A definition with a name of its own (`$anchor`, `$id`). */
function named(root: JsonObject, reference: string): JsonObject | undefined {
  const definitions = { ...object(root["definitions"]), ...object(root["$defs"]) };
  return Object.values(definitions).find(
    (each): each is JsonObject =>
      isJsonObject(each) && (each["$id"] === reference || `#${each["$anchor"]}` === reference),
  );
}

function object(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    // a stray % in a pointer: taken as written
    return step;
  }
}

function isNumber(value: Json | undefined): boolean {
  return typeof value === "number" && Number.isFinite(value);
}

function isExpression(pattern: string): boolean {
  if (pattern.length > 500) return false;
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    // written for another language: the server checks it
    return false;
  }
}

function kindOf(value: Json): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
