import { expect, test } from "bun:test";
import { isPlanFile, planEntries } from "./plan-entries.ts";

test("a plan that nobody has begun has no step at hand", () => {
  expect(planEntries("- [ ] one\n- [ ] two\n").map(({ status }) => status)).toEqual(["pending", "pending"]);
});

test("the first step that is not ticked is the one at hand, once another is", () => {
  const text = "intro\n* [x] one\n- [X] two\n- [ ] three\n  - [ ] detail\n- [ ] four\n- [?] no step\n";
  expect(planEntries(text).map(({ content, status }) => [content, status])).toEqual([
    ["one", "completed"],
    ["two", "completed"],
    ["three", "in_progress"],
    ["four", "pending"],
  ]);
});

test("a finished plan is finished", () => {
  expect(planEntries("- [x] one").map(({ status }) => status)).toEqual(["completed"]);
});

test.each([
  ["/p/specs/tool/plan.md", true],
  ["C:\\p\\specs\\tool\\plan.md", true],
  ["/p/specs/plan.md", false],
  ["/p/docs/plan.md", false],
  ["/p/specs/tool/outline.md", false],
])("%s is a plan: %p", (path, expected) => {
  expect(isPlanFile(path)).toBe(expected);
});
