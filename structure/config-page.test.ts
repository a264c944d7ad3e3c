import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_RULES } from "../packages/agent/src/config/project-rules.ts";
import { CONFIG_SCHEMA } from "../packages/agent/src/config/schema.ts";
import { configPage, configSections } from "./config-page.ts";

const ROWS = configSections().flatMap(({ rows }) => rows);

test("the page of the configuration is the one that the schema gives [A-CONF-01]", () => {
  const written = readFileSync(join(import.meta.dir, "..", "docs", "config.md"), "utf8");
  expect(written, "renew it: node scripts/bun.mjs structure/write-config-page.ts").toBe(configPage());
});

test("every key of the schema stands on the page once", () => {
  const shown = ROWS.map(({ path }) => path);
  expect(new Set(shown).size).toBe(shown.length);
  const top = [...new Set(shown.map((path) => /^\w+/.exec(path)![0]))];
  expect(top.sort()).toEqual(
    Object.keys(CONFIG_SCHEMA.properties!)
      .filter((key) => key !== "$schema")
      .sort(),
  );
});

test("every key says what it means", () => {
  const sections = new Set(
    configSections()
      .filter((section) => section.meaning !== "")
      .map(({ key }) => key),
  );
  expect(ROWS.filter(({ path, meaning }) => meaning === "" && !sections.has(path))).toEqual([]);
});

test("the column about projects says what the rules do [X01]", () => {
  const column = new Map(ROWS.map(({ path, project }) => [path, project]));
  const expected = {
    "providers.NAME.baseUrl": "no",
    "guardrail.max_daily_tokens": "no",
    "permissions.allow": "no",
    "permissions.deny": "adds",
    "sandbox.tier": "stricter",
    "sandbox.network": "off",
    "memory.token_budget": "lower",
    "lsp.servers": "disabled",
    hooks: "adds",
    thinking: "yes",
  };
  expect(Object.fromEntries(Object.keys(expected).map((path) => [path, column.get(path)]))).toEqual(expected);
});

test("each rule for project files is about a key that the page shows", () => {
  const shown = new Set(ROWS.map(({ path }) => path));
  const parents = new Set(ROWS.map(({ path }) => path.split(".")[0]!));
  expect(Object.keys(PROJECT_RULES).filter((key) => !shown.has(key) && !parents.has(key))).toEqual([]);
});
