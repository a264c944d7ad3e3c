import { expect, test } from "bun:test";
import { fakeMemory, recalled, runTool } from "../shared/memory/test-support/fake-memory.ts";
import { memGetTool } from "./mem-get.ts";

test("gives memories in full with their marks and files [A-MEM-08]", async () => {
  const memory = fakeMemory({
    state: "found",
    memories: [recalled({ files: ["a.ts"], state: "stale" })],
    gaps: [],
  });
  const { text } = await runTool(memGetTool(memory), { ids: ["a".repeat(32)] });
  expect(text).toBe(
    [
      "1 of 1 memory.",
      '<recalled-memory trust="untrusted">',
      `<memory id="${"a".repeat(32)}" kind="decision" by="user" typed="yes" date="2026-11-30" state="stale">`,
      "files: a.ts",
      "we use pnpm as the package manager",
      "</memory>",
      "</recalled-memory>",
    ].join("\n"),
  );
});

test("a long one is cut to some 1,000 tokens and says how much is left out, no mark split [A-MEM-08]", async () => {
  const text = `${"x".repeat(3_598)}&lt;${"y".repeat(500)}`;
  const memory = fakeMemory({ state: "found", memories: [recalled({ text })], gaps: [] });
  const result = await runTool(memGetTool(memory), { ids: ["a"] });
  expect(result.text).toContain(`${"x".repeat(3_598)}\n[`);
  expect(result.text).toMatch(/\[50\d more characters are not shown\]/);
});

test("says which ids are not there, and which were too many to look at [A-MEM-08]", async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `id-${index}`);
  const memory = fakeMemory({ state: "found", memories: [recalled({ id: "id-0" })], gaps: [] });
  const { text } = await runTool(memGetTool(memory), { ids: [...ids, "id-0"] });
  expect(memory.asked).toEqual([["get", ids.slice(0, 10)]]);
  expect(text).toContain("1 of 12 memories.");
  expect(text).toContain('Not there: "id-1", ');
  expect(text).toContain('Not looked at, ask for them next: "id-10", "id-11".');
});

test("no id is there: nothing is known of any, and it is no failure [A-MEM-08]", async () => {
  const result = await runTool(memGetTool(fakeMemory({ state: "empty" })), { ids: ["x"] });
  expect(result).toMatchObject({ outcome: "empty", isError: false });
  expect(result.text).toContain('None of these ids is there: "x"');
});
