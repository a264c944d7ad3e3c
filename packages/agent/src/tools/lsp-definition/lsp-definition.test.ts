import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { fileToolContext, runTool } from "../shared/test-support/file-tool-context.ts";
import { scriptedServers } from "../shared/test-support/scripted-servers.ts";
import { lspDefinitionTool } from "./lsp-definition.ts";

const at = (path: string, line: number, outside = false) => ({ path, line, column: 3, outside });
const PLACE = { file: "a.ts", line: 1, column: 2 };

test("a definition is shown with its line, one outside of the project by its name only [A-LSP-03]", async () => {
  await using ws = await workspace({ "a.ts": "use\n", "b.ts": "one\n  function two() {}\n" });
  ws.write(`${ws.outside}/lib.d.ts`, "secret line\n");
  const { servers, questions } = scriptedServers({
    value: [at(`${ws.outside}/lib.d.ts`, 1, true), at("b.ts", 2)],
  });
  const outcome = await runTool(lspDefinitionTool(servers), fileToolContext(ws.path), PLACE);
  expect(outcome.text).toBe(
    `2 definitions in 2 files:\nb.ts:2:3: function two() {}\n${ws.outside}/lib.d.ts:1:3: (outside of the project; read cannot open it)`,
  );
  expect(questions).toEqual([["a.ts", PLACE]]);
});

test("lines of secret files are not shown [X04]", async () => {
  await using ws = await workspace({ "a.ts": "use\n", ".env": "KEY=secret\n" });
  const { servers } = scriptedServers({ value: [at(".env", 1)] });
  const outcome = await runTool(lspDefinitionTool(servers), fileToolContext(ws.path), PLACE);
  expect(outcome.text).toBe("1 definition:\n.env:1:3");
});

test("nothing there is empty, and shows the line, since a wrong column is the usual reason [A-LSP-03]", async () => {
  await using ws = await workspace({ "a.ts": "  use it\n" });
  const { servers } = scriptedServers({ value: [] });
  const outcome = await runTool(lspDefinitionTool(servers), fileToolContext(ws.path), PLACE);
  expect([outcome.outcome, outcome.isError, outcome.text]).toEqual([
    "empty",
    false,
    "scripted knows of no definition at a.ts:1:2.\nLine 1 is: use it\nThe column must be at the name itself.",
  ]);
});
