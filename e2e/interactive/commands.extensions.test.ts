/** Extensions in the terminal: their commands, tools and questions, and /extensions. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { call, modelServer, say, workspace } from "@pi-ts/testkit";
import { stateFolder } from "../support/state.ts";
import { idle, openPi, send } from "./support.ts";

const GREETER = `export default (pi) => {
  pi.registerCommand("greet", {
    description: "greet somebody",
    getArgumentCompletions: (prefix) => ["Ada", "Alan"].filter((n) => n.startsWith(prefix)).map((value) => ({ value, label: value })),
    handler: async (args, ctx) => {
      const how = await ctx.ui.select("How?", ["warmly", "coldly"]);
      ctx.ui.notify("You greet " + args + " " + how);
    },
  });
  pi.registerCommand("tellmodel", { handler: async (args, ctx) => { pi.sendUserMessage("told: " + args); await ctx.waitForIdle(); ctx.ui.notify("the answer is there"); } });
  pi.registerTool({ name: "echo", description: "d", parameters: { type: "object", properties: {} }, execute: async () => ({ content: [{ type: "text", text: "echoed" }] }) });
  pi.on("turn_end", () => { throw new Error("it broke"); });
};`;

test("a command of an extension stands in the menu, asks its question, and tells its outcome [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(join(stateFolder(ws), "extensions/greeter.ts"), GREETER);
  await using program = await openPi(ws, server);
  program.type("/gree");
  await program.waitFor("greet somebody");
  program.press("escape", "ctrl+c");
  send(program, "/greet Ada");
  await program.waitFor(/How\?[\s\S]*warmly[\s\S]*coldly/);
  program.press("down", "enter");
  await program.waitFor("You greet Ada coldly");
});

test("a command that sends a message starts an answer and goes on after it", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(join(stateFolder(ws), "extensions/greeter.ts"), GREETER);
  server.reply(call("echo", {}));
  server.reply(say("the model has answered"));
  await using program = await openPi(ws, server);
  send(program, "/tellmodel hi");
  await program.waitFor("the model has answered");
  await program.waitFor("the answer is there");
  await program.waitFor('the extension "greeter" failed in turn_end: it broke');
  expect(server.request(1).text).toContain("told: hi");
  expect(server.request(2).results[0]!.text).toBe("echoed");
});

test("/extensions shows what is loaded and what went wrong, and reload takes changed files into use [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const file = join(stateFolder(ws), "extensions/greeter.ts");
  ws.write(file, GREETER);
  ws.write(join(stateFolder(ws), "extensions/broken.ts"), "throw new Error('never');");
  server.otherwise(() => [say("ok")]);
  await using program = await openPi(ws, server);
  await program.waitFor('the extension "broken" was not loaded: never');
  send(program, "hello");
  await program.waitFor("it broke");
  await idle(program);
  send(program, "/extensions");
  await program.waitFor(
    /greeter[\s\S]*echo[\s\S]*\/greet, \/tellmodel[\s\S]*not loaded[\s\S]*never[\s\S]*turn_end[\s\S]*it broke/,
  );
  ws.write(file, GREETER.replace('"greet"', '"salute"'));
  send(program, "/extensions reload");
  await program.waitFor("/salute, /tellmodel");
  send(program, "/clear");
  await program.waitFor("A fresh conversation");
  send(program, "/salute Bob");
  await program.waitFor("How?");
});
