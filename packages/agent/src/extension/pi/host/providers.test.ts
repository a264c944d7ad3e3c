/** Services that extensions bring: by data, with a key that a command prints, and with code of their own. */
import { expect, test } from "bun:test";
import { call } from "../../../agent/test-support/fake-model.ts";
import { answerOf, type ExtensionBench, extensionBench } from "../test-support/extension-bench.ts";

/** A service that answers what it was asked with, and calls a tool when it is told to. */
const SERVICE = `export default (pi) => {
  globalThis.asked = [];
  pi.registerProvider("own", {
    api: "my-protocol", apiKey: "own-key-0123456789", headers: { "x-one": "1" },
    models: [{ id: "m", name: "M", reasoning: true, input: ["text"], contextWindow: 50000, maxTokens: 900, cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } }],
    streamSimple(model, context, options) {
      globalThis.asked.push({ model, context, options: { ...options, signal: undefined } });
      const last = context.messages.at(-1);
      const usage = { input: 3, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 5, cost: { total: 0.01 } };
      const answer = (content, stopReason, more = {}) => ({ role: "assistant", content, api: model.api, provider: model.provider, model: model.id, usage, stopReason, timestamp: 1, ...more });
      return (async function* () {
        if (last.content?.[0]?.text === "fail") { yield { type: "error", reason: "error", error: answer([], "error", { errorMessage: "401 no such key" }) }; return; }
        if (last.content?.[0]?.text === "end") return;
        if (last.content?.[0]?.text === "throw") throw new Error("broken");
        if (last.role === "toolResult") { yield { type: "text_delta", delta: "got " }; yield { type: "done", reason: "stop", message: answer([{ type: "text", text: "got " + last.content[0].text, textSignature: "sig-t" }], "stop") }; return; }
        yield { type: "done", reason: "toolUse", message: answer([{ type: "thinking", thinking: "hm", thinkingSignature: "sig-1" }, { type: "toolCall", id: "c|1", name: "note", arguments: { text: "x" } }], "toolUse") };
      })();
    },
  });
  pi.registerTool({ name: "note", description: "Notes.", parameters: { type: "object", properties: { text: { type: "string" } } }, execute: async (_, { text }) => ({ content: [{ type: "text", text: "noted " + text }] }) });
  pi.registerCommand("use", { async handler(_, ctx) { ctx.ui.notify(String(await pi.setModel(ctx.modelRegistry.find("own", "m")))); } });
};`;

interface Asked {
  model: { api: string; provider: string };
  context: {
    systemPrompt: string;
    tools: { name: string }[];
    messages: { role: string; content: unknown }[];
  };
  options: Record<string, unknown>;
}
const asked = () => (globalThis as unknown as { asked: Asked[] }).asked;

async function using(bench: ExtensionBench) {
  expect(answerOf(await bench.run("/use"))).toBe("true");
  return bench;
}

test("a provider with streamSimple answers, calls tools, and gets its signatures back", async () => {
  await using bench = await extensionBench({ extensions: { "s.ts": SERVICE } });
  await using(bench);
  const events = await bench.run("go");
  expect(events.at(-1)).toMatchObject({ stop_reason: "end", text: "got noted x", turns: 2 });
  const [first, second] = asked();
  expect(first!.model).toMatchObject({ api: "my-protocol", provider: "own" });
  expect(first!.options).toMatchObject({ apiKey: "own-key-0123456789", headers: { "x-one": "1" } });
  expect(first!.context.tools.map(({ name }) => name)).toContain("note");
  expect(first!.context.messages[0]).toMatchObject({ role: "system", content: first!.context.systemPrompt });
  // The id is ours, where the service's own could not go to another model.
  expect(second!.context.messages.slice(-2)).toMatchObject([
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", thinkingSignature: "sig-1" },
        { type: "toolCall", id: "c_1", name: "note", arguments: { text: "x" } },
      ],
    },
    { role: "toolResult", toolCallId: "c_1" },
  ]);
  expect(bench.model.requests).toHaveLength(0);
});

