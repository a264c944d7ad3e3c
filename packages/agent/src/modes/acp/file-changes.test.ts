import { expect, test } from "bun:test";
import type { JsonObject } from "../../contract/json.ts";
import { type AssistantMessage, noUsage } from "../../contract/messages.ts";
import { FileChanges, pastChange } from "./file-changes.ts";

const FOLDER = { real: "/p", shown: "/p" };

/** Files in memory, as the tools would leave them. */
function files(content: Record<string, string | undefined>) {
  const read = (path: string) => (path in content ? content[path] : null);
  return { content, changes: new FileChanges(FOLDER, read) };
}

function answer(...calls: [id: string, name: string, input: JsonObject][]): AssistantMessage {
  return {
    role: "assistant",
    parts: calls.map(([id, name, input]) => ({ type: "tool_call", id, name, arguments: input })),
    source: { provider: "p", wire: "anthropic", model: "m" },
    stop: "tool",
    usage: noUsage(),
  };
}

test("a change is told with the whole text before and after, as a formatter left it", () => {
  const { content, changes } = files({ "/p/a": "a=1\nb\n" });
  const input = { file_path: "a", old_string: "a=1", new_string: "a=2" };
  changes.expect(answer(["1", "edit", input]));
  content["/p/a"] = "a = 2;\nb\n";
  expect(changes.done("1", "edit", input, {})).toEqual([
    { path: "/p/a", oldText: "a=1\nb\n", newText: "a = 2;\nb\n" },
  ]);
});

test("two calls on one file are told by what each replaced", () => {
  const { content, changes } = files({ "/p/a": "1 2" });
  const one = { file_path: "a", old_string: "1", new_string: "one" };
  const two = { file_path: "./a", edits: [{ old_string: "2", new_string: "two" }] };
  changes.expect(answer(["1", "edit", one], ["2", "edit", two]));
  content["/p/a"] = "one two";
  expect(changes.done("1", "edit", one, {})).toEqual([{ path: "/p/a", oldText: "1", newText: "one" }]);
  expect(changes.done("2", "edit", two, {})).toEqual([{ path: "/p/a", oldText: "2", newText: "two" }]);
});

test("a hook that sends a write elsewhere does not make it a change of the first file", () => {
  const { content, changes } = files({ "/p/a": "a" });
  changes.expect(answer(["1", "write", { file_path: "a", content: "x" }]));
  content["/p/b"] = "x";
  const moved = { file_path: "b", content: "x" };
  expect(changes.done("1", "write", moved, { created: true })).toEqual([
    { path: "/p/b", oldText: null, newText: "x" },
  ]);
});

test("what is too large or no text is not shown as a change of text", () => {
  const { changes } = files({ "/p/a": undefined });
  const input = { file_path: "a", content: "x" };
  changes.expect(answer(["1", "write", input]));
  expect(changes.proposed("write", input)).toEqual([]);
  expect(changes.done("1", "write", input, { created: false })).toEqual([]);
});

test("a write that is asked for shows what it would replace", () => {
  const { changes } = files({ "/p/a": "old" });
  expect(changes.proposed("write", { file_path: "a", content: "new" })).toEqual([
    { path: "/p/a", oldText: "old", newText: "new" },
  ]);
  expect(changes.proposed("bash", { command: "rm a" })).toEqual([]);
});

test("of the past only what a call says itself is told: nothing of what a file held before it was replaced", () => {
  const write = { file_path: "a", content: "x" };
  expect(pastChange("write", write, { created: true }, FOLDER)).toEqual([
    { path: "/p/a", oldText: null, newText: "x" },
  ]);
  expect(pastChange("write", write, { created: false }, FOLDER)).toEqual([]);
});
