import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import type { SourceSymbol } from "../../contract/language-servers.ts";
import { fileToolContext, runTool } from "../shared/test-support/file-tool-context.ts";
import { scriptedServers } from "../shared/test-support/scripted-servers.ts";
import { lspSymbolsTool } from "./lsp-symbols.ts";

const symbol = (name: string, line: number, endLine: number, depth: number): SourceSymbol => ({
  name,
  kind: depth === 0 ? "class" : "method",
  line,
  column: 1,
  endLine,
  depth,
});

async function outlined(value: SourceSymbol[]) {
  await using ws = await workspace({ "a.ts": "" });
  const { servers } = scriptedServers({ value });
  return await runTool(lspSymbolsTool(servers), fileToolContext(ws.path), { file: "a.ts" });
}

test("an outline shows lines, kinds and names, and what lies in what [A-LSP-03]", async () => {
  const outcome = await outlined([
    symbol("Shape", 1, 9, 0),
    { ...symbol("area", 3, 3, 1), detail: "(): number" },
  ]);
  expect(outcome.text).toBe(
    "a.ts: 2 symbols (lines, kind, name):\n1-9 class Shape\n  3 method area (): number",
  );
  expect(outcome.details["symbols"]).toEqual([
    { name: "Shape", kind: "class", line: 1, end_line: 9 },
    { name: "area", kind: "method", line: 3, end_line: 3 },
  ]);
});

test("a file without symbols is empty [A-LSP-03]", async () => {
  const outcome = await outlined([]);
  expect([outcome.outcome, outcome.text]).toEqual(["empty", "scripted knows of no symbols in a.ts."]);
});

test("of a very long outline the upper levels are shown, and how to find the rest [A-LSP-03]", async () => {
  const many = Array.from({ length: 100 }, (_, at) => [
    symbol(`C${at}`, at, at, 0),
    ...Array.from({ length: 9 }, () => symbol("m", at, at, 1)),
  ]).flat();
  const outcome = await outlined(many);
  expect(outcome.text.split("\n").length).toBe(102);
  expect(outcome.text).toEndWith(
    "… 900 more, most of them deeper or local; grep a.ts for a name to find one.",
  );
  expect((await outlined(many.map((each) => ({ ...each, depth: 0 })))).text).toContain("… 700 more");
});
