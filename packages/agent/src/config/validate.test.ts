import { expect, test } from "bun:test";
import { parseJsonText, repeatedKey } from "./read-json-file.ts";
import { CONFIG_SCHEMA } from "./schema.ts";
import { validateConfig } from "./validate.ts";

test("a file that is something else altogether is told of in few words [K01]", () => {
  const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key${index}`, 1]));
  const { notices } = validateConfig(keys, CONFIG_SCHEMA, "config.json");
  expect(notices).toHaveLength(21);
  expect(notices.at(-1)?.message).toBe("config.json: 4980 more entries are ignored");
});

test('a number in quotation marks is that number: a limit of "1000" is a limit [K01][Q03]', () => {
  const given = {
    guardrail: { max_daily_tokens: "1000" },
    idle: { firstByte: "2.5" },
    retry: { maxDelay: "-1" },
  };
  const { value, notices } = validateConfig(given, CONFIG_SCHEMA, "config.json");
  expect(value).toMatchObject({ guardrail: { max_daily_tokens: 1000 }, idle: { firstByte: 2.5 } });
  expect(notices).toHaveLength(1);
});

test("a text where a list of texts is wanted is a list of one: a single deny rule is a rule [K01]", () => {
  const given = { permissions: { deny: "bash", ask: "" } };
  const { value, notices } = validateConfig(given, CONFIG_SCHEMA, "config.json");
  expect(value).toEqual({ permissions: { deny: ["bash"] } });
  expect(notices.map((notice) => notice.message)).toEqual([
    'config.json: "permissions.ask" is "", but must be a list [ … ]; it is ignored',
  ]);
});

test("a key that stands twice in one object is found with its place, and no other [K01]", () => {
  const text =
    '{\n  "a": {"x": 1}, // "b": 1, "b":\n  "b": [{"x": ":"}, {"x": 2}],\n  "\\u0061": {}, "c": "\\":"\n}';
  expect(repeatedKey(text)).toEqual({ key: "a", at: "line 4:3" });
  expect(repeatedKey(text.replace('"\\u0061"', '"d"'))).toBeNull();
});

test("a file of nothing but brackets is broken, not a fault of ours [K01]", async () => {
  expect(await parseJsonText("[".repeat(100_000))).toMatchObject({ state: "broken" });
});

test("what a language server is told is taken as it stands, whatever its keys [A-CONF-01]", () => {
  const pyright = {
    settings: { python: { pythonPath: "/usr/bin/python3" }, deep: [{ nul: null }] },
    initializationOptions: { any: true },
  };
  const given = { lsp: { servers: { pyright } } };
  expect(validateConfig(given, CONFIG_SCHEMA, "config.json")).toEqual({ value: given, notices: [] });
});
