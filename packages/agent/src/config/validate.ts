import type { Json, JsonObject, JsonSchema } from "../contract/json.ts";
import type { Notice } from "../contract/settings.ts";
import { nearNames } from "../platform/near-names.ts";
import { kindOf } from "./read-json-file.ts";

/** Keys whose values may be secrets: a message tells their kind, never the value. */
const PRIVATE = /(^|\.)(apiKey|headers|env|oauth)(\.|\[|$)/;

/** The part of `value` that fits `schema`; what does not is left out, each with a notice that names key, value and what was expected. */
export function validateConfig(
  value: JsonObject,
  schema: JsonSchema,
  file: string,
): { value: JsonObject; notices: Notice[] } {
  const notices: Notice[] = [];
  let more = 0;
  const warn = (message: () => string) => {
    if (notices.length < MOST_NOTICES) notices.push({ level: "warning", message: `${file}: ${message()}` });
    else more++;
  };
  const fitted = (fit(value, schema, "", warn) ?? {}) as JsonObject;
  if (more > 0) notices.push({ level: "warning", message: `${file}: ${more} more entries are ignored` });
  return { value: fitted, notices };
}

/** Told one by one; a file that is something else altogether would fill the screen. */
const MOST_NOTICES = 20;

/** The text is made only where it is told. */
type Warn = (message: () => string) => void;

function fit(value: Json, schema: JsonSchema, path: string, warn: Warn): Json | undefined {
  const alternatives = schema["anyOf"] as readonly JsonSchema[] | undefined;
  if (alternatives) {
    const chosen = alternatives.find((entry) => hasType(value, entry));
    if (chosen) return fit(value, chosen, path, warn);
    warn(() => mismatch(value, path, alternatives.map(expected).join(" or ")));
    return undefined;
  }
  // A rule of `"deny": "bash"` must not count as no rule.
  if (typeof value === "string" && value !== "" && schema.type === "array" && schema.items?.type === "string")
    return fit([value], schema, path, warn);
  const number = asNumber(value, schema);
  if (number !== undefined) return fit(number, schema, path, warn);
  if (!hasType(value, schema) || !inBounds(value, schema)) {
    warn(() => mismatch(value, path, expected(schema)));
    return undefined;
  }
  if (Array.isArray(value)) return fitList(value, schema, path, warn);
  if (typeof value === "object" && value !== null) return fitObject(value, schema, path, warn);
  return value;
}

/** The number that a text spells out where a number is wanted: a limit of "1000" must not count as no limit. */
function asNumber(value: Json, schema: JsonSchema): number | undefined {
  const wanted = schema.type === "integer" || schema.type === "number";
  return wanted && typeof value === "string" && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value)
    ? Number(value)
    : undefined;
}

function fitList(value: Json[], schema: JsonSchema, path: string, warn: Warn): Json[] {
  if (!schema.items) return value;
  const items = schema.items;
  return value
    .map((entry, index) => fit(entry, items, `${path}[${index}]`, warn))
    .filter((entry) => entry !== undefined);
}

function fitObject(value: JsonObject, schema: JsonSchema, path: string, warn: Warn): JsonObject | undefined {
  const others = schema["additionalProperties"] as JsonSchema | false | undefined;
  // What another program reads, such as the settings of a language server: it alone knows the keys.
  if (schema.properties === undefined && others === undefined) return value;
  const properties = schema.properties ?? {};
  const kept: [string, Json][] = [];
  for (const [key, entry] of Object.entries(value)) {
    const inner = path === "" ? key : `${path}.${key}`;
    const known = Object.hasOwn(properties, key) ? properties[key] : others;
    if (!known || key === "__proto__") {
      warn(() => {
        const near = nearNames(key, Object.keys(properties), 1)[0];
        return `unknown key "${inner.slice(0, 200)}" is ignored${near ? `; did you mean "${near}"?` : ""}`;
      });
      continue;
    }
    const fitted = fit(entry, known, inner, warn);
    if (fitted !== undefined) kept.push([key, fitted]);
  }
  const object = Object.fromEntries(kept) as JsonObject;
  const missing = (schema.required ?? []).filter((key) => !Object.hasOwn(object, key));
  if (missing.length === 0) return object;
  warn(() => `${path} is ignored: it needs ${missing.map((key) => `"${key}"`).join(" and ")}`);
  return undefined;
}

function hasType(value: Json, schema: JsonSchema): boolean {
  switch (schema.type) {
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isSafeInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    default:
      return typeof value === schema.type;
  }
}

function inBounds(value: Json, schema: JsonSchema): boolean {
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (typeof value === "number") {
    const { minimum, maximum, exclusiveMinimum } = schema as Record<string, number | undefined>;
    return (
      value >= (minimum ?? -Infinity) &&
      value <= (maximum ?? Infinity) &&
      value > (exclusiveMinimum ?? -Infinity)
    );
  }
  if (typeof value === "string") {
    const { minLength, pattern } = schema as { minLength?: number; pattern?: string };
    return value.length >= (minLength ?? 0) && (pattern === undefined || new RegExp(pattern).test(value));
  }
  return true;
}

function mismatch(value: Json, path: string, wanted: string): string {
  const shown = PRIVATE.test(path) ? kindOf(value) : bounded(JSON.stringify(value));
  return `"${path}" is ${shown}, but must be ${wanted}; it is ignored`;
}

function bounded(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`;
}

function expected(schema: JsonSchema): string {
  if (schema.enum) return `one of ${schema.enum.map((entry) => JSON.stringify(entry)).join(", ")}`;
  const { minimum, maximum, exclusiveMinimum, pattern } = schema as Record<
    string,
    number | string | undefined
  >;
  if (schema.type === "string") {
    if (pattern === "^https?://") return "an address that begins with http:// or https://";
    return schema["minLength"] ? "a text that is not empty" : "a text";
  }
  if (schema.type === "boolean") return "true or false";
  if (schema.type === "array") return "a list [ … ]";
  if (schema.type === "object") return "an object { … }";
  const lowest =
    exclusiveMinimum !== undefined
      ? ` above ${exclusiveMinimum}`
      : minimum !== undefined
        ? ` of at least ${minimum}`
        : "";
  const highest = maximum !== undefined ? ` and at most ${maximum}` : "";
  return `${schema.type === "integer" ? "a whole number" : "a number"}${lowest}${highest}`;
}
