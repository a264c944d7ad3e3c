/** Extensions in sessions that other programs drive: as in scripts, without a terminal to draw in or to ask in. */
import { expect, test } from "bun:test";
import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { call, modelServer, say, workspace } from "@pi-ts/testkit";
import { connect } from "../packages/agent/src/client/index.ts";
import { startEditor } from "./support/acp.ts";
import { startPi } from "./support/pi.ts";
import { stateFolder } from "./support/state.ts";

/** A tool, a command that asks, a handler, and everything that would break a protocol on stdout. */
const GUEST = `export default (pi) => {
  console.log("on stdout?"); process.stdout.write("on stdout!\\n");
  setInterval(() => {}, 1000);
  pi.registerTool({ name: "echo", description: "Echoes.", parameters: { type: "object", properties: {} }, execute: async (_i, _p, _s, _u, ctx) => ({ content: [{ type: "text", text: "echo in " + ctx.mode + ", ui " + ctx.hasUI }] }) });
  pi.registerCommand("choose", { description: "asks", handler: async (_, ctx) => {
    const answers = [await ctx.ui.select("Which?", ["a"]), await ctx.ui.confirm("Sure?", ""), await ctx.ui.input("Name?"), await ctx.ui.custom(() => ({}))];
    ctx.ui.notify("dismissed: " + JSON.stringify(answers.map(String)));
  } });
  pi.on("tool_call", ({ toolName }) => toolName === "ls" ? { block: true, reason: "not with me" } : undefined);
};`;

test.if(process.platform !== "win32")(
  "in a session on a socket an extension's tool, handler and command work, and its questions are dismissed [A-OUT-04]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    ws.write(join(stateFolder(ws), "extensions/guest.ts"), GUEST);
    const socket = join(ws.temp, "s");
    await using running = startPi(ws, ["--mode", "rpc", "--socket", socket], { server });
    await running.waitForOutput(/"type":"ready"/);
    await using client = await connect({ socket });
    server.reply(call("echo", {}), call("ls", {}));
    server.reply(say("done"));
    const first = await client.prompt({ text: "go" });
    expect((await first.ended).text).toBe("done");
    expect(server.request(2).results.map(({ text }) => text)).toEqual([
      "echo in rpc, ui false",
      "not with me",
    ]);
    const second = await client.prompt({ text: "/choose", session_id: first.sessionId });
    expect((await second.ended).text).toBe('dismissed: ["undefined","false","undefined","undefined"]');
  },
);

test("in an editor's session the same works, and nothing of it gets between the messages", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(join(stateFolder(ws), "extensions/guest.ts"), GUEST);
  await using editor = await startEditor(ws, server);
  const { sessionId } = await editor.newSession(ws.path);
  server.reply(call("echo", {}), call("ls", {}));
  server.reply(say("done"));
  expect(await editor.prompt(sessionId, "go")).toEqual({ stopReason: "end_turn" });
  expect(server.request(2).results.map(({ text }) => text)).toEqual(["echo in rpc, ui false", "not with me"]);
  expect(await editor.prompt(sessionId, "/choose")).toEqual({ stopReason: "end_turn" });
  const told = JSON.stringify(editor.told);
  expect(told).toContain('{"name":"choose","description":"asks"}');
  expect(told).toContain('dismissed: [\\"undefined');
});

test.if(process.platform !== "win32")(
  "what an extension does in one session of a process is that session's own",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    ws.write(
      join(stateFolder(ws), "extensions/own.ts"),
      `export default (pi) => {
        pi.registerCommand("where", { handler: (_, ctx) => { pi.appendEntry("seen", {}); ctx.ui.notify(ctx.sessionManager.getSessionId() + " " + ctx.sessionManager.getEntries().filter((e) => e.customType === "seen").length); } });
      };`,
    );
    const socket = join(ws.temp, "s");
    await using running = startPi(ws, ["--mode", "rpc", "--socket", socket], { server });
    await running.waitForOutput(/"type":"ready"/);
    await using client = await connect({ socket });
    server.otherwise(() => [say("hello")]);
    const [one, two] = await Promise.all([client.prompt({ text: "a" }), client.prompt({ text: "b" })]);
    await Promise.all([one.ended, two.ended]);
    expect(one.sessionId).not.toBe(two.sessionId);
    for (const { sessionId } of [one, two]) {
      const asked = await client.prompt({ text: "/where", session_id: sessionId });
      expect((await asked.ended).text).toBe(`${sessionId} 1`);
    }
  },
);

test.if(process.platform !== "win32")(
  "timers of an extension that outlive its session fail without a harm to the others",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    const mark = join(ws.outside, "ticked");
    ws.write(
      join(stateFolder(ws), "extensions/late.ts"),
      `import { writeFileSync } from "node:fs";
      export default (pi) => {
        let closed = false;
        pi.on("session_shutdown", () => { closed = true; });
        pi.on("session_start", (_, ctx) => { setInterval(() => { if (!closed) return; writeFileSync(${JSON.stringify(mark)}, "x"); Promise.reject(new Error("nobody waits")); ctx.cwd; }, 5); });
      };`,
    );
    const socket = join(ws.temp, "s");
    await using running = startPi(ws, ["--mode", "rpc", "--socket", socket], { server });
    await running.waitForOutput(/"type":"ready"/);
    await using client = await connect({ socket });
    server.otherwise(() => [say("hello")]);
    const one = await client.prompt({ text: "a" });
    await one.ended;
    await client.call("session.close", { session_id: one.sessionId });
    const fileIsThere = Promise.withResolvers<void>();
    const watcher = watch(ws.outside, () => existsSync(mark) && fileIsThere.resolve());
    if (existsSync(mark)) fileIsThere.resolve();
    await fileIsThere.promise;
    watcher.close();
    const two = await client.prompt({ text: "b" });
    expect((await two.ended).text).toBe("hello");
  },
);
