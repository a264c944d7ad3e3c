import type { Json, JsonObject, JsonSchema } from "../contract/json.ts";
import type { Config } from "./config.ts";
import { CONFIG_SCHEMA } from "./schema.ts";

/** The built-in configuration, a fresh copy: the schema's `default` values. */
export function defaultConfig(): Config {
  return defaultsOf(CONFIG_SCHEMA) as unknown as Config;
}

function defaultsOf(schema: JsonSchema): Json | undefined {
  if (Object.hasOwn(schema, "default")) return structuredClone(schema["default"]) as Json;
  const detailed = (schema["anyOf"] as readonly JsonSchema[] | undefined)?.find((entry) => entry.properties);
  const properties = schema.properties ?? detailed?.properties;
  if (!properties || schema.required?.length) return undefined;
  const object: JsonObject = {};
  for (const [key, inner] of Object.entries(properties)) {
    const value = defaultsOf(inner);
    if (value !== undefined) object[key] = value;
  }
  return object;
}
