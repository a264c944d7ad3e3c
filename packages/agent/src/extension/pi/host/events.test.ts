import { expect, test } from "bun:test";
import { call } from "../../../agent/test-support/fake-model.ts";
import { textOf } from "../../../contract/messages.ts";
import { answerOf, extensionBench } from "../test-support/extension-bench.ts";

/** Keeps the names of all events that a whole run has. */
const LISTENER = `export default (pi) => {
  const heard = [];
  for (const type of ["session_start","resources_discover","input","before_agent_start","agent_start","turn_start","context","message_start","message_update","message_end","tool_execution_start","tool_call","tool_execution_end","tool_result","turn_end","agent_end","agent_settled","session_shutdown"])
    pi.on(type, () => { heard.push(type); });
  pi.registerCommand("heard", { handler: async (_, ctx) => ctx.ui.notify(heard.join(" ")) });
};`;

test("a run with a call is told in Pi's order", async () => {
  await using bench = await extensionBench({
    extensions: { "listener.ts": LISTENER },
    files: { "a.txt": "one" },
  });
  bench.model.calls(call("c1", "read", { file_path: "a.txt" })).says("done");
  await bench.run("go");
  const heard = answerOf(await bench.run("/heard")).split(" ");
  expect(heard.filter((type) => !/^message_(start|end|update)$/.test(type)).join(" ")).toBe(
    "session_start resources_discover input before_agent_start agent_start turn_start context tool_execution_start tool_call tool_result tool_execution_end turn_end turn_start context turn_end agent_end agent_settled",
  );
  expect(heard).toContain("message_update");
});

test("input handlers change a prompt one after the other, and the changed one is stored and sent", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.on("input", (e) => ({ action: "transform", text: e.text + " a" })); };`,
      "b.ts": `export default (pi) => { pi.on("input", (e) => ({ action: "transform", text: e.text + " b" })); };`,
    },
  });
  bench.model.says("ok");
  await bench.run("go");
  expect(textOf(bench.session.messages().find(({ role }) => role === "user")!.parts)).not.toBe("go");
  const sent = bench.model.requests[0]!.messages.filter(
    (each) => each.role === "user" && each.origin === "user",
  );
  expect(sent.map(({ parts }) => textOf(parts))).toEqual(["go a b"]);
});

test("a prompt that an extension handles asks no model and ends well", async () => {
  await using bench = await extensionBench({
    extensions: { "a.ts": `export default (pi) => { pi.on("input", () => ({ action: "handled" })); };` },
  });
  const events = await bench.run("go");
  expect(bench.model.requests).toEqual([]);
  expect(events.map(({ type }) => type)).toEqual(["message_start", "text_delta", "message_end"]);
  expect(answerOf(events)).toBe('The extension "a" has taken it.');
});

test("before_agent_start adds a stored message behind the prompt and a section to the system text", async () => {
  await using bench = await extensionBench({
    extensions: {
      "memory.ts": `export default (pi) => {
        pi.on("before_agent_start", (e) => {
          e.systemPromptOptions.sections.memory = "likes tabs";
          return { message: { customType: "recall", content: "remembered: " + e.prompt, display: false, details: { n: 1 } } };
        });
        pi.registerCommand("entries", { handler: (_, ctx) => ctx.ui.notify(JSON.stringify(ctx.sessionManager.getBranch().filter((e) => e.type === "custom_message"))) });
      };`,
    },
  });
  bench.model.says("ok").says("again");
  await bench.run("go");
  const [request] = bench.model.requests;
  expect(request!.system).toEndWith("<memory>\nlikes tabs\n</memory>");
  expect(request!.messages.map(({ parts }) => textOf(parts as never))).toContain("remembered: go");
  await bench.run("next");
  const texts = bench.model.requests[1]!.messages.map(({ parts }) => textOf(parts as never));
  expect(texts.indexOf("remembered: go")).toBe(texts.indexOf("go") + 1);
  const [entry] = JSON.parse(answerOf(await bench.run("/entries"))) as Record<string, unknown>[];
  expect(entry).toMatchObject({
    customType: "recall",
    content: "remembered: go",
    display: false,
    details: { n: 1 },
  });
});

test("context handlers get Pi's messages, and what they change is sent once and never stored", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => {
        let times = 0;
        pi.on("context", (e) => {
          if (times++ > 0) return;
          return { messages: [...e.messages.map((m) => m.role === "user" ? { ...m, content: [{ type: "text", text: "changed" }] } : m), { role: "user", content: "ephemeral", timestamp: 1 }] };
        });
      };`,
    },
  });
  bench.model.says("one").says("two");
  await bench.run("go");
  await bench.run("again");
  const texts = bench.model.requests.map(({ messages }) =>
    messages.map(({ parts }) => textOf(parts as never)),
  );
  expect(texts[0]!.slice(-2)).toEqual(["changed", "ephemeral"]);
  expect(texts[1]).not.toContain("ephemeral");
  expect(texts[1]).toContain("go");
});

