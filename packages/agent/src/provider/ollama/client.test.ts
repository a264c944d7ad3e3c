import { describe, expect, test } from "bun:test";
import {
  bytes,
  call,
  cut,
  end,
  fail,
  hold,
  modelServer,
  rawCall,
  say,
  stop,
  streamError,
  think,
  usage,
} from "@pi-ts/testkit";
import type { FetchLike } from "../../contract/model.ts";
import {
  answerOf,
  modelOf,
  pixel,
  requestOf,
  results,
  run,
  settingsFor,
  user,
} from "../shared/test-support/wire-run.ts";
import { ollamaWire } from "./client.ts";
import { detectOllama } from "./detect.ts";
import { localOllamaModels } from "./local-models.ts";
import { showModel } from "./show.ts";

const model = modelOf("ollama", { reasoning: false });
const request = requestOf(model);
const signal = new AbortController().signal;
const line = (fields: object) => bytes(`${JSON.stringify(fields)}\n`);
const DONE = { done: true, done_reason: "stop", prompt_eval_count: 50, eval_count: 5 };

describe("requests", () => {
  test("a request goes to /api/chat with tools, system text and the context size [P11][A-PROV-04]", async () => {
    await using server = await modelServer();
    server.reply(say("hi"));
    const message = await answerOf(ollamaWire.open(settingsFor(server, "ollama")), request);
    const sent = server.request(1);
    expect(sent.path).toBe("/api/chat");
    expect(sent.system).toBe("Be brief.");
    expect(sent.tools.map((tool) => tool.name)).toEqual(["bash"]);
    expect(sent.field("options", "num_ctx")).toBe(32_768);
    expect(sent.field("options", "num_predict")).toBe(8_000);
    expect(message).toMatchObject({ parts: [{ type: "text", text: "hi" }], stop: "end" });
  });

  test("the context size grows with the conversation, never above the model's, and never shrinks [P11]", async () => {
    await using server = await modelServer();
    server.otherwise(() => [say("ok")]);
    const client = ollamaWire.open(settingsFor(server, "ollama"));
    for (const size of [1, 150_000, 600_000, 1])
      await run(
        client,
        requestOf(modelOf("ollama", { contextWindow: 100_000 }), {
          messages: [user("ab ".repeat(size / 3 + 1))],
        }),
      );
    const sizes = server.requests.map((sent) => sent.field("options", "num_ctx"));
    expect(sizes).toEqual([32_768, 65_536, 100_000, 100_000]);
  });

  test("a cloud model gets its whole context at once [P11]", async () => {
    await using server = await modelServer();
    server.reply(say("ok"));
    const cloud = modelOf("ollama", { id: "big:cloud", maxOutput: 131_072 });
    await run(ollamaWire.open(settingsFor(server, "ollama")), requestOf(cloud));
    expect(server.request(1).field("options")).toEqual({ num_ctx: 200_000, num_predict: 65_536 });
  });

  test("an unknown model's context and skills are asked for once [P11]", async () => {
    await using server = await modelServer();
    server.otherwise(() => [say("ok")]);
    const client = ollamaWire.open(settingsFor(server, "ollama"));
    const unknown = modelOf("ollama", { id: "small-model", known: false, contextWindow: 128_000 });
    for (const _ of [1, 2]) await run(client, requestOf(unknown, { thinking: "high" }));
    expect(server.otherRequests.map((other) => other.path)).toEqual(["/api/show"]);
    expect(server.request(2).field("options", "num_ctx")).toBe(8_192);
    expect(server.request(2).field("think")).toBeUndefined();
  });

  test("results go back with their tool's name and in call order, images of a user as base64 [P09]", async () => {
    await using server = await modelServer();
    server.reply(
      call("bash", { command: "a" }),
      call("bash", { command: "b" }),
      call("bash", { command: "a" }),
    );
    server.reply(say("done"));
    const client = ollamaWire.open(settingsFor(server, "ollama"));
    const asked = { role: "user", origin: "user", parts: [{ type: "text", text: "look" }, pixel] } as const;
    const first = await answerOf(
      client,
      requestOf(model, { messages: [{ ...asked, parts: [...asked.parts] }] }),
    );
    const ids = first.parts.map((part) => part.type === "tool_call" && part.id);
    expect(new Set(ids).size).toBe(3);
    const messages = [{ ...asked, parts: [...asked.parts] }, first, results(first, "one", "two", "three")];
    await answerOf(client, requestOf(model, { messages }));
    const sent = server.request(2);
    expect(sent.results.map(({ name, text }) => [name, text])).toEqual([
      ["bash", "one"],
      ["bash", "two"],
      ["bash", "three"],
    ]);
    expect(sent.calls.map((made) => made.args)).toEqual([
      { command: "a" },
      { command: "b" },
      { command: "a" },
    ]);
    expect(sent.userImages.map((found) => found.data)).toEqual([pixel.data]);
  });

  test.each([
    ["off", "qwen", false],
    ["low", "qwen", true],
    ["minimal", "gpt-oss:20b", "low"],
    ["xhigh", "gpt-oss:20b", "high"],
  ] as const)("thinking %s is asked of %s as %p", async (thinking, id, value) => {
    await using server = await modelServer();
    server.reply(say("ok"));
    const thinker = modelOf("ollama", { id });
    await run(ollamaWire.open(settingsFor(server, "ollama")), requestOf(thinker, { thinking }));
    expect(server.request(1).field("think") as unknown).toBe(value);
  });

  test("a model that cannot think is asked once with thinking and never again", async () => {
    await using server = await modelServer();
    server.when(/"think":/).reply(fail(400, { body: { error: '"test-model" does not support thinking' } }));
    server.otherwise(() => [say("ok")]);
    const client = ollamaWire.open(settingsFor(server, "ollama"));
    for (const _ of [1, 2]) await answerOf(client, requestOf(modelOf("ollama"), { thinking: "high" }));
    expect(server.requests.map((sent) => sent.field("think"))).toEqual([true, undefined, undefined]);
  });

  test("thinking before a call goes back to the model that thought it, and to no other [P07]", async () => {
    await using server = await modelServer();
    server.reply(think("let me see"), call("bash", { command: "ls" }));
    server.otherwise(() => [say("ok")]);
    const client = ollamaWire.open(settingsFor(server, "ollama"));
    const first = await answerOf(client, requestOf(modelOf("ollama"), { thinking: "high" }));
    const messages = [user("hello"), first, results(first, "x")];
    await answerOf(client, requestOf(modelOf("ollama"), { messages }));
    await answerOf(client, requestOf(modelOf("ollama", { id: "other" }), { messages }));
    expect(server.request(2).field("messages", 2, "thinking")).toBe("let me see");
    expect(server.request(3).field("messages", 2, "thinking")).toBeUndefined();
  });
});