test.each([
  ["fail", "401 no such key"],
  ["end", "the stream of the extension ended without an answer"],
  ["throw", "broken"],
])("a service of an extension's that %ps is an error of the run and no more", async (prompt, message) => {
  await using bench = await extensionBench({ extensions: { "s.ts": SERVICE } });
  await using(bench);
  const events = await bench.run(prompt);
  expect(events.filter(({ type }) => type === "error")).toMatchObject([{ message }]);
  expect(events.at(-1)).toMatchObject({ stop_reason: "error" });
});

test("an interrupt ends a stream of an extension's that never ends", async () => {
  await using bench = await extensionBench({
    extensions: {
      "s.ts": SERVICE.replace(
        "return (async function* () {",
        "return (async function* () { globalThis.begun(); await new Promise(() => {});",
      ),
    },
  });
  await using(bench);
  const abort = new AbortController();
  Object.assign(globalThis, { begun: () => abort.abort() });
  const events = await bench.run("go", abort.signal);
  expect(events.at(-1)).toMatchObject({ stop_reason: "aborted" });
});

test("a key that a command prints is fetched at its first use, once, and is told as usable before", async () => {
  await using bench = await extensionBench({
    extensions: {
      "k.ts": `export default (pi) => {
        pi.registerProvider("gate", { baseUrl: "http://127.0.0.1:9/v1", api: "openai-completions", apiKey: "!echo x >> ran; echo printed-key-0123456789", models: [{ id: "m" }] });
        pi.registerProvider("broken", { baseUrl: "http://127.0.0.1:9/v1", api: "openai-completions", apiKey: "!exit 3", models: [{ id: "m" }] });
        pi.registerCommand("k", { async handler(_, { modelRegistry, ui }) {
          const usable = modelRegistry.getAvailable().some(({ provider }) => provider === "gate");
          const both = await Promise.all([1, 2].map(() => modelRegistry.getApiKeyAndHeaders({ provider: "gate", id: "m" })));
          ui.notify(JSON.stringify([usable, both.map(({ apiKey }) => apiKey), (await modelRegistry.getApiKeyAndHeaders({ provider: "broken", id: "m" })).error]));
        } });
      };`,
    },
  });
  expect(bench.ws.exists("ran")).toBe(false);
  expect(JSON.parse(answerOf(await bench.run("/k")))).toEqual([
    true,
    ["printed-key-0123456789", "printed-key-0123456789"],
    "the command of an extension that prints a key ended with exit code 3: exit 3",
  ]);
  expect(bench.ws.read("ran")).toBe("x\n");
});

test("model and thinking level are told when they are set, with what they were", async () => {
  await using bench = await extensionBench({
    extensions: {
      "t.ts": `export default (pi) => {
        const heard = [];
        pi.on("thinking_level_select", ({ level, previousLevel }) => { heard.push([previousLevel, level]); });
        pi.registerCommand("t", { async handler(_, ctx) { pi.setThinkingLevel("high"); pi.setThinkingLevel("high"); pi.setThinkingLevel("low"); ctx.ui.notify(JSON.stringify(heard)); } });
      };`,
    },
  });
  const before = bench.app.options.thinking;
  expect(JSON.parse(answerOf(await bench.run("/t")))).toEqual([
    [before, "high"],
    ["high", "low"],
  ]);
});

test("prepareArguments puts what a model sent into form before it is checked", async () => {
  await using bench = await extensionBench({
    extensions: {
      "p.ts": `export default (pi) => { pi.registerTool({ name: "sum", description: "Adds.", promptSnippet: "add numbers", parameters: { type: "object", properties: { values: { type: "array", items: { type: "number" } } }, required: ["values"], additionalProperties: false },
        prepareArguments: (sent) => sent.a === undefined ? sent : ({ values: [sent.a, sent.b] }), execute: async (_, { values }) => ({ content: [{ type: "text", text: String(values[0] + values[1]) }] }) }); };`,
    },
  });
  bench.model.calls(call("c1", "sum", { a: 1, b: 2 }), call("c2", "sum", { values: [3, 4] })).says("done");
  const events = await bench.run("go");
  expect(events.filter(({ type }) => type === "tool_result")).toMatchObject([
    { content: "3", is_error: false },
    { content: "7", is_error: false },
  ]);
  const [request] = bench.model.requests;
  expect(request!.tools.find(({ name }) => name === "sum")!.description).toBe("Adds.\nadd numbers");
});
