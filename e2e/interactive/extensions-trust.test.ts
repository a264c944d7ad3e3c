/** An extension of the user's that asks the person itself whether a project is trusted. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { modelServer, type Workspace, workspace } from "@pi-ts/testkit";
import { stateFolder } from "../support/state.ts";
import { isReady, openPi } from "./support.ts";

const PROJECT = JSON.stringify({ thinking: "low" });

const judge = (ws: Workspace, body: string) =>
  ws.write(
    join(stateFolder(ws), "extensions/judge.ts"),
    `export default (pi) => { pi.on("project_trust", async (event, ctx) => { ${body} }); };`,
  );

test("a yes to the extension's question stands in for pi's own, which is not asked [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ ".pi-go/config.json": PROJECT });
  judge(ws, `return { trusted: (await ctx.ui.confirm("May this act?", event.cwd)) ? "yes" : "no" };`);
  await using program = await openPi(ws, server, { until: "frame" });
  await program.waitFor("May this act?");
  expect(program.screen().join("\n")).not.toContain("Do you trust");
  program.press("enter");
  await program.waitFor(isReady);
  expect(program.screen().at(-1)).toContain("low");
  expect(program.screen().join("\n")).toMatch(/the extension "judge" trusts/);
});

test("Esc on the extension's question, left undecided, leads to pi's own question [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ ".pi-go/config.json": PROJECT });
  judge(
    ws,
    `return { trusted: (await ctx.ui.select("What of it?", ["act", "rest"])) === "act" ? "yes" : "undecided" };`,
  );
  await using program = await openPi(ws, server, { until: "frame" });
  await program.waitFor("What of it?");
  program.press("escape");
  await program.waitFor("Do you trust");
});
