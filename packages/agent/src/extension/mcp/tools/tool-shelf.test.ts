import { expect, test } from "bun:test";
import type { AnyTool } from "../../../contract/tool.ts";
import type { McpTool } from "./mcp-tool.ts";
import { ToolShelf } from "./tool-shelf.ts";

function tool(name: string, description = "x"): McpTool {
  const [server = ""] = name.split("__");
  return {
    name,
    server,
    kind: "network",
    description,
    input: { type: "object", properties: {} },
    tokens: 1,
    spelling: description,
    run: () => Promise.reject(new Error("not called")),
  };
}

const SEARCH: AnyTool[] = [tool("mcp-search"), tool("mcp-call")];

/** Each tool costs one token. */
function shelf(budget: number): ToolShelf {
  return new ToolShelf({ budget, search: SEARCH, resources: tool("mcp-resources") });
}

function names(tools: readonly AnyTool[]): string[] {
  return tools.map(({ name, undeclared }) => (undeclared ? `(${name})` : name));
}

test("within the budget all tools are declared, in the order of names, servers in any order [P17]", () => {
  const one = shelf(3);
  one.list("b", [tool("b__2"), tool("b__1")], false);
  one.list("a", [tool("a__1")], false);
  expect(one.takeOver()).toBeNull();
  expect(names(one.tools)).toEqual(["a__1", "b__1", "b__2"]);
});

test("over the budget none is declared, and two tools find and call them [M05]", () => {
  const one = shelf(2);
  one.list("a", [tool("a__1"), tool("a__2"), tool("a__3")], false);
  one.takeOver();
  expect(names(one.tools)).toEqual(["mcp-search", "mcp-call", "(a__1)", "(a__2)", "(a__3)"]);
  expect(one.cost("a")).toEqual({ tools: 3, searched: 3, tokens: 0 });
});

test("tools that come after the first run began are news, also when they are the first ones [P17]", () => {
  const one = shelf(9);
  expect(one.takeOver()).toBeNull();
  one.list("a", [tool("a__1")], false);
  expect(one.takeOver()).toEqual({ added: ["a__1"], changed: [], removed: [] });
});

test("what was declared stays so when more comes than fits; the new ones are found by search [M05][P17]", () => {
  const one = shelf(2);
  one.list("a", [tool("a__1")], false);
  one.takeOver();
  one.list("b", [tool("b__1"), tool("b__2")], false);
  expect(one.takeOver()).toEqual({ added: ["b__1", "b__2"], changed: [], removed: [] });
  expect(names(one.tools)).toEqual(["a__1", "mcp-search", "mcp-call", "(b__1)", "(b__2)"]);
  one.list("b", [tool("b__1")], false);
  one.takeOver();
  one.list("c", [tool("c__1")], false);
  one.takeOver();
  expect(names(one.tools)).toEqual(["a__1", "mcp-search", "mcp-call", "(b__1)", "c__1"]);
});

test("as long as nothing is different the list is the same object [P17]", () => {
  const one = shelf(9);
  one.list("a", [tool("a__1")], true);
  one.takeOver();
  const before = one.tools;
  expect(names(before)).toEqual(["a__1", "mcp-resources"]);
  one.list("a", [tool("a__1")], true);
  expect(one.takeOver()).toBeNull();
  expect(one.tools).toBe(before);
});

test("a changed tool keeps its place, a removed one goes [P17]", () => {
  const one = shelf(9);
  one.list("a", [tool("a__1"), tool("a__2"), tool("a__3")], false);
  one.takeOver();
  one.list("a", [tool("a__3"), tool("a__1", "new words")], false);
  expect(one.takeOver()).toEqual({ added: [], changed: ["a__1"], removed: ["a__2"] });
  expect(one.tools.map(({ description }) => description)).toEqual(["new words", "x"]);
});
