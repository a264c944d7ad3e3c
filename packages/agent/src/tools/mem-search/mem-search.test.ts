import { expect, test } from "bun:test";
import { fakeMemory, recalled, runTool } from "../shared/memory/test-support/fake-memory.ts";
import { memSearchTool } from "./mem-search.ts";

test("gives one line a memory with id, date, kind, author and cost, between the frame, 50 to 100 tokens each [A-MEM-06]", async () => {
  const long = recalled({
    id: "b".repeat(32),
    line: `${"word ".repeat(31).trim()}…`,
    text: "word ".repeat(900),
    tokens: 900,
  });
  const memory = fakeMemory({ state: "found", memories: [recalled({}), long], gaps: [] });
  const { outcome, text, isError } = await runTool(memSearchTool(memory), { query: "manager" });
  expect({ outcome, isError }).toEqual({ outcome: "found", isError: false });
  const lines = text.split("\n");
  expect(lines[1]).toBe('<recalled-memory trust="untrusted">');
  expect(lines.at(-1)).toBe("</recalled-memory>");
  expect(lines[2]).toBe(`${"a".repeat(32)} 2026-11-30 decision (typed by user, 9 tokens): we use pnpm`);
  expect(lines[3]!.length / 4).toBeLessThanOrEqual(100);
});

test("hands the question on as it was asked, ten by default [A-MEM-06]", async () => {
  const memory = fakeMemory({ state: "empty" });
  await runTool(memSearchTool(memory), { query: "x" });
  await runTool(memSearchTool(memory), { query: "y", limit: 3, type: "fact", provider: "team" });
  expect(memory.asked).toEqual([
    ["search", "x", { limit: 10 }],
    ["search", "y", { limit: 3, type: "fact", provider: "team" }],
  ]);
});

test("found, nothing there, not looked and failed never look alike [A-MEM-06][R01]", async () => {
  const run = (look: Parameters<typeof fakeMemory>[0]) =>
    runTool(memSearchTool(fakeMemory(look)), { query: "x" });
  const off = await run({ state: "not_looked", reason: "memory is switched off" });
  expect(off).toMatchObject({ outcome: "not_looked", isError: false });
  expect(off.text).toBe("Memory was not looked at: memory is switched off. What is remembered is not known.");
  expect(await run({ state: "empty" })).toMatchObject({ outcome: "empty", isError: false });
  expect(await run({ state: "refused", reason: "there is no type" })).toMatchObject({
    outcome: "failed",
    isError: true,
  });
  expect(await run(new Error("it broke"))).toMatchObject({
    outcome: "failed",
    isError: true,
    text: "it broke",
  });
  const part = await run({ state: "found", memories: [recalled({})], gaps: ["team (timed out)"] });
  expect(part.text).toEndWith("Not looked at: team (timed out).");
});

test("an empty query is refused before memory is asked", async () => {
  const memory = fakeMemory({ state: "empty" });
  expect(await runTool(memSearchTool(memory), { query: " " })).toMatchObject({ outcome: "failed" });
  expect(memory.asked).toEqual([]);
});

test("what stands against a memory and where it lies is said in its line [R11]", async () => {
  const memory = fakeMemory({
    state: "found",
    memories: [recalled({ state: "superseded", provider: "team", typed: false, by: "agent" })],
    gaps: [],
  });
  const { text } = await runTool(memSearchTool(memory), { query: "x" });
  expect(text).toContain("(by agent, superseded, 9 tokens, in team)");
});
