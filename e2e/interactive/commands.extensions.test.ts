/** Extensions in the terminal: their commands, tools and questions, and /extensions. */
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { call, hold, modelServer, say, think, workspace } from "@pi-ts/testkit";
import { stateFolder } from "../support/state.ts";
import { idle, leave, openPi, send } from "./support.ts";

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

test("an extension wraps, answers or stops commands that a person types; others run as ever", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(
    join(stateFolder(ws), "extensions/shell.ts"),
    `import { createLocalBashOperations } from "@earendil-works/pi-coding-agent";
    export default (pi) => {
      pi.on("user_bash", ({ command, excludeFromContext, cwd }) => {
        if (command === "answer") return { result: { output: "answered " + excludeFromContext, exitCode: 3, cancelled: false, truncated: false } };
        if (command === "stop") throw new Error("not this one");
        if (command === "hang") return { operations: { exec: () => new Promise(() => {}) } };
        if (command.startsWith("wrap ")) { const local = createLocalBashOperations(); return { operations: { exec: (line, at, options) => local.exec("echo wrapped in $((40 + 2)); " + line.slice(5), at, options) } }; }
      });
    };`,
  );
  server.otherwise(() => [say("ok")]);
  await using program = await openPi(ws, server);
  send(program, "!answer");
  await program.waitFor("answered false");
  send(program, "!!wrap echo in$((1 + 1)); exit 5");
  await program.waitFor(/wrapped in 42[\s\S]*in2/);
  send(program, "!stop");
  await program.waitFor('the command was not run: the extension "shell" failed before it: not this one');
  send(program, "!hang");
  await program.waitFor("! hang");
  program.press("escape");
  send(program, "!echo own$((2 + 2))");
  await program.waitFor("own4");
  send(program, "hello");
  await program.waitFor("ok");
  const text = server.request(1).userTexts.join("\n\n");
  expect(text).toContain("$ answer\nanswered false\n(exit code 3)");
  expect(text).toContain("own4");
  expect(text).not.toContain("wrapped");
});

const NOTES = `import { Text } from "@earendil-works/pi-tui";
export default (pi) => {
  pi.registerMessageRenderer("note", (message) => new Text("<<" + message.content + " " + message.details.n + ">>", 0, 0));
  pi.registerEntryRenderer("mark", (entry) => new Text("[mark " + entry.data.n + "]", 0, 0));
  pi.on("agent_end", () => { pi.sendMessage({ customType: "note", content: "kept", display: true, details: { n: 7 } }); pi.appendEntry("mark", { n: 1 }); });
};`;

test("what an extension showed is drawn again where it was when the conversation is resumed, plainly when the extension is gone", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const file = join(stateFolder(ws), "extensions/notes.ts");
  ws.write(file, NOTES);
  server.otherwise((request) => [say(request.text.includes("second thing") ? "answer two" : "answer one")]);
  {
    await using program = await openPi(ws, server);
    send(program, "first thing");
    await program.waitFor(/answer one[\s\S]*<<kept 7>>[\s\S]*\[mark 1\]/);
    await idle(program);
    send(program, "second thing");
    await program.waitFor(/answer two[\s\S]*<<kept 7>>[\s\S]*\[mark 1\]/);
    await leave(program);
  }
  const inOrder = (note: string, mark: string) =>
    new RegExp(
      ["first thing", "answer one", note, mark, "second thing", "answer two", note, mark].join("[\\s\\S]*"),
    );
  {
    await using program = await openPi(ws, server, { args: ["--continue"] });
    await program.waitFor(inOrder("<<kept 7>>", "\\[mark 1\\]"));
    await leave(program);
  }
  rmSync(file);
  await using program = await openPi(ws, server, { args: ["--continue"] });
  await program.waitFor(inOrder("kept", ""));
});

test("an extension has its own spinner, hides the row that says what goes on, and names folded thinking; a reload gives all back", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const file = join(stateFolder(ws), "extensions/look.ts");
  ws.write(
    file,
    `export default (pi) => {
      pi.on("session_start", (_, { ui }) => { ui.setWorkingIndicator({ frames: ["<*>"] }); ui.setWorkingMessage("brewing"); ui.setHiddenThinkingLabel("pondered"); });
      pi.registerCommand("hide", { handler: (_, { ui }) => ui.setWorkingVisible(false) });
    };`,
  );
  const { promise, resolve } = Promise.withResolvers<void>();
  server.reply(think("one\ntwo"), say("so"), hold(promise), say(" far"));
  await using program = await openPi(ws, server);
  send(program, "go");
  await program.waitFor(/∴ pondered…[\s\S]*<\*> brewing/);
  send(program, "/hide");
  await program.waitFor((shown) => !shown.screen().join("\n").includes("brewing"));
  resolve();
  await program.waitFor("so far");
  await idle(program);
  ws.write(file, "export default () => {};");
  send(program, "/extensions reload");
  await program.waitFor(/∴ Thought for 2 lines…/);
});
