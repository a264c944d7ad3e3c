import { expect, test } from "bun:test";
import type { JsonObject, JsonSchema } from "../../contract/json.ts";
import { tool } from "../test-support/bench.ts";
import { validateArguments } from "./validate.ts";

const readSchema: JsonSchema = {
  type: "object",
  properties: {
    file_path: { type: "string" },
    offset: { type: "integer" },
    limit: { type: "integer" },
    follow: { type: "boolean" },
  },
  required: ["file_path"],
};

/** What a tool with this schema would run with, or the refusal. */
async function validated(input: JsonSchema, sent: JsonObject, aliases: Record<string, string> = {}) {
  const result = await validateArguments(tool("read", { input, aliases }), sent);
  return result.ok ? result : result.message;
}

test("numbers as text and an extra property do not stop a call [F20]", async () => {
  expect(await validated(readSchema, { file_path: "a", offset: "10", limit: "5", task: "look" })).toEqual({
    ok: true,
    input: { file_path: "a", offset: 10, limit: 5 },
    note: "Note: ignored unknown property task.",
  });
});

test("a known alias is taken for its property [F20]", async () => {
  expect(await validated(readSchema, { path: "a" }, { path: "file_path" })).toEqual({
    ok: true,
    input: { file_path: "a" },
  });
});

test("the canonical property wins over its alias, and the alias is named as ignored [F20]", async () => {
  expect(await validated(readSchema, { path: "b", file_path: "a" }, { path: "file_path" })).toEqual({
    ok: true,
    input: { file_path: "a" },
    note: "Note: ignored unknown property path.",
  });
});

test("an alias stands in where the canonical property is null [F20]", async () => {
  expect(await validated(readSchema, { file_path: null, path: "a" }, { path: "file_path" })).toEqual({
    ok: true,
    input: { file_path: "a" },
  });
});

test.each(["filePath", "file-path", "FILE_PATH", "FilePath"])(
  "%s is another spelling of file_path [F20]",
  async (key) => {
    expect(await validated(readSchema, { [key]: "a" })).toEqual({ ok: true, input: { file_path: "a" } });
  },
);

test("null for an optional property means that it was not given [F20]", async () => {
  expect(await validated(readSchema, { file_path: "a", offset: null })).toEqual({
    ok: true,
    input: { file_path: "a" },
  });
});

test("null for a required property is refused", async () => {
  expect(await validated(readSchema, { file_path: null })).toContain("file_path must be string, got null");
});

test("null stays where the schema has a place for it", async () => {
  const schema: JsonSchema = { type: "object", properties: { a: { type: ["string", "null"] } } };
  expect(await validated(schema, { a: null })).toEqual({ ok: true, input: { a: null } });
});

test.each(["123", '{"a":1}', "[1]", "true", "null", "10.50"])(
  "the text %p stays text where text is wanted [F20]",
  async (content) => {
    const schema: JsonSchema = {
      type: "object",
      properties: { content: { type: "string" } },
      required: ["content"],
    };
    expect(await validated(schema, { content })).toEqual({ ok: true, input: { content } });
  },
);

test("text stays text where text is one of the types [F20]", async () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { value: { anyOf: [{ type: "integer" }, { type: "string" }] } },
  };
  expect(await validated(schema, { value: "10" })).toEqual({ ok: true, input: { value: "10" } });
});

test("numbers and truth values become text where only text is wanted [F20]", async () => {
  const schema: JsonSchema = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } };
  expect(await validated(schema, { a: 10, b: true })).toEqual({ ok: true, input: { a: "10", b: "true" } });
});

test.each([
  ["True", true],
  ["false", false],
])("%p becomes a truth value [F20]", async (sent, value) => {
  expect(await validated(readSchema, { file_path: "a", follow: sent })).toEqual({
    ok: true,
    input: { file_path: "a", follow: value },
  });
});

test.each(["007", "0x10", "1_000", "1,000", "ten", "", " ", "1.5", "9007199254740993", "Infinity", "yes"])(
  "%p is refused as an integer, with the value and the expected form [F20]",
  async (offset) => {
    const message = await validated(readSchema, { file_path: "a", offset });
    expect(message).toContain(`offset must be integer, got ${JSON.stringify(offset)}`);
    expect(message).toContain(
      "Expected: { file_path: string, offset?: integer, limit?: integer, follow?: boolean }",
    );
  },
);

