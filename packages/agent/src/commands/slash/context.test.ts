import { expect, test } from "bun:test";
import { contextCommand } from "./context.ts";
import type { ContextReport } from "./shared/context-report.ts";
import { run } from "./test-support/run-command.ts";

const REPORT: ContextReport = {
  model: "anthropic/claude-sonnet-5-5",
  window: 200_000,
  reserve: 20_000,
  parts: [
    { category: "system", tokens: 2_000 },
    ...["read", "write", "edit", "bash", "grep", "find", "ls", "tree"].map((name, index) => ({
      category: "tools" as const,
      name,
      tokens: 100 * (index + 1),
      count: 1,
    })),
    { category: "instructions", name: "AGENTS.md", tokens: 1_000, count: 1 },
    { category: "user", tokens: 500, count: 3 },
    { category: "results", name: "bash", tokens: 30_000, count: 10 },
    { category: "results", name: "read", tokens: 9_900, count: 4 },
    { category: "results", name: "bash", tokens: 3_000, count: 1 },
  ],
  last: { input: 1_000, cacheRead: 49_000, cacheWrite: 0, output: 700 },
  session: { requests: 4, input: 10_000, cacheRead: 30_000, cacheWrite: 0, output: 2_000 },
  day: { used: 250_000, limit: 1_000_000, summary: "250,000 tokens: 25 % of 1,000,000" },
};

async function context(report: ContextReport): Promise<string> {
  return (await run(contextCommand, "", { context: { report: async () => report } })).said;
}

test("/context shows every part, and the parts, the reserve and the free room make up the window [Q05][A-TUI-02]", async () => {
  const said = await context(REPORT);
  expect(said).toStartWith(
    "anthropic/claude-sonnet-5-5: the next request takes about 50,000 tokens of 200,000 (25 %).",
  );
  const rows = said
    .split("\n")
    .filter((line) => !line.startsWith(" ") && /\| \d+ %|\| <1 %/.test(line))
    .map((line) => Number(line.split(" | ")[1]!.replaceAll(",", "")));
  expect(rows.reduce((sum, tokens) => sum + tokens, 0)).toBe(200_000);
  expect(said).toContain("system prompt | 2,000 | 1 % | █░░░░░░░░░░░░░░░░░░░");
  expect(said).toContain("kept for the answer | 20,000 | 10 % | ██░");
  expect(said).toContain("free | 130,000 | 65 % | █████████████░░░░░░░");
});

test("tool results are summed by tool, the biggest first [Q05]", async () => {
  const said = await context(REPORT);
  expect(said).toContain("tool results (15) | 42,900 | 21 %");
  expect(said.indexOf("  bash | 33,000")).toBeLessThan(said.indexOf("  read | 9,900"));
});

test("many tool definitions are cut to the biggest, and the rest is one line", async () => {
  const said = await context(REPORT);
  expect(said).toContain("tool definitions (8) | 3,600");
  expect(said).toContain("  tree | 800");
  expect(said).toContain("  2 more | 300");
});

test("/context shows what the service counted, and the cache's share [Q02]", async () => {
  const said = await context(REPORT);
  expect(said).toContain(
    "last request | 50,000 tokens in (98 % from the cache), 700 out, as the service counted",
  );
  expect(said).toContain("this session | 4 requests: 40,000 tokens in (75 % from the cache)");
});

test("/context shows the day's budget with a bar when there is a limit", async () => {
  expect(await context(REPORT)).toContain(
    "today | 250,000 tokens: 25 % of 1,000,000\n | █████░░░░░░░░░░░░░░░ 25 %",
  );
});

test("/context shows who else spent tokens, and what compaction saved", async () => {
  const said = await context({
    ...REPORT,
    spent: [{ by: "compaction", tokens: 12_000, costUsd: 0.05 }],
    saved: 90_000,
  });
  expect(said).toContain("  compaction | 12,000 tokens, $0.05");
  expect(said).toContain("saved by compaction | 90,000 tokens");
});

test("a request that may not fit is told with what helps", async () => {
  const parts = [...REPORT.parts, { category: "assistant" as const, tokens: 140_000, count: 9 }];
  const said = await context({ ...REPORT, parts });
  expect(said).toContain("It may not fit: /compact makes room.");
  expect(said).toContain("free | 0 | 0 %");
});

test("before the first request and without a model nothing is invented", async () => {
  const { model: _model, last: _last, ...rest } = REPORT;
  const said = await context({
    ...rest,
    window: 0,
    reserve: 0,
    parts: [{ category: "system", tokens: 2_000 }],
    session: { requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
    day: { used: 0, limit: 0, summary: "0 tokens, no limit" },
  });
  expect(said).toStartWith("No model is chosen yet: the next request takes about 2,000 tokens.");
  expect(said).toContain("last request | none yet");
  expect(said).not.toContain("NaN");
  expect(said).not.toContain("this session");
});
