import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject, JsonSchema } from "../contract/json.ts";
import { defaultConfig } from "./defaults.ts";
import { CONFIG_SCHEMA } from "./schema.ts";
import { validateConfig } from "./validate.ts";

function defaultsOf(schema: JsonSchema): Json | undefined {
  if (Object.hasOwn(schema, "default")) return schema["default"] as Json;
  const detailed = (schema["anyOf"] as readonly JsonSchema[] | undefined)?.find((entry) => entry.properties);
  const properties = schema.properties ?? detailed?.properties;
  if (!properties) return undefined;
  const entries = Object.entries(properties).map(([key, inner]) => [key, defaultsOf(inner)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject;
}

test("the published schema is the one that files are checked with [A-CONF-01]", () => {
  const published = readFileSync(join(import.meta.dir, "../../../../docs/config.schema.json"), "utf8");
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(CONFIG_SCHEMA)));
});

test("the built-in settings are the defaults that the schema tells of, and fit it [A-CONF-01]", () => {
  const config = defaultConfig() as unknown as JsonObject;
  expect(config).toEqual(defaultsOf(CONFIG_SCHEMA) as JsonObject);
  expect(validateConfig(config, CONFIG_SCHEMA, "built-in")).toEqual({ value: config, notices: [] });
});

test("each copy of the built-in settings is its own", () => {
  defaultConfig().permissions.deny.push("x");
  expect(defaultConfig().permissions.deny).toEqual([]);
});