test("a list given as JSON text is read, with lists and objects inside of it [F20]", async () => {
  const schema: JsonSchema = {
    type: "object",
    properties: {
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: { old: { type: "string" }, n: { type: "integer" } },
          required: ["old"],
        },
      },
    },
    required: ["edits"],
  };
  expect(await validated(schema, { edits: '[{"old":"a","n":"2"}]' })).toEqual({
    ok: true,
    input: { edits: [{ old: "a", n: 2 }] },
  });
  expect(await validated(schema, { edits: '[{"old":"a"' })).toContain("edits must be array");
  expect(await validated(schema, { edits: '{"old":"a"}' })).toContain("edits must be array");
});

test("one item becomes a list of one where exactly such items are wanted", async () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { ids: { type: "array", items: { type: "string" } } },
  };
  expect(await validated(schema, { ids: "a" })).toEqual({ ok: true, input: { ids: ["a"] } });
});

test("a missing property is named with the expected form", async () => {
  expect(await validated(readSchema, {})).toBe(
    "The call of read was not run: its arguments do not fit.\n- file_path is missing\nExpected: { file_path: string, offset?: integer, limit?: integer, follow?: boolean }",
  );
});

test("a long wrong value is shown in short", async () => {
  const message = (await validated(readSchema, { file_path: ["x".repeat(5_000)] })) as string;
  expect(message.length).toBeLessThan(500);
  expect(message).toContain("5004 characters");
});

test("values of an enumeration are found by their text", async () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { depth: { enum: [1, 2] }, mode: { enum: ["fast", "slow"] } },
  };
  expect(await validated(schema, { depth: "2", mode: "fast" })).toEqual({
    ok: true,
    input: { depth: 2, mode: "fast" },
  });
  expect(await validated(schema, { mode: "quick" })).toContain(
    'Expected: { depth?: 1 | 2, mode?: "fast" | "slow" }',
  );
});

test("references, alternatives and nested closed objects of a foreign schema work", async () => {
  const schema: JsonSchema = {
    type: "object",
    properties: {
      target: { $ref: "#/$defs/target" },
      when: { anyOf: [{ type: "integer" }, { type: "null" }] },
    },
    required: ["target"],
    $defs: {
      target: {
        type: "object",
        properties: { id: { type: "integer" }, next: { $ref: "#/$defs/target" } },
        required: ["id"],
        additionalProperties: false,
      },
    },
  };
  expect(await validated(schema, { target: { id: "1", next: { id: 2, why: "x" } }, when: "5" })).toEqual({
    ok: true,
    input: { target: { id: 1, next: { id: 2 } }, when: 5 },
    note: "Note: ignored unknown property target.next.why.",
  });
});

test("a schema that takes any property keeps them all", async () => {
  const open: JsonSchema = {
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: true,
  };
  expect(await validated(open, { a: "x", b: 1 })).toEqual({ ok: true, input: { a: "x", b: 1 } });
  const free: JsonSchema = { type: "object" };
  expect(await validated(free, { anything: [1] })).toEqual({ ok: true, input: { anything: [1] } });
});

test.each<[string, JsonSchema]>([
  [
    "a regular expression of another language",
    { type: "object", properties: { a: { type: "string", pattern: "(?P<x>[" } } },
  ],
  [
    "a reference that leads nowhere",
    { type: "object", properties: { a: { $ref: "https://example.com/a.json" } } },
  ],
  ["a format", { type: "object", properties: { a: { type: "string", format: "uri" } } }],
])("%s in a server's schema leaves the decision to the server", async (_name, schema) => {
  expect(await validated(schema, { a: "x" })).toEqual({ ok: true, input: { a: "x" } });
});

test("a property named like a keyword of data is still validated", async () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { default: { type: "string", format: "uri" }, const: { type: "integer" } },
  };
  expect(await validated(schema, { default: "x", const: "1" })).toEqual({
    ok: true,
    input: { default: "x", const: 1 },
  });
});

test("properties that every object inherits are unknown ones like any other", async () => {
  const sent = JSON.parse('{"file_path":"a","__proto__":{"x":1},"constructor":2}') as JsonObject;
  expect(await validated(readSchema, sent)).toEqual({
    ok: true,
    input: { file_path: "a" },
    note: "Note: ignored unknown properties __proto__, constructor.",
  });
});

test("a tool without properties takes an empty call", async () => {
  expect(await validated({ type: "object", properties: {} }, {})).toEqual({ ok: true, input: {} });
});
