/** Reading JSON Schemas: just what coercion, aliases and the text of a refusal need. */
import type { JsonSchema } from "../../contract/json.ts";

/** Follows local references (`#/…`) from the root; a reference that leads nowhere gives an empty schema. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let current = schema;
  for (let hops = 0; typeof current.$ref === "string"; hops++) {
    const target = hops < 32 ? pointer(root, current.$ref) : undefined;
    if (!target) return {};
    current = target;
  }
  return current;
}

function pointer(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (!reference.startsWith("#")) return undefined;
  let node: unknown = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const key = decode(step);
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) return undefined;
    node = (node as Record<string, unknown>)[key];
  }
  return typeof node === "object" && node !== null ? (node as JsonSchema) : undefined;
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    // A stray % in a pointer: taken as written.
    return step;
  }
}

/** The alternatives of `anyOf` and `oneOf`, or undefined when the schema has none. */
export function alternatives(schema: JsonSchema): readonly JsonSchema[] | undefined {
  const list = schema.anyOf ?? schema.oneOf;
  return Array.isArray(list) ? (list as JsonSchema[]) : undefined;
}

/** The JSON types a schema allows; empty when it does not say. */
export function typesOf(schema: JsonSchema): readonly string[] {
  if (typeof schema.type === "string") return [schema.type];
  if (Array.isArray(schema.type)) return schema.type as readonly string[];
  if (schema.properties) return ["object"];
  if (schema.items) return ["array"];
  return [];
}

/** Whether a value is of a JSON type. */
export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Whether `null` is a value of its own here, not another way to leave a property out. */
export function allowsNull(schema: JsonSchema, root: JsonSchema): boolean {
  const plain = resolve(schema, root);
  const types = typesOf(plain);
  if (types.length > 0) return types.includes("null");
  if (Array.isArray(plain.enum)) return plain.enum.includes(null);
  if ("const" in plain) return plain.const === null;
  const options = alternatives(plain);
  return options ? options.some((option) => allowsNull(option, root)) : true;
}

/** A schema as a short type in the way of TypeScript, for the model: `{ path: string, limit?: integer }`. */
export function signature(schema: JsonSchema, root: JsonSchema = schema, depth = 0): string {
  const plain = resolve(schema, root);
  if (Array.isArray(plain.enum)) return plain.enum.map((item) => JSON.stringify(item)).join(" | ");
  if ("const" in plain) return JSON.stringify(plain.const);
  const options = alternatives(plain);
  if (options && !plain.properties)
    return options.map((option) => signature(option, root, depth + 1)).join(" | ");
  return (
    typesOf(plain)
      .map((type) => typeSignature(type, plain, root, depth))
      .join(" | ") || "any"
  );
}

function typeSignature(type: string, schema: JsonSchema, root: JsonSchema, depth: number): string {
  if (type === "array") {
    const item = schema.items && depth < 4 ? signature(schema.items, root, depth + 1) : "any";
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
  }
  if (type !== "object" || !schema.properties || depth >= 4) return type;
  const fields = Object.entries(schema.properties).map(([name, property]) => {
    const optional = schema.required?.includes(name) ? "" : "?";
    return `${name}${optional}: ${signature(property, root, depth + 1)}`;
  });
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
