import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import type { Problem } from "../../contract/language-servers.ts";
import { fileToolContext, runTool } from "../shared/test-support/file-tool-context.ts";
import { scriptedServers } from "../shared/test-support/scripted-servers.ts";
import { lspDiagnosticsTool } from "./lsp-diagnostics.ts";

const problem = (line: number, severity: Problem["severity"], message = "odd"): Problem => ({
  line,
  column: 2,
  severity,
  message,
  source: "lint",
  code: "E1",
});

async function listed(value: Problem[]) {
  await using ws = await workspace({ "a.ts": "one\n  two\n" });
  const { servers } = scriptedServers({ value });
  return await runTool(lspDiagnosticsTool(servers), fileToolContext(ws.path), { file: "./a.ts" });
}

test("errors come before warnings, each with its place, its line and who says it; hints are left out [A-LSP-03]", async () => {
  const outcome = await listed([
    problem(1, "warning"),
    problem(2, "error", "bad\n  because"),
    problem(2, "hint"),
  ]);
  expect(outcome.text).toBe(
    [
      "a.ts: 1 error, 1 warning (scripted).",
      "a.ts:2:2: error: bad | because (lint E1)",
      "    two",
      "a.ts:1:2: warning: odd (lint E1)",
      "    one",
    ].join("\n"),
  );
  expect(outcome.details).toMatchObject({ file: "a.ts", errors: 1, warnings: 1, truncated: false });
});

test("a clean file and a file that nobody looked at do not look alike [A-LSP-03][L02]", async () => {
  const clean = await listed([problem(1, "hint")]);
  expect([clean.outcome, clean.text]).toEqual(["empty", "a.ts: no errors and no warnings (scripted)."]);
  await using ws = await workspace({ "a.ts": "" });
  const { servers } = scriptedServers({
    state: "not_looked",
    code: "indexing",
    reason: "it is still indexing",
    hint: "Ask again later.",
  });
  const unknown = await runTool(lspDiagnosticsTool(servers), fileToolContext(ws.path), { file: "a.ts" });
  expect([unknown.outcome, unknown.isError, unknown.text]).toEqual([
    "not_looked",
    false,
    "Not looked: it is still indexing.\nAsk again later.",
  ]);
  expect(unknown.details).toMatchObject({ code: "indexing", error: "it is still indexing" });
});

test("a flood is cut, errors kept, and says how many are left [A-LSP-03]", async () => {
  const warnings = Array.from({ length: 500 }, () => problem(1, "warning", "w".repeat(5_000)));
  const outcome = await listed([...warnings, problem(2, "error")]);
  expect(outcome.text.split("\n")[1]).toBe("a.ts:2:2: error: odd (lint E1)");
  expect(outcome.text).toEndWith("… 451 more. Mend these first, then ask again.");
  expect(outcome.text.length).toBeLessThan(40_000);
});
