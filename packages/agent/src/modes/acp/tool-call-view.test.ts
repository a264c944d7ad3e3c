import { expect, test } from "bun:test";
import type { JsonObject } from "../../contract/json.ts";
import { toolCallView } from "./tool-call-view.ts";

const FOLDER = { real: "/p", shown: "/p" };

test.each<[string, JsonObject, string, string]>([
  ["read", { file_path: "src/a.ts", offset: 10 }, "read", "Read `src/a.ts:10`"],
  ["read", { file_path: "/p/src/a.ts" }, "read", "Read `src/a.ts`"],
  ["bash", { command: "npm test\n  && echo `date`" }, "execute", "`` npm test && echo `date` ``"],
  ["grep", { pattern: "a|b", path: "src" }, "search", "Search `a|b`"],
  ["ls", {}, "read", "List"],
  ["lsp-hover", { file: "a.ts", line: 3, column: 1 }, "search", "Description at `a.ts:3`"],
  ["agent", { agent: "explore", task: "look" }, "think", "Subagent `explore`"],
  ["github__search", { query: "bug" }, "other", "github__search `bug`"],
  ["unknown", {}, "other", "unknown"],
  ["constructor", {}, "other", "constructor"],
])("a call of %s with %j is shown in kind and title", (name, input, kind, title) => {
  expect(toolCallView(name, input, FOLDER)).toMatchObject({ kind: kind as "read", title });
});

test("a long command is cut between characters", () => {
  const { title } = toolCallView("bash", { command: "🎉".repeat(500) }, FOLDER);
  expect(title.isWellFormed()).toBe(true);
  expect([...title]).toHaveLength(162);
});

test("a file is told with its place", () => {
  const { locations } = toolCallView("lsp-definition", { file: "src/a.ts", line: 7, column: 2 }, FOLDER);
  expect(locations).toEqual([{ path: "/p/src/a.ts", line: 7 }]);
});