test("a request that context handlers leave as it is stays the same to the byte", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.on("context", (e) => ({ messages: structuredClone(e.messages) })); };`,
    },
    files: { "a.txt": "one" },
  });
  const opaque = { signed: "bytes" };
  bench.model
    .script(
      bench.model.end([
        { type: "thinking", text: "hm", signature: "sig", opaque },
        call("c1", "read", { file_path: "a.txt" }),
        call("c2", "ls", {}),
      ]),
    )
    .says("done");
  await bench.run("go");
  const second = bench.model.requests[1]!.messages;
  expect(second.find(({ role }) => role === "assistant")!.parts[0]).toMatchObject({
    signature: "sig",
    opaque,
  });
  expect(second.find(({ role }) => role === "tool")!.parts).toHaveLength(2);
});

test("a context handler that drops a result does not leave its call alone", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.on("context", (e) => ({ messages: e.messages.filter((m) => m.role !== "toolResult") })); };`,
    },
  });
  bench.model.calls(call("c1", "ls", {})).says("done");
  await bench.run("go");
  const parts = bench.model.requests[1]!.messages.flatMap((message) => message.parts as { type: string }[]);
  expect(parts.filter(({ type }) => type === "tool_call" || type === "tool_result")).toEqual([]);
});

test("tool_call blocks with its reason, changes the input, and blocks when it throws", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.on("tool_call", (e) => {
        if (e.input.file_path === "secret.txt") return { block: true, reason: "not that one" };
        if (e.input.file_path === "boom.txt") throw new Error("bad handler");
        e.input.file_path = "b.txt";
      }); };`,
    },
    files: { "a.txt": "one", "b.txt": "two" },
  });
  const read = (id: string, file_path: string) => call(id, "read", { file_path });
  bench.model.calls(read("c1", "secret.txt"), read("c2", "boom.txt"), read("c3", "a.txt")).says("done");
  const results = (await bench.run("go")).filter((event) => event.type === "tool_result");
  expect(results[0]).toMatchObject({ is_error: true, content: "not that one" });
  expect(results[1]!.content).toBe('The call was not run: the extension "a" failed before it: bad handler');
  expect(results[2]!.content).toContain("two");
});

test("tool_result handlers patch a result one after the other", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.on("tool_result", (e) => ({ content: [{ type: "text", text: e.content[0].text + " +a" }] })); };`,
      "b.ts": `export default (pi) => { pi.on("tool_result", (e) => ({ content: [{ type: "text", text: e.content[0].text + " +b" }], isError: true })); };`,
    },
    files: { "a.txt": "one" },
  });
  bench.model.calls(call("c1", "read", { file_path: "a.txt" })).says("done");
  const result = (await bench.run("go")).find((event) => event.type === "tool_result");
  expect(result!.content).toEndWith(" +a +b");
  expect(result!.is_error).toBe(true);
});

test("session_before_compact can keep a summary from being made, and pi says who did", async () => {
  await using bench = await extensionBench({
    extensions: {
      "keeper.ts": `export default (pi) => { pi.on("session_before_compact", () => ({ cancel: true })); };`,
    },
  });
  bench.model.says("x".repeat(4_000)).says("y".repeat(4_000));
  await bench.run("one");
  await bench.run("two");
  const events = await Array.fromAsync(bench.app.runner.compact({ signal: new AbortController().signal }));
  expect(events.at(-1)).toMatchObject({
    phase: "failed",
    reason: 'the extension "keeper" does not want it now',
  });
});

test("a handler that throws is told once with its name, and the next one runs", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => { pi.on("turn_end", () => { throw new Error("oh no"); }); };`,
      "b.ts": `export default (pi) => { pi.on("turn_end", () => { pi.appendEntry("ran", 1); }); };`,
    },
  });
  bench.model.says("one").says("two");
  await bench.run("go");
  await bench.run("go");
  expect(bench.told().filter((message) => message.includes("oh no"))).toEqual([
    'the extension "a" failed in turn_end: oh no',
  ]);
  expect(bench.host.extensions[0]!.faults).toEqual([{ where: "turn_end", message: "oh no", times: 2 }]);
  expect([...bench.session.tree.nodes.values()].filter(({ type }) => type === "extension")).toHaveLength(2);
});

test("an extension's own summary stands for the conversation, and no model is asked for one", async () => {
  await using bench = await extensionBench({
    extensions: {
      "a.ts": `export default (pi) => {
        pi.on("session_before_compact", (e) => ({ compaction: { summary: "in short: " + e.preparation.messagesToSummarize.length + " messages", firstKeptEntryId: "x", tokensBefore: 1 } }));
        pi.on("session_compact", (e) => pi.appendEntry("compacted", e.compactionEntry.type));
      };`,
    },
  });
  for (const letter of "abcd") bench.model.says(letter.repeat(40_000));
  for (const word of ["one", "two", "three", "four"]) await bench.run(word);
  const asked = bench.model.requests.length;
  const events = await Array.fromAsync(bench.app.runner.compact({ signal: new AbortController().signal }));
  expect(events.at(-1)).toMatchObject({ type: "compaction", phase: "end" });
  expect(bench.model.requests).toHaveLength(asked);
  expect(JSON.stringify(bench.session.messages())).toContain("in short: ");
  expect([...bench.session.tree.nodes.values()].at(-1)!.type).toBe("extension");
});
