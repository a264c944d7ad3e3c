import { expect, test } from "bun:test";
import type { Json, JsonObject } from "../../../contract/json.ts";
import { normalSchema } from "./tool-schema.ts";

const plain = (text: string, most: number) => text.slice(0, most);

function schemaOf(given: Json): JsonObject {
  const normal = normalSchema(given, plain);
  if ("problem" in normal) throw new Error(normal.problem);
  return normal.schema as JsonObject;
}

function problemOf(given: Json): string {
  const normal = normalSchema(given, plain);
  return "problem" in normal ? normal.problem : "none";
}

test("a schema without a type, without properties, or none at all takes an object [M03]", () => {
  const empty: Json[] = [null, true, {}, { type: "object" }, { $schema: "x", type: ["object", "null"] }];
  for (const given of empty) expect(schemaOf(given)).toEqual({ type: "object", properties: {} });
  expect(schemaOf({ properties: { a: { type: "string" } } })).toEqual({
    type: "object",
    properties: { a: { type: "string" } },
  });
});

test("references are written out, and one that comes back to itself ends as any value [M03]", () => {
  const given = {
    type: "object",
    properties: { head: { $ref: "#/$defs/node", description: "the first" }, odd: { $ref: "#/nowhere" } },
    $defs: {
      node: { type: "object", properties: { value: { type: "integer" }, next: { $ref: "#/$defs/node" } } },
    },
  };
  expect(schemaOf(given)).toEqual({
    type: "object",
    properties: {
      head: {
        type: "object",
        properties: { value: { type: "integer" }, next: {} },
        description: "the first",
      },
      odd: {},
    },
  });
});

test("words of old drafts and boolean schemas become those of today [M03]", () => {
  const given = {
    type: "object",
    properties: {
      any: true,
      never: false,
      above: { type: "number", minimum: 3, exclusiveMinimum: true },
      pair: { type: "array", items: [{ type: "string" }, { type: "number" }] },
      list: { type: "array" },
      maybe: { type: "string", nullable: true },
      either: { anyOf: [{ type: "string" }, false, { type: "null" }] },
    },
    required: ["any", "never", "unknown", 7],
    additionalProperties: false,
  };
  expect(schemaOf(given)).toEqual({
    type: "object",
    properties: {
      any: {},
      above: { type: "number", exclusiveMinimum: 3 },
      pair: { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } },
      list: { type: "array", items: {} },
      maybe: { type: ["string", "null"] },
      either: { anyOf: [{ type: "string" }, { type: "null" }] },
    },
    required: ["any"],
    additionalProperties: false,
  });
});

test("what only some languages or servers know is left to the server [M03]", () => {
  const given = {
    type: "object",
    properties: {
      a: {
        type: "string",
        pattern: "(?<=bad(",
        format: "date-time",
        "x-ui": { huge: true },
        examples: ["e"],
      },
      b: { type: "text" },
      c: { type: "string", enum: [] },
    },
    "x-origin": "generator",
  };
  expect(schemaOf(given)).toEqual({
    type: "object",
    properties: { a: { type: "string", format: "date-time" }, b: {}, c: { type: "string" } },
  });
});

test("no schema, one for something else, a huge, a deep and an exploding one lose their tool, each with its reason [M03]", () => {
  expect(problemOf("text")).toBe("its input schema is a string, no JSON Schema");
  expect(problemOf([])).toBe("its input schema is a list, no JSON Schema");
  expect(problemOf({ type: "string" })).toBe('its input is "string", and services take objects only');
  const wide = Object.fromEntries(
    Array.from({ length: 900 }, (_, i) => [`property_${i}`, { type: "string" }]),
  );
  expect(problemOf({ type: "object", properties: wide })).toContain("characters, more than");
  let deep: JsonObject = {};
  for (let level = 0; level < 2_000; level++) deep = { type: "object", properties: { x: deep } };
  expect(problemOf(deep)).toContain("nested more than");
  const defs = Object.fromEntries(
    Array.from({ length: 11 }, (_, i) => [
      `d${i}`,
      { type: "object", properties: { l: { $ref: `#/$defs/d${i + 1}` }, r: { $ref: `#/$defs/d${i + 1}` } } },
    ]),
  );
  expect(problemOf({ $ref: "#/$defs/d0", $defs: defs })).toContain("more than 4000 parts");
});

test("alternatives at the root stay for the check of arguments, with an object beside them [M03]", () => {
  expect(
    schemaOf({ anyOf: [{ type: "object", properties: { a: {} }, required: ["a"] }, { required: ["b"] }] }),
  ).toEqual({
    type: "object",
    properties: {},
    anyOf: [{ type: "object", properties: { a: {} }, required: ["a"] }, {}],
  });
});

test("a property with the name of a member of every object is one like any other [M03]", () => {
  const given = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}',
  );
  expect(schemaOf(given)).toEqual({ type: "object", properties: { constructor: { type: "string" } } });
});
