import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { fileToolContext, runTool } from "../shared/test-support/file-tool-context.ts";
import { scriptedServers } from "../shared/test-support/scripted-servers.ts";
import { lspReferencesTool } from "./lsp-references.ts";

const at = (path: string, line: number) => ({ path, line, column: 3, outside: false });
const PLACE = { file: "a.ts", line: 1, column: 2 };

test("references come in the order of files and lines [A-LSP-03]", async () => {
  await using ws = await workspace({ "a.ts": "one\ntwo\n", "b.ts": "three\n" });
  const { servers } = scriptedServers({ value: [at("b.ts", 1), at("a.ts", 2), at("a.ts", 1)] });
  const outcome = await runTool(lspReferencesTool(servers), fileToolContext(ws.path), PLACE);
  expect(outcome.text).toBe("3 references in 2 files:\na.ts:1:3: one\na.ts:2:3: two\nb.ts:1:3: three");
});

test("many references are cut, and the files of the rest are named [A-LSP-03]", async () => {
  await using ws = await workspace({ "a.ts": "x\n" });
  const value = Array.from({ length: 350 }, (_, index) => at(index < 150 ? "a.ts" : "z.ts", index + 1));
  const { servers } = scriptedServers({ value });
  const outcome = await runTool(lspReferencesTool(servers), fileToolContext(ws.path), PLACE);
  expect(outcome.text).toStartWith("350 references in 2 files:\n");
  expect(outcome.text).toEndWith(
    "… 250 more are not shown. To see them, grep for the name, in these files: a.ts, z.ts",
  );
  expect(outcome.details).toMatchObject({ total: 350, truncated: true });
});
