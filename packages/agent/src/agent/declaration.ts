/** A tool as every service takes it: some demand an object with properties at the root of its schema. */
import { isJsonObject, type Json, type JsonObject, type JsonSchema } from "../contract/json.ts";
import type { ToolDeclaration } from "../contract/model.ts";
import type { AnyTool } from "../contract/tool.ts";
import { soundSchema } from "./sound-schema.ts";

/** Words that services refuse at the root of a schema. Arguments are still validated against the schema as the tool has it. */
const ALTERNATIVES = ["allOf", "anyOf", "oneOf"] as const;
/** References that lead to references end here. */
const DEEPEST_REFERENCE = 8;

/** The declaration of a tool under a name. */
export function declarationOf(tool: AnyTool, name: string): ToolDeclaration {
  return { name, description: tool.description, parameters: soundSchema(declaredSchema(tool.input)) };
}

/** The schema itself where it has the form already, so that its bytes are the tool's own. */
function declaredSchema(schema: JsonSchema): JsonSchema {
  const plain = schema.type === "object" && isJsonObject(schema.properties);
  if (plain && ALTERNATIVES.every((word) => schema[word] === undefined)) return schema;
  const { $ref: _, allOf: _all, anyOf: _any, oneOf: _one, required: _required, ...rest } = schema;
  const root = resolved(schema, schema);
  const properties: JsonObject = {};
  const required = new Set<string>();
  collect(root, schema, { properties, required }, true, 0);
  const needed = [...required].filter((name) => Object.hasOwn(properties, name));
  return {
    ...rest,
    type: "object",
    properties,
    ...(needed.length > 0 && { required: needed }),
  } as JsonSchema;
}

interface Collected {
  properties: JsonObject;
  required: Set<string>;
}

/** Gathers the properties of a schema and of its alternatives; what only some alternatives require is not required. */
function collect(
  schema: JsonObject,
  root: JsonSchema,
  into: Collected,
  always: boolean,
  depth: number,
): void {
  if (depth > DEEPEST_REFERENCE) return;
  if (isJsonObject(schema["properties"]))
    for (const [name, property] of Object.entries(schema["properties"]))
      if (!Object.hasOwn(into.properties, name))
        Object.defineProperty(into.properties, name, {
          value: property,
          enumerable: true,
          configurable: true,
          writable: true,
        });
  if (always && Array.isArray(schema["required"]))
    for (const name of schema["required"]) if (typeof name === "string") into.required.add(name);
  for (const word of ALTERNATIVES) {
    const inner = schema[word];
    for (const one of Array.isArray(inner) ? inner : [])
      if (isJsonObject(one)) collect(resolved(one, root), root, into, always && word === "allOf", depth + 1);
  }
}

/** What a local reference leads to; the schema itself where it is none, or leads nowhere. */
function resolved(schema: JsonSchema | JsonObject, root: JsonSchema): JsonObject {
  let found = schema as JsonObject;
  for (let step = 0; step < DEEPEST_REFERENCE; step++) {
    const reference = found["$ref"];
    if (typeof reference !== "string" || !reference.startsWith("#/")) break;
    let target: Json | undefined = root as JsonObject;
    for (const key of reference.slice(2).split("/")) target = isJsonObject(target) ? target[key] : undefined;
    if (!isJsonObject(target)) break;
    found = target;
  }
  return found;
}
