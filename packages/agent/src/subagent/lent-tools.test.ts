import { expect, test } from "bun:test";
import { BUILT_IN_TYPES } from "./built-in-types.ts";
import { lentTools, missingTools } from "./lent-tools.ts";

const OWN = [
  { name: "read" },
  { name: "agent" },
  { name: "mcp-search" },
  { name: "mcp-call" },
  { name: "notes__add", undeclared: true },
  { name: "notes__list", undeclared: true },
];

test.each([
  [null, ["read", "notes__add", "notes__list"]],
  [["read"], ["read"]],
  [
    ["read", "notes__add"],
    ["read", "notes__add"],
  ],
  [
    ["read", "mcp-search"],
    ["read", "notes__add", "notes__list"],
  ],
  [["write"], []],
])("a type that lists %j is lent %j [A-SUB-06][A07]", (tools, lent) => {
  expect(lentTools(OWN, { ...BUILT_IN_TYPES[0]!, tools }, false)).toEqual(lent);
});

test("agent is lent only where it may be used [A-SUB-06]", () => {
  const type = { ...BUILT_IN_TYPES[0]!, tools: ["agent"] };
  expect(lentTools(OWN, type, true)).toEqual(["agent"]);
  expect(lentTools(OWN, type, false)).toEqual([]);
});

test("a listed tool that the caller does not have is told by name", () => {
  const type = (tools: string[] | null) => ({ ...BUILT_IN_TYPES[0]!, tools });
  expect(
    missingTools(OWN, type(["read", "grpe", "agent", "mcp-search", "notes__add", "notes__gone"])),
  ).toEqual(["grpe", "notes__gone"]);
  expect(missingTools(OWN, type(null))).toEqual([]);
});
