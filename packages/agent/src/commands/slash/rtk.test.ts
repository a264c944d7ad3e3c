import { expect, test } from "bun:test";
import { type CompactorStatistic, rtkCommand } from "./rtk.ts";
import { fakeSettings } from "./test-support/fake-settings.ts";
import { run } from "./test-support/run-command.ts";

function world(statistics: CompactorStatistic[] = [], enabled = true) {
  const done: string[] = [];
  const compactor = {
    enabled: () => enabled,
    statistics: () => statistics,
    reset: () => void done.push("reset"),
  };
  return { ...fakeSettings(), compactor, done };
}

test("/rtk shows what each technique saved, the most first, with a sum [A-TUI-02]", async () => {
  const { said } = await run(
    rtkCommand,
    "",
    world([
      { tool: "bash", technique: "repeated lines", count: 2, before: 1_000, after: 900 },
      { tool: "bash", technique: "test output", count: 3, before: 9_000, after: 1_000 },
    ]),
  );
  expect(said.split("\n").slice(-3)).toEqual([
    "bash | test output | 3 | 9,000 | 1,000 | 89 %",
    "bash | repeated lines | 2 | 1,000 | 900 | 10 %",
    "all |  | 5 | 10,000 | 1,900 | 81 %",
  ]);
});

test("/rtk says that nothing has been shortened, and whether it would be", async () => {
  expect((await run(rtkCommand, "", world([], false))).said).toBe(
    "Tool output is not shortened; /rtk on begins to.\nNothing has been shortened yet.",
  );
});

test.each([
  ["on", true],
  ["off", false],
])("/rtk %s is saved as compactor.enabled", async (word, value) => {
  const ports = world();
  expect((await run(rtkCommand, word, ports)).said).toContain("Saved in ~/.pi-go/config.json.");
  expect(ports.saved).toEqual({ "compactor.enabled": value });
});

test("/rtk reset begins to count anew and saves nothing", async () => {
  const ports = world();
  await run(rtkCommand, "reset", ports);
  expect(ports).toMatchObject({ done: ["reset"], saved: {} });
});

test("/rtk refuses another word", async () => {
  const ports = world();
  expect((await run(rtkCommand, "maybe", ports)).failed).toBe(true);
  expect(ports.saved).toEqual({});
});
