import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../contract/json.ts";
import { defaultConfig } from "./defaults.ts";
import { CONFIG_SCHEMA } from "./schema.ts";
import { validateConfig } from "./validate.ts";

test("the published schema is the one that files are checked with [A-CONF-01]", () => {
  const published = readFileSync(join(import.meta.dir, "../../../../docs/config.schema.json"), "utf8");
  expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(CONFIG_SCHEMA)));
});

test("the built-in settings fit the schema", () => {
  const config = defaultConfig() as unknown as JsonObject;
  expect(validateConfig(config, CONFIG_SCHEMA, "built-in")).toEqual({ value: config, notices: [] });
});

test("each copy of the built-in settings is its own", () => {
  defaultConfig().permissions.deny.push("x");
  expect(defaultConfig().permissions.deny).toEqual([]);
});
