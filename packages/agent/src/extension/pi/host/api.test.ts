import { expect, test } from "bun:test";
import { call } from "../../../agent/test-support/fake-model.ts";
import { textOf } from "../../../contract/messages.ts";
import { answerOf, extensionBench } from "../test-support/extension-bench.ts";

const ECHO = `import { Type } from "typebox";
export default (pi) => {
  pi.registerTool({
    name: "echo", label: "Echo", description: "Says it again", promptGuidelines: ["Use echo for echoes"],
    parameters: Type.Object({ word: Type.String({ description: "the word" }) }),
    async execute(id, { word }, signal, onUpdate, ctx) {
      onUpdate({ content: [{ type: "text", text: "half" }] });
      onUpdate({ content: [{ type: "text", text: "half and more" }] });
      if (word === "boom") throw new Error("no such echo");
      return { content: [{ type: "text", text: word + " in " + ctx.cwd.split("/").at(-1) }, { type: "image", data: "AAAA", mimeType: "image/png" }], details: { word } };
    },
  });
};`;

test("a tool of an extension is declared, validated, run with progress, and its pictures and errors reach the model", async () => {
  await using bench = await extensionBench({ extensions: { "echo.ts": ECHO } });
  bench.model
    .calls(call("c1", "echo", { word: "hi" }), call("c2", "echo", { word: "boom" }), call("c3", "echo", {}))
    .says("done");
  const events = await bench.run("go");
  const declared = bench.model.requests[0]!.tools.find(({ name }) => name === "echo")!;
  expect(declared.description).toBe("Says it again\n- Use echo for echoes");
  expect(declared.parameters).toMatchObject({
    type: "object",
    required: ["word"],
    properties: { word: { type: "string" } },
  });
  const results = ["c1", "c2", "c3"].map(
    (id) => events.find((event) => event.type === "tool_result" && event.id === id)!,
  );
  expect(results[0]).toMatchObject({
    content: "hi in project",
    is_error: false,
    details: { extension_details: { word: "hi" } },
  });
  expect(results[1]).toMatchObject({ is_error: true, content: "echo failed: no such echo" });
  expect(results[2]).toMatchObject({ is_error: true, details: { code: "invalid_arguments" } });
  const progress = events.filter((event) => event.type === "tool_progress").map(({ delta }) => delta);
  expect(progress.join("")).toContain("half and more");
  const stored = bench.session
    .messages()
    .flatMap((message) => (message.role === "tool" ? message.parts : []));
  expect(stored.find(({ id }) => id === "c1")!.content).toMatchObject([
    { type: "text" },
    { type: "image", mimeType: "image/png" },
  ]);
});

test("a tool with the name of a built-in one takes its place, and people are told", async () => {
  await using bench = await extensionBench({
    extensions: {
      "mine.ts": `export default (pi) => { pi.registerTool({ name: "read", description: "mine", parameters: { type: "object", properties: {} }, execute: async () => ({ content: [{ type: "text", text: "my read" }] }) }); };`,
    },
  });
  expect(bench.told()).toContain('the extension "mine" replaces the built-in tool read');
  bench.model.calls(call("c1", "read", {})).says("done");
  const result = (await bench.run("go")).find((event) => event.type === "tool_result");
  expect(result!.content).toBe("my read");
  const names = bench.model.requests[0]!.tools.map(({ name }) => name);
  expect(names.filter((name) => name === "read")).toHaveLength(1);
  expect(names[0]).toBe("read");
});

test("of two extensions with a tool of one name the first keeps it and the second is told of", async () => {
  const tool = (words: string, wait = 0) =>
    `await Bun.sleep(${wait}); export default (pi) => { pi.registerTool({ name: "both", description: "${words}", parameters: {}, execute: async () => ({ content: [] }) }); };`;
  await using bench = await extensionBench({
    extensions: { "a.ts": tool("of a", 20), "b.ts": tool("of b") },
  });
  expect(bench.told()).toEqual([
    'the extension "b" has a tool "both", and so has "a"; the first one is used',
  ]);
  bench.model.says("ok");
  await bench.run("go");
  expect(bench.model.requests[0]!.tools.find(({ name }) => name === "both")!.description).toBe("of a");
});