describe("answers", () => {
  test("arguments that come as text are parsed, broken ones become a problem [P01]", async () => {
    await using server = await modelServer();
    server.reply(rawCall("bash", '{"command": "ls'));
    server.reply(
      line({ message: { tool_calls: [{ function: { name: "bash", arguments: '{"command":"ls"}' } }] } }),
      line(DONE),
      end(),
    );
    const client = ollamaWire.open(settingsFor(server, "ollama"));
    expect((await answerOf(client, request)).parts).toMatchObject([
      { name: "bash", arguments: {}, problem: { kind: "malformed", raw: '{"command": "ls' } },
    ]);
    expect((await answerOf(client, request)).parts).toMatchObject([{ arguments: { command: "ls" } }]);
  });

  test("usage is what the service counted, its cache apart", async () => {
    await using server = await modelServer();
    server.reply(line({ message: { content: "x" } }), line({ ...DONE, prompt_eval_cached_count: 30 }), end());
    const { usage: counted } = await answerOf(ollamaWire.open(settingsFor(server, "ollama")), request);
    expect(counted).toEqual({
      input: 20,
      output: 5,
      cache_read: 30,
      cache_write: 0,
      reasoning: 0,
      total: 55,
    });
  });

  test("a prompt that was cut silently is warned about, once [P11]", async () => {
    await using server = await modelServer();
    server.otherwise(() => [say("ok"), usage({ input: 4_096 })]);
    const client = ollamaWire.open(settingsFor(server, "ollama"));
    const long = requestOf(model, { messages: [user("The quick brown fox jumps. ".repeat(2_000))] });
    const warnings = [(await run(client, long)).warnings, (await run(client, long)).warnings];
    expect(warnings[0]?.join()).toMatch(/read only 4096 of at least \d+ prompt tokens/);
    expect(warnings[1]).toEqual([]);
  });

  test("honest counts, missing counts and texts of few tokens are not warned about [P11]", async () => {
    await using server = await modelServer();
    const texts = ["The quick brown fox jumps. ".repeat(2_000), "x".repeat(90_000), "hello"];
    for (const input of [12_000, 5_000, 10]) server.reply(say("ok"), usage({ input }));
    server.reply(line({ message: { content: "ok" } }), line({ done: true, done_reason: "stop" }), end());
    const client = ollamaWire.open(settingsFor(server, "ollama"));
    for (const text of [...texts, texts[0] ?? ""])
      expect((await run(client, requestOf(model, { messages: [user(text)] }))).warnings).toEqual([]);
  });

  test("an output limit without output means that the prompt filled the context [P16]", async () => {
    await using server = await modelServer();
    server.reply(stop("length"));
    const { error } = await run(ollamaWire.open(settingsFor(server, "ollama")), request);
    expect(error).toMatchObject({ code: "overflow", retryable: false });
  });
});

