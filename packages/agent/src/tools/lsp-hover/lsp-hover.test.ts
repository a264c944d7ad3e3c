import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { PiError } from "../../contract/errors.ts";
import { fileToolContext, runTool } from "../shared/test-support/file-tool-context.ts";
import { scriptedServers } from "../shared/test-support/scripted-servers.ts";
import { lspHoverTool } from "./lsp-hover.ts";

const PLACE = { file: "a.ts", line: 1, column: 2 };

test("a hover is shown as it is, a very long one cut at a character [A-LSP-03]", async () => {
  await using ws = await workspace({ "a.ts": "x\n" });
  const run = async (value: string) =>
    await runTool(lspHoverTool(scriptedServers({ value }).servers), fileToolContext(ws.path), PLACE);
  expect((await run("const x: number")).text).toBe("const x: number");
  const long = await run("🎉".repeat(10_000));
  expect(long.text).toContain(
    "… cut: 8.0 KB of 39.1 KB are shown. lsp-definition says where the rest stands.",
  );
  const nothing = await run("");
  expect([nothing.outcome, nothing.text.split("\n")[0]]).toEqual([
    "empty",
    "scripted knows of nothing to tell at a.ts:1:2.",
  ]);
});

test("a wrong place is an error with what to do [A-LSP-03]", async () => {
  await using ws = await workspace({ "a.ts": "x\n" });
  const throws = new PiError({ code: "lsp_position", message: "there is no line 9", hint: "Read the file." });
  const outcome = await runTool(
    lspHoverTool(scriptedServers({ throws }).servers),
    fileToolContext(ws.path),
    PLACE,
  );
  expect([outcome.outcome, outcome.isError, outcome.text]).toEqual([
    "failed",
    true,
    "there is no line 9\nRead the file.",
  ]);
});