test("a batch whose results all ask for the end ends the run", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.registerTool({ name: "finish", description: "d", parameters: {}, execute: async (id) => ({ content: [{ type: "text", text: "finished" }], terminate: true }) }); };`,
    },
  });
  bench.model.calls(call("c1", "finish", {}));
  const events = await bench.run("go");
  expect(bench.model.requests).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({
    type: "message_end",
    stop_reason: "end",
    turns: 1,
    text: "finished",
  });
  bench.model.says("and on");
  expect(answerOf(await bench.run("more"))).toBe("and on");
});

test("setActiveTools leaves the model only these, from the next run on", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.on("session_start", () => pi.setActiveTools(pi.getActiveTools().filter((n) => n === "ls"))); };`,
    },
  });
  bench.model.says("ok");
  await bench.run("go");
  expect(bench.model.requests[0]!.tools.map(({ name }) => name)).toEqual(["ls"]);
});

test("a command runs without a model, and what it notifies is the answer", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.registerCommand("hello", { handler: async (args, ctx) => ctx.ui.notify("hello " + args + ctx.hasUI + ctx.mode) }); };`,
    },
  });
  expect(answerOf(await bench.run("/hello you "))).toBe("hello youfalseprint");
  expect(bench.model.requests).toEqual([]);
  expect(bench.app.extensions.commands().map(({ name }) => name)).toEqual(["hello"]);
});

test("a command that sends a message and waits for its answer is one run", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.registerCommand("ask", { handler: async (args, ctx) => {
        pi.sendUserMessage("about " + args);
        await ctx.waitForIdle();
        const last = ctx.sessionManager.getBranch().filter((e) => e.type === "message").at(-1);
        pi.sendMessage({ customType: "note", content: "heard " + last.message.content[0].text, display: true }, { triggerTurn: true });
        await ctx.waitForIdle();
      } }); };`,
    },
  });
  bench.model.says("first").says("second");
  const events = await bench.run("/ask cats");
  expect(events.filter(({ type }) => type === "message_start")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "message_end")).toHaveLength(1);
  expect(answerOf(events)).toBe("second");
  const texts = bench.model.requests[1]!.messages.map(({ parts }) => textOf(parts as never));
  expect(texts.slice(-3)).toEqual(["about cats", "first", "heard first"]);
});

test("a command that fails ends the run with its name and error", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.registerCommand("bad", { handler: async () => { throw new Error("boom"); } }); };`,
    },
  });
  const events = await bench.run("/bad");
  expect(events.find(({ type }) => type === "error")).toMatchObject({
    message: '/bad of the extension "a" failed: boom',
  });
  expect(events.at(-1)).toMatchObject({ stop_reason: "error" });
});

test("two extensions with a command of one name keep both, numbered; a built-in name is never taken", async () => {
  const command = (name: string) =>
    `export default (pi) => { pi.registerCommand("${name}", { description: "d", handler: async () => {} }); };`;
  await using bench = await extensionBench({
    extensions: { "a.ts": command("x"), "b.ts": command("x"), "c.ts": command("help") },
  });
  expect(bench.app.extensions.commands().map(({ name }) => name)).toEqual(["x:1", "x:2", "help:1"]);
});

test("what a handler wants said after the answer is said in the same run", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { let once = true; pi.on("agent_end", () => { if (once) pi.sendUserMessage("and now?", { deliverAs: "followUp" }); once = false; }); };`,
    },
  });
  bench.model.says("one").says("two");
  const events = await bench.run("go");
  expect(answerOf(events)).toBe("two");
  expect(events.filter(({ type }) => type === "message_start")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ turns: 2 });
});

