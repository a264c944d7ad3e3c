import { type Fields, fields, isObject, list } from "../wire.ts";

const TYPES = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);

/** A declared tool, in whatever wrapping its wire has. */
export interface DeclaredTool {
  name: unknown;
  description?: unknown;
  schema: unknown;
  strict?: unknown;
}

/** What a service would refuse in the tools of a request: names, doubles, schemas. */
export function toolProblems(tools: readonly DeclaredTool[], namePattern: RegExp): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const where = `tools.${index}`;
    if (typeof tool.name !== "string" || !namePattern.test(tool.name)) {
      problems.push(`${where}.name: ${JSON.stringify(tool.name)} does not match ${namePattern}`);
      continue;
    }
    if (seen.has(tool.name)) problems.push(`tools: tool names must be unique; "${tool.name}" comes twice`);
    seen.add(tool.name);
    if (tool.description !== undefined && typeof tool.description !== "string")
      problems.push(`${where}.description: must be a string`);
    problems.push(...rootProblems(`${where} (${tool.name})`, tool.schema));
    if (tool.strict === true) problems.push(...strictProblems(`${where} (${tool.name})`, tool.schema));
  }
  return problems;
}

function rootProblems(where: string, schema: unknown): string[] {
  if (!isObject(schema)) return [`${where}: the schema is not an object`];
  if (schema["type"] !== "object")
    return [`${where}: the schema's root type must be "object", not ${JSON.stringify(schema["type"])}`];
  for (const word of ["anyOf", "oneOf", "allOf"])
    if (word in schema) return [`${where}: the schema's root must not have ${word}`];
  return schemaProblems(where, schema);
}

function schemaProblems(where: string, schema: unknown): string[] {
  if (typeof schema === "boolean") return [];
  if (!isObject(schema)) return [`${where}: a schema is an object or a boolean`];
  const problems: string[] = [];
  const type = schema["type"];
  if (type !== undefined && !isType(type)) problems.push(`${where}: unknown type ${JSON.stringify(type)}`);
  if (schema["enum"] !== undefined && list(schema["enum"]).length === 0)
    problems.push(`${where}: enum must be a non-empty array`);
  problems.push(...requiredProblems(where, schema));
  for (const word of ["properties", "$defs", "definitions", "patternProperties"])
    if (schema[word] !== undefined) {
      if (!isObject(schema[word])) problems.push(`${where}: ${word} must be an object`);
      for (const [name, inner] of Object.entries(fields(schema[word])))
        problems.push(...schemaProblems(`${where}.${name}`, inner));
    }
  for (const word of ["items", "additionalProperties", "not"])
    if (schema[word] !== undefined) problems.push(...schemaProblems(`${where}.${word}`, schema[word]));
  for (const word of ["anyOf", "oneOf", "allOf"])
    if (schema[word] !== undefined) {
      if (list(schema[word]).length === 0) problems.push(`${where}: ${word} must be a non-empty array`);
      for (const inner of list(schema[word])) problems.push(...schemaProblems(`${where}.${word}`, inner));
    }
  return problems;
}

function isType(type: unknown): boolean {
  const names = Array.isArray(type) ? type : [type];
  return names.length > 0 && names.every((name) => typeof name === "string" && TYPES.has(name));
}

function requiredProblems(where: string, schema: Fields): string[] {
  const required = schema["required"];
  if (required === undefined) return [];
  if (!Array.isArray(required) || required.some((name) => typeof name !== "string"))
    return [`${where}: required must be an array of names`];
  const known = fields(schema["properties"]);
  return required
    .filter((name: string) => !(name in known))
    .map((name: string) => `${where}: required names "${name}", which is no property`);
}

/** OpenAI's strict mode: every property required, nothing additional, at every depth. */
function strictProblems(where: string, schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const problems: string[] = [];
  if (schema["type"] === "object" || schema["properties"] !== undefined) {
    const names = Object.keys(fields(schema["properties"]));
    const required = new Set(list(schema["required"]));
    const missing = names.filter((name) => !required.has(name));
    if (schema["additionalProperties"] !== false)
      problems.push(`${where}: strict needs additionalProperties: false`);
    if (missing.length > 0)
      problems.push(`${where}: strict needs every property in required; missing: ${missing.join(", ")}`);
  }
  for (const inner of [
    ...Object.values(fields(schema["properties"])),
    ...Object.values(fields(schema["$defs"])),
    ...list(schema["anyOf"]),
    schema["items"],
  ])
    problems.push(...strictProblems(where, inner));
  return problems;
}
