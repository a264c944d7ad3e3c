/** Extensions of the user's that decide whether a project is trusted (`project_trust`), in the built executable. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { pi } from "./support/pi.ts";
import { stateFolder } from "./support/state.ts";

const PROJECT = {
  ".pi-go/extensions/p.ts": `export default (pi) => { pi.registerCommand("own", { handler: async (_, ctx) => ctx.ui.notify("acts") }); };`,
};

const judge = (ws: Workspace, body: string) =>
  ws.write(
    join(stateFolder(ws), "extensions/judge.ts"),
    `export default (pi) => { pi.on("project_trust", async (event, ctx) => { ${body} }); };`,
  );

test("a script in a project that the user's extension trusts runs with what the project brings, and stderr says who decided [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace(PROJECT);
  judge(ws, `return { trusted: event.cwd.endsWith("project") ? "yes" : "no" };`);
  const { stdout, stderr } = await pi(ws, ["-p", "/own"], { server });
  expect(stdout).toBe("acts\n");
  expect(stderr).toContain('the extension "judge" trusts');
});

test("without a terminal an extension is told that nobody can be asked, and what it leaves undecided does not act [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace(PROJECT);
  judge(
    ws,
    `ctx.ui.notify("no terminal: " + ctx.hasUI + " " + (await ctx.ui.confirm("sure?"))); return { trusted: "undecided" };`,
  );
  server.reply(say("a model's answer"));
  const { stdout, stderr } = await pi(ws, ["-p", "/own"], { server });
  expect(stdout).toBe("a model's answer\n");
  expect(stderr).toContain("no terminal: false false");
  expect(stderr).toContain("is not trusted");
});