test("a steering message goes before the model with the next request, and is stored there", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.on("tool_result", () => { pi.sendMessage({ customType: "hint", content: "mind the gap", display: false }); }); };`,
    },
  });
  bench.model
    .calls(call("c1", "ls", {}))
    .says("done")
    .says("later");
  await bench.run("go");
  await bench.run("on");
  const texts = bench.model.requests.map(({ messages }) =>
    messages.map(({ parts }) => textOf(parts as never)),
  );
  expect(texts[1]!.at(-1)).toBe("mind the gap");
  expect(texts[2]!.indexOf("mind the gap")).toBe(texts[1]!.length - 1);
});

test("a nextTurn message waits for the next prompt and stands behind it", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.on("session_start", () => pi.sendMessage({ customType: "n", content: "for later", display: false }, { deliverAs: "nextTurn" })); };`,
    },
  });
  bench.model.says("ok");
  await bench.run("go");
  const texts = bench.model.requests[0]!.messages.map(({ parts }) => textOf(parts as never));
  expect(texts.slice(-2)).toEqual(["go", "for later"]);
});

test("entries, labels and names are kept in the session and read back, and no model sees them", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => {
        pi.on("session_start", () => pi.appendEntry("state", { count: 0 }));
        pi.on("agent_end", (_, ctx) => { pi.appendEntry("state", { count: 1 }); pi.setSessionName("Named"); pi.setLabel(ctx.sessionManager.getLeafId(), "here"); });
        pi.registerCommand("state", { handler: (_, ctx) => {
          const branch = ctx.sessionManager.getBranch();
          ctx.ui.notify(JSON.stringify([branch.filter((e) => e.customType === "state").map((e) => e.data.count), pi.getSessionName(), branch.filter((e) => e.type === "label").map((e) => e.label), branch.every((e, i) => e.parentId === (branch[i - 1]?.id ?? null))]));
        } });
      };`,
    },
  });
  expect(bench.session.head).toBeNull();
  bench.model.says("ok").says("ok");
  await bench.run("go");
  expect(JSON.parse(answerOf(await bench.run("/state")))).toEqual([[0, 1], "Named", ["here"], true]);
  await bench.run("more");
  expect(JSON.stringify(bench.model.requests[1]!.messages)).not.toContain("count");
});

test("exec runs a program without a shell and without our keys, and an abort ends it[B08]", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.registerCommand("x", { handler: async (_, ctx) => {
        const echo = await pi.exec("printf", ["%s", "$HOME"]);
        const env = await pi.exec("env", []);
        const abort = new AbortController(); setTimeout(() => abort.abort(), 20);
        const slept = await pi.exec("sleep", ["600"], { signal: abort.signal });
        ctx.ui.notify(JSON.stringify([echo.stdout, echo.code, env.stdout.includes("SECRET"), slept.killed]));
      } }); };`,
    },
    parts: { environment: { ...process.env, MY_SECRET_API_KEY: "SECRET" } },
  });
  expect(JSON.parse(answerOf(await bench.run("/x")))).toEqual(["$HOME", 0, false, true]);
});

test("flags have their default, a switch or a value of the command line", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => {
        pi.registerFlag("loud", { type: "boolean", default: false }); pi.registerFlag("who", { type: "string" }); pi.registerFlag("kept", { type: "string", default: "d" });
        pi.registerCommand("f", { handler: (_, ctx) => ctx.ui.notify(JSON.stringify([pi.getFlag("loud"), pi.getFlag("who"), pi.getFlag("kept")])) });
      };`,
    },
    argv: ["--extension-flag", "loud", "--extension-flag=who=me=you"],
  });
  expect(JSON.parse(answerOf(await bench.run("/f")))).toEqual([true, "me=you", "d"]);
});

test("a switch can be turned off on the command line, and a flag that no extension has is told of", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => {
        pi.registerFlag("loud", { type: "boolean", default: true });
        pi.registerCommand("f", { handler: (_, ctx) => ctx.ui.notify(JSON.stringify(pi.getFlag("loud"))) });
      };`,
    },
    argv: ["--extension-flag", "loud=false", "--extension-flag", "lout=1"],
  });
  expect(bench.told()).toEqual(["--extension-flag lout: no extension has that flag; there are: loud"]);
  expect(answerOf(await bench.run("/f"))).toBe("false");
});

