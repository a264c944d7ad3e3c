import { expect, test } from "bun:test";
import { parsePlan } from "../spec/parse-plan.ts";
import { startable } from "./schedule.ts";

const SLICES = parsePlan(
  [
    [1, "none", "no"],
    [2, "1", "yes"],
    [3, "1", "yes"],
    [4, "1", "no"],
    [5, "1", "yes"],
    [6, "1", "yes"],
    [7, "2, 3", "yes"],
  ]
    .map(
      ([number, depends, safe]) =>
        `- [ ] Slice ${number}: x\n  - depends: ${depends}\n  - parallel-safe: ${safe}\n`,
    )
    .join(""),
).slices;

test.each([
  ["nothing is done: only what waits for nothing", [], [], [1]],
  ["a slice that is alone runs alone", [], [1], []],
  ["three of those that may run together, past one that may not", [1], [], [2, 3, 5]],
  ["a place is free: the next that may join", [1, 2], [3, 5], [6]],
  ["no place is free", [1], [2, 3, 5], []],
  ["one that must be alone begins when it is the first", [1, 2, 3], [], [4]],
  ["one that must be alone waits for those that run", [1, 2, 3, 5, 7], [6], []],
  ["all is done", [1, 2, 3, 4, 5, 6, 7], [], []],
])("%s [A-SOP-04]", (_, done, running, next) => {
  const begun = startable(SLICES, { done: new Set(done), running: new Set(running) });
  expect(begun.map(({ number }) => number)).toEqual(next);
});
