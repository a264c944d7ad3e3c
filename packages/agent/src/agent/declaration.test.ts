import { expect, test } from "bun:test";
import type { JsonSchema } from "../contract/json.ts";
import { declarationOf } from "./declaration.ts";
import { tool } from "./test-support/bench.ts";

const parametersOf = (input: JsonSchema) => declarationOf(tool("t", { input }), "t").parameters;

test("a schema that has the form already goes out as it is [P17]", () => {
  const input = {
    type: "object",
    properties: { a: { anyOf: [{ type: "string" }] } },
    required: ["a"],
  } as JsonSchema;
  expect(parametersOf(input)).toBe(input);
});

test("a schema without anything is an object without properties", () => {
  expect(parametersOf({})).toEqual({ type: "object", properties: {} });
});

test("properties of alternatives are offered, and only what all of them need is required", () => {
  const input = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    oneOf: [
      { properties: { b: { type: "number" } }, required: ["b"] },
      { properties: { c: { type: "number" } }, required: ["c"] },
    ],
    allOf: [{ properties: { d: { type: "string" } }, required: ["d"] }],
  } as JsonSchema;
  expect(parametersOf(input)).toEqual({
    type: "object",
    properties: {
      a: { type: "string" },
      d: { type: "string" },
      b: { type: "number" },
      c: { type: "number" },
    },
    required: ["a", "d"],
  });
});

test("a reference at the root is followed, and one that leads round in a circle ends", () => {
  const definitions = { input: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } };
  expect(parametersOf({ $ref: "#/$defs/input", $defs: definitions } as JsonSchema)).toMatchObject({
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
  });
  const circle = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } } as JsonSchema;
  expect(parametersOf(circle)).toMatchObject({ type: "object", properties: {} });
});

test("a property named __proto__ is a property like any other", () => {
  const input = JSON.parse('{"anyOf":[{"properties":{"__proto__":{"type":"string"}}}]}') as JsonSchema;
  expect(JSON.stringify(parametersOf(input))).toContain('"__proto__":{"type":"string"}');
});

test("what is required and no property of the schema is not asked for", () => {
  expect(parametersOf({ required: ["ghost"] })).toEqual({ type: "object", properties: {} });
});