test("extensions talk over one bus, and a listener that throws stops no other", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.events.on("ch", () => { throw new Error("deaf"); }); };`,
      "b.ts": `export default (pi) => { let got; pi.events.on("ch", (d) => { got = d; }); pi.registerCommand("got", { handler: (_, ctx) => ctx.ui.notify(got) }); };`,
      "c.ts": `export default (pi) => { pi.on("session_start", () => pi.events.emit("ch", "word")); };`,
    },
  });
  expect(answerOf(await bench.run("/got"))).toBe("word");
  expect(bench.told()).toEqual(['the extension "a" failed in a listener to "ch": deaf']);
});

test("a model can be asked from a handler with the model in use, also through pi-ai", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `import { completeSimple, StringEnum } from "@earendil-works/pi-ai";
      export default (pi) => { pi.registerCommand("m", { handler: async (_, ctx) => {
        const found = ctx.modelRegistry.find(ctx.model.provider, ctx.model.id);
        const failed = await completeSimple({ provider: "nobody", id: "x" }, { messages: [] });
        ctx.ui.notify(JSON.stringify([found.id, ctx.getContextUsage().contextWindow, failed.stopReason, failed.errorMessage, StringEnum(["a", "b"])]));
      } }); };`,
    },
  });
  const [id, window, reason, message, schema] = JSON.parse(answerOf(await bench.run("/m"))) as unknown[];
  expect([id, window, reason]).toEqual(["test-model", 200_000, "error"]);
  expect(message).toContain("nobody");
  expect(schema).toEqual({ type: "string", enum: ["a", "b"] });
});

test("the API says where it is, and a member that is not there tells so once", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.registerVirtualModel({}); pi.registerVirtualModel({}); pi.registerCommand("h", { handler: (_, ctx) => ctx.ui.notify(pi.host) }); };`,
    },
  });
  expect(answerOf(await bench.run("/h"))).toBe("pi-ts");
  expect(bench.told()).toEqual([
    'the extension "a" called pi.registerVirtualModel, which pi-ts does not have; nothing was done',
  ]);
});

test("a message for people at the end of an answer is kept and shown, and asks no model", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.on("agent_end", () => pi.sendMessage({ customType: "card", content: "drawn", display: true })); };`,
    },
  });
  bench.model.says("one").says("two");
  await bench.run("go");
  expect(bench.model.requests).toHaveLength(1);
  await bench.run("on");
  expect(bench.model.requests[1]!.messages.map(({ parts }) => textOf(parts as never))).toContain("drawn");
});

test("extensions that make a run go on for ever are stopped", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.on("agent_settled", () => pi.sendMessage({ customType: "c", content: "again", display: false }, { triggerTurn: true })); };`,
    },
  });
  bench.model.otherwise = (request) => [
    bench.model.end([{ type: "text", text: `${request.messages.length}` }]),
  ];
  const events = await bench.run("go");
  expect(events.filter(({ type }) => type === "message_end")).toHaveLength(1);
  expect(events.filter((event) => event.type === "notice").map(({ message }) => message)).toEqual([
    "Extensions have made this run go on 50 times; it ends here.",
  ]);
});

test("skills and prompts that an extension names when the conversation begins join ours, and the model learns of them", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.on("resources_discover", (e) => ({ skillPaths: [e.cwd + "/more"], promptPaths: [e.cwd + "/prompts"] })); };`,
    },
    files: {
      "more/tidy/SKILL.md": "---\nname: tidy\ndescription: put things in order\n---\n\nTidy.\n",
      "prompts/greet.md": "Greet $1",
    },
  });
  expect(bench.app.skills!.library!.prompt("greet", "Ada")).toContain("Greet Ada");
  bench.model.says("ok");
  await bench.run("go");
  const texts = bench.model.requests[0]!.messages.map(({ parts }) => textOf(parts as never));
  expect(texts.at(-1)).toContain("put things in order");
});

test("from the moment that an extension wants an answer the agent is not idle, however short the run will be", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => {
        pi.registerCommand("ask", {
          async handler(_, ctx) {
            const before = ctx.isIdle();
            pi.sendUserMessage("what is it?");
            const after = ctx.isIdle();
            await ctx.waitForIdle();
            globalThis.idleness = [before, after, ctx.isIdle()];
          },
        });
      };`,
    },
  });
  bench.model.says("ok");
  await bench.run("/ask");
  expect((globalThis as Record<string, unknown>)["idleness"]).toEqual([true, false, true]);
});
