import { expect, test } from "bun:test";
import type { AnyTool } from "../contract/tool.ts";
import { chooseTools } from "./tool-list.ts";

const tools = ["read", "write", "bash"].map((name) => ({ name }) as AnyTool);
const names = (wanted: string[] | null, excluded: string[] = []) =>
  chooseTools(tools, wanted, excluded).map((tool) => tool.name);

test("tools keep their built-in order whatever the order asked for", () => {
  expect(names(["bash", "read"])).toEqual(["read", "bash"]);
  expect(names(null, ["write"])).toEqual(["read", "bash"]);
  expect(names([])).toEqual([]);
});

test("a name that no tool has is refused with near names", () => {
  expect(() => names(["raed"])).toThrow('there is no tool "raed"; near names: read');
  expect(() => names(null, ["shell"])).toThrow('there is no tool "shell"');
});
