import { expect, test } from "bun:test";
import { type CompactionOutcome, type CompactionUndo, compactCommand } from "./compact.ts";
import { run } from "./test-support/run-command.ts";

function world(outcome: CompactionOutcome, undone: CompactionUndo = { state: "nothing", why: "none." }) {
  const asked: (string | null)[] = [];
  return {
    asked,
    compaction: {
      async compact(focus: string | null) {
        asked.push(focus);
        return outcome;
      },
      undo: async () => undone,
    },
  };
}

test("/compact says what it freed and how to undo it [A-TUI-02]", async () => {
  const ports = world({ state: "done", kind: "summary", before: 120_000, after: 9_000 });
  const { said, failed } = await run(compactCommand, "", ports);
  expect(ports.asked).toEqual([null]);
  expect(failed).toBe(false);
  expect(said).toContain("What was said is a summary now: 120,000 → 9,000 tokens (93 % freed).");
  expect(said).toContain("/compact undo");
});

test("/compact FOCUS hands the focus on", async () => {
  const ports = world({ state: "done", kind: "shed", before: 100, after: 50 });
  expect((await run(compactCommand, "keep the API names", ports)).said).toContain("results were shortened");
  expect(ports.asked).toEqual(["keep the API names"]);
});

test("/compact never reports success when nothing happened", async () => {
  const { said } = await run(
    compactCommand,
    "",
    world({ state: "nothing", why: "there is too little to gain." }),
  );
  expect(said).toBe("Nothing was compacted: there is too little to gain.");
});

test("/compact that was stopped says that nothing changed", async () => {
  const controller = new AbortController();
  controller.abort();
  const ports = world({ state: "nothing", why: "stopped." });
  expect((await run(compactCommand, "", ports, { controller })).said).toBe("Stopped; nothing was compacted.");
});

test("/compact undo takes the last compaction back", async () => {
  const ports = world(
    { state: "nothing", why: "" },
    { state: "done", messages: 80, before: 9_000, after: 120_000 },
  );
  const { said } = await run(compactCommand, "undo", ports);
  expect(said).toContain("80 messages are there again, 9,000 → 120,000 tokens");
  expect(ports.asked).toEqual([]);
});

test("/compact undo without a compaction says why nothing was undone", async () => {
  const ports = world({ state: "nothing", why: "" }, { state: "nothing", why: "this branch has none." });
  expect(await run(compactCommand, "undo", ports)).toMatchObject({
    failed: true,
    said: "Nothing was undone: this branch has none.",
  });
});
