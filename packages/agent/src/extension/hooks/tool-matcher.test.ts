import { expect, test } from "bun:test";
import { checkPathPattern } from "../../permission/path-pattern.ts";
import { readHooks } from "./hook-entry.ts";
import { matchesCall, parseToolMatcher } from "./tool-matcher.ts";

const matches = (entry: string, name: string) =>
  matchesCall([parseToolMatcher(entry, checkPathPattern).matcher], { name, input: {} }, () => false);

test.each([
  ["edit", "edit", true],
  ["Edit", "edit", true],
  ["edit", "edits", false],
  ["git-*", "git-overview", true],
  ["github__*", "github__create_issue", true],
  ["github__*", "gitlab__create_issue", false],
  ["*", "anything", true],
  ["l?", "ls", true],
  ["l?", "lsp", false],
  ["a.b", "axb", false],
])("the entry %s and the tool %s: %p", (entry, name, expected) => {
  expect(matches(entry, name)).toBe(expected);
});

test.each([
  ["edit(", /is not of the form/],
  ["two words", /is not of the form/],
  ["edit()", /its path is empty/],
  ["edit(../x)", /cannot hold \.\./],
  ["bash(git push:*)", /bash is about no file/],
])("the broken entry %s is told and counts for too much rather than too little", (entry, problem) => {
  const parsed = parseToolMatcher(entry, checkPathPattern);
  expect(parsed.problem).toMatch(problem);
  const tool = entry.startsWith("bash") ? "bash" : "edit";
  expect(matches(entry, tool)).toBe(true);
});

test("an unknown event, and tools where there are none, are told", () => {
  const { hooks, problems } = readHooks(
    [
      { event: "after_lunch", command: "x" },
      { event: "stop", command: "y", tools: ["edit"] },
    ],
    checkPathPattern,
  );
  expect(hooks.map(({ event, timeoutMs, blocking }) => [event, timeoutMs, blocking])).toEqual([
    ["stop", 10_000, false],
  ]);
  expect(problems).toEqual([
    expect.stringContaining('there is no event "after_lunch"'),
    expect.stringContaining('"tools" of the hook "y" has no effect'),
  ]);
});
