import { expect, test } from "bun:test";
import type { JsonSchema } from "../contract/json.ts";
import { soundSchema } from "./sound-schema.ts";

const sound = (schema: unknown) => soundSchema(schema as JsonSchema) as unknown;

test("a schema that services take goes out as the very same object [P17]", () => {
  const schema = {
    type: "object",
    properties: { a: { type: ["string", "null"], enum: ["x", null] }, b: { items: { $ref: "#/$defs/d" } } },
    required: ["a"],
    $defs: { d: { anyOf: [{ type: "number" }, true] } },
    additionalProperties: false,
  };
  expect(sound(schema)).toBe(schema);
});

test.each([
  ["a type that is none", { type: "strnig", description: "d" }, { description: "d" }],
  ["a list of types with one that is none", { type: ["string", "text"] }, { type: ["string"] }],
  ["an enum without values", { type: "string", enum: [] }, { type: "string" }],
  ["a property that is no schema", { properties: { a: 7 } }, { properties: { a: {} } }],
  ["properties that are a list", { type: "object", properties: ["a"] }, { type: "object" }],
  ["required that is a word", { properties: { a: {} }, required: "a" }, { properties: { a: {} } }],
  [
    "required names that are no properties",
    { properties: { a: {} }, required: ["a", "b", 3] },
    { properties: { a: {} }, required: ["a"] },
  ],
  ["alternatives that are none", { anyOf: [], oneOf: "x" }, {}],
  [
    "a tuple of an older draft",
    { items: [{ type: "string" }, { type: "number" }], additionalItems: false },
    { items: { anyOf: [{ type: "string" }, { type: "number" }] } },
  ],
])("%s goes out as the rest of its schema [M03]", (_, schema, left) => {
  const inTool = (inner: unknown) => ({ type: "object", properties: { p: { not: inner } } });
  expect(sound(inTool(schema))).toEqual(inTool(left));
});
