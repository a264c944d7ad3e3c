import { expect, test } from "bun:test";
import type { ModelServer } from "@pi-ts/testkit";
import {
  bytes,
  call,
  comment,
  hang,
  modelServer,
  rawCall,
  redacted,
  say,
  stop,
  streamError,
  think,
  usage,
} from "@pi-ts/testkit";
import { modelOf, requestOf, run, settingsFor } from "../shared/test-support/wire-run.ts";
import { openaiResponsesWire } from "./client.ts";

const model = modelOf("openai-responses", { id: "gpt-5.5" });
const ask = (server: ModelServer, signal?: AbortSignal) =>
  run(openaiResponsesWire.open(settingsFor(server, "openai-responses")), requestOf(model), signal);

test("text arrives as deltas whose joined text is the message's [A-PROV-02][A-PROV-05]", async () => {
  await using server = await modelServer();
  server.reply(comment("hello"), say(["Hel", "lo ", "there"]));
  const { message, shown } = await ask(server);
  expect(shown).toBe("Hello there");
  expect(message?.parts).toMatchObject([
    { type: "text", text: "Hello there", opaque: { id: expect.stringMatching(/^msg_/) } },
  ]);
  expect(message).toMatchObject({
    stop: "end",
    source: { provider: "test", wire: "openai-responses", model: "gpt-5.5" },
  });
});

test("calls keep their order, ids and arguments, and stop with `tool` [P09]", async () => {
  await using server = await modelServer();
  server.reply(
    call("bash", { command: "one" }, { id: "call_a" }),
    call("bash", { command: "two" }, { id: "call_b" }),
  );
  const { message } = await ask(server);
  expect(message?.parts).toMatchObject([
    {
      type: "tool_call",
      id: "call_a",
      name: "bash",
      arguments: { command: "one" },
      opaque: { id: expect.stringMatching(/^fc_/) },
    },
    { type: "tool_call", id: "call_b", name: "bash", arguments: { command: "two" } },
  ]);
  expect(message?.stop).toBe("tool");
});

test("equal, odd and overlong call ids are replaced by unique ones of ours [P09]", async () => {
  await using server = await modelServer();
  const odd = ["same", "same", "a|b", "x".repeat(200), ""];
  server.reply(...odd.map((id, index) => call("bash", { command: String(index) }, { id })));
  const { message } = await ask(server);
  const calls = message?.parts.filter((part) => part.type === "tool_call") ?? [];
  expect(calls.map((part) => part.arguments["command"])).toEqual(["0", "1", "2", "3", "4"]);
  expect(new Set(calls.map((part) => part.id)).size).toBe(5);
  for (const { id } of calls) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
});

test("broken arguments become a problem, not a call, and an empty text is an empty object [P01]", async () => {
  await using server = await modelServer();
  server.reply(rawCall("bash", '{"command": "ls",}'), rawCall("bash", ""));
  const { message } = await ask(server);
  expect(message?.parts[0]).toMatchObject({
    arguments: {},
    problem: { kind: "malformed", message: expect.stringContaining("position 17") },
  });
  expect(message?.parts[1]).toMatchObject({ arguments: {} });
  expect(message?.parts[1]).not.toHaveProperty("problem");
});

test("a content filter stops with `filtered`", async () => {
  await using server = await modelServer();
  server.reply(say("well"), stop("filtered"));
  expect((await ask(server)).message?.stop).toBe("filtered");
});

test("reasoning keeps its whole item, also one without a summary [P07]", async () => {
  await using server = await modelServer();
  server.reply(think(["Let me ", "see"], { signature: "enc==" }), redacted("secret=="), say("x"));
  const { message, events } = await ask(server);
  expect(message?.parts.slice(0, 2)).toMatchObject([
    { type: "thinking", text: "Let me see", opaque: { type: "reasoning", encrypted_content: "enc==" } },
    { type: "thinking", text: "", opaque: { type: "reasoning", encrypted_content: "secret==" } },
  ]);
  expect(events.filter((event) => event.type === "thinking_delta")).toHaveLength(2);
});

test("usage is mapped so that cached tokens are not counted twice", async () => {
  await using server = await modelServer();
  server.reply(say("x"), usage({ input: 10, output: 7, cache_read: 100, cache_write: 20, reasoning: 3 }));
  const { message } = await ask(server);
  expect(message?.usage).toEqual({
    input: 10,
    output: 7,
    cache_read: 100,
    cache_write: 20,
    reasoning: 3,
    total: 137,
  });
});

test.each([
  ["server_error", "overloaded", true],
  ["rate_limit_exceeded", "rate", true],
  ["context_length_exceeded", "overflow", false],
  ["bio_policy", "filtered", false],
  ["insufficient_quota", "quota", false],
])("a response that failed with %s is %s [P16][P14]", async (word, code, retryable) => {
  await using server = await modelServer();
  server.reply(say("half"), streamError(word, "it failed"));
  const { error, partial } = await ask(server);
  expect(error).toMatchObject({
    code: code as "rate",
    retryable,
    message: expect.stringContaining("it failed"),
  });
  expect(partial).toMatchObject([{ text: "half" }]);
});

test("a failure is told at once, even if the service then keeps the connection open [P05]", async () => {
  await using server = await modelServer();
  const failed = {
    type: "response.failed",
    response: { error: { code: "server_error", message: "it failed" } },
  };
  server.reply(say("half"), bytes(`event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`), hang());
  expect((await ask(server)).error).toMatchObject({ code: "overloaded", retryable: true });
  await server.waitForAborted(1);
});