describe("failures", () => {
  test.each([
    ["ends", end()],
    ["is reset", cut()],
  ])(
    "a stream that %s before its last line is a retryable network error with what had come [P14]",
    async (_, fault) => {
      await using server = await modelServer();
      const shown = Promise.withResolvers<void>();
      // A reset may overtake what was sent before it: the fault waits until the text was read.
      server.reply(say("half"), hold(shown.promise), fault);
      const client = ollamaWire.open(settingsFor(server, "ollama"));
      const { error, partial } = await run(client, request, signal, () => shown.resolve());
      expect(error).toMatchObject({ code: "network", retryable: true });
      expect(partial).toEqual([{ type: "text", text: "half" }]);
    },
  );

  test("an error in the stream ends it", async () => {
    await using server = await modelServer();
    server.reply(say("half"), streamError("", "llama runner crashed"));
    const { error, partial } = await run(ollamaWire.open(settingsFor(server, "ollama")), request);
    expect(error?.message).toContain("llama runner crashed");
    expect(partial).toEqual([{ type: "text", text: "half" }]);
  });

  test.each([
    [404, 'model "test-model" not found, try pulling it first', "not_found", false, /ollama pull test-model/],
    [400, "test-model does not support tools", "invalid", false, /ollama show/],
    [500, "model requires more system memory (9 GiB) than is available (4 GiB)", "invalid", false, /smaller/],
    [400, "prompt too long; exceeded max context length by 12 tokens", "overflow", false, /./],
    [503, "server busy, please try again", "overloaded", true, undefined],
  ] as const)("status %p with %p is %p", async (status, message, code, retryable, hint) => {
    await using server = await modelServer();
    server.reply(fail(status, { body: { error: message } }));
    const { error } = await run(ollamaWire.open(settingsFor(server, "ollama")), request);
    expect(error).toMatchObject({ code, retryable, status });
    if (hint) expect(error?.hint).toMatch(hint);
  });

  test("an Ollama that does not run is named with its address and not asked again", async () => {
    const server = await modelServer();
    const settings = settingsFor(server, "ollama");
    await server[Symbol.asyncDispose]();
    const { error } = await run(ollamaWire.open(settings), request);
    expect(error).toMatchObject({
      code: "network",
      retryable: false,
      hint: expect.stringContaining("ollama serve"),
    });
    expect(error?.message).toContain(settings.baseUrl);
  });
});

describe("beside the answers", () => {
  test("models are listed with their context and skills", async () => {
    await using server = await modelServer();
    const models = await ollamaWire.listModels(settingsFor(server, "ollama"), signal);
    expect(models).toEqual([
      { id: "test-model", contextWindow: 200_000, reasoning: true, images: true },
      { id: "small-model", contextWindow: 8_192, reasoning: false, images: false },
    ]);
    expect(await localOllamaModels(server.url, fetch)).toEqual(["test-model", "small-model"]);
  });

  test("a service that does not answer what it knows of a model does not hold up the request [P11]", async () => {
    await using server = await modelServer();
    const never: FetchLike = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    expect(await showModel(settingsFor(server, "ollama", { fetch: never }), "m", signal, 1)).toEqual({});
  });

  test("a running Ollama is detected, nothing and something else are not", async () => {
    await using server = await modelServer();
    expect(await detectOllama(server.url, fetch, signal)).toBe(true);
    expect(await detectOllama(server.url, async () => new Response("<html>"), signal)).toBe(false);
    expect(await detectOllama(`${server.url}/elsewhere`, async () => Response.json({}), signal)).toBe(false);
    const refused = async () => Promise.reject(new Error("refused"));
    expect(await detectOllama(server.url, refused, signal)).toBe(false);
    expect(await localOllamaModels(server.url, refused)).toBeNull();
  });
});
