import { expect, test } from "bun:test";
import { fakeMemory, recalled, runTool } from "../shared/memory/test-support/fake-memory.ts";
import { memTimelineTool } from "./mem-timeline.ts";

test("shows what is around a memory in order, the one asked for marked [A-MEM-07]", async () => {
  const ids = ["1", "2", "3"].map((digit) => digit.repeat(32));
  const memories = ids.map((id) => recalled({ id }));
  const memory = fakeMemory({ state: "found", memories, gaps: [] });
  const { text } = await runTool(memTimelineTool(memory), { anchor: ids[1]!, before: 1 });
  expect(memory.asked).toEqual([["timeline", ids[1], { before: 1, after: 5 }]]);
  const marks = text
    .split("\n")
    .slice(2, -1)
    .map((line) => line.slice(0, 3));
  expect(marks).toEqual(["  1", "> 2", "  3"]);
});

test("an id that is not there is named, and where ids come from [A-MEM-07]", async () => {
  const { outcome, text } = await runTool(memTimelineTool(fakeMemory({ state: "empty" })), {
    anchor: "nobody",
  });
  expect(outcome).toBe("empty");
  expect(text).toContain('There is no memory with the id "nobody" here');
  expect(text).toContain("mem-search gives ids");
});
