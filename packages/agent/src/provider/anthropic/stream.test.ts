import { expect, test } from "bun:test";
import type { ModelServer } from "@pi-ts/testkit";
import {
  bytes,
  call,
  end,
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
import { anthropicWire } from "./client.ts";

const model = modelOf("anthropic", { id: "claude-sonnet-4-6" });
const ask = (server: ModelServer, signal?: AbortSignal) =>
  run(anthropicWire.open(settingsFor(server, "anthropic")), requestOf(model), signal);

test("text arrives as deltas whose joined text is the message's [A-PROV-01][A-PROV-05]", async () => {
  await using server = await modelServer();
  server.reply(say(["Hel", "lo ", "there"]));
  const { events, message, shown } = await ask(server);
  expect(events.filter((event) => event.type === "text_delta").map((event) => event.delta)).toEqual([
    "Hel",
    "lo ",
    "there",
  ]);
  expect(message?.parts).toEqual([{ type: "text", text: "Hello there" }]);
  expect(shown).toBe("Hello there");
  expect(message?.stop).toBe("end");
  expect(message?.source).toEqual({ provider: "test", wire: "anthropic", model: "claude-sonnet-4-6" });
});

test("calls keep their order, ids and arguments, and stop with `tool` [P09]", async () => {
  await using server = await modelServer();
  server.reply(
    call("bash", { command: "one" }, { id: "toolu_a" }),
    call("bash", { command: "two" }, { id: "toolu_b" }),
  );
  const { message } = await ask(server);
  expect(message?.parts).toEqual([
    { type: "tool_call", id: "toolu_a", name: "bash", arguments: { command: "one" } },
    { type: "tool_call", id: "toolu_b", name: "bash", arguments: { command: "two" } },
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

test("an empty argument text is an empty object [P01]", async () => {
  await using server = await modelServer();
  server.reply(rawCall("bash", ""));
  const { message } = await ask(server);
  expect(message?.parts).toMatchObject([{ arguments: {} }]);
  expect(message?.parts[0]).not.toHaveProperty("problem");
});

test("broken arguments become a problem that names the position, not a call [P01]", async () => {
  await using server = await modelServer();
  server.reply(rawCall("bash", '{"command": "ls'), say("go on"));
  const { message } = await ask(server);
  expect(message?.parts[0]).toMatchObject({
    arguments: {},
    problem: { kind: "malformed", raw: '{"command": "ls' },
  });
  expect(message?.parts[0]).toMatchObject({ problem: { message: expect.stringContaining("position 15") } });
});

test("a call that is not the last is kept when text hit the limit [P06]", async () => {
  await using server = await modelServer();
  server.reply(call("bash", { command: "whole" }), say("and then I"), stop("length"));
  const { message } = await ask(server);
  expect(message?.parts[0]).toMatchObject({ arguments: { command: "whole" } });
  expect(message?.parts[0]).not.toHaveProperty("problem");
});

test.each([
  ["stop_sequence", "end"],
  ["pause_turn", "end"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "filtered"],
  ["something_new", "end"],
])("the stop reason %s is %s", async (reason, expected) => {
  await using server = await modelServer();
  server.reply(say("x"), stop(reason));
  const { message } = await ask(server);
  expect(message?.stop).toBe(expected as "end");
});

test("a refusal without a word shows the service's explanation", async () => {
  await using server = await modelServer();
  server.reply(stop("filtered"));
  const { message, shown } = await ask(server);
  expect(message?.stop).toBe("filtered");
  expect(shown).toBe("refused by the script");
  expect(message?.parts).toEqual([{ type: "text", text: "refused by the script" }]);
});

test("thinking keeps its signature and redacted data byte for byte [P07]", async () => {
  await using server = await modelServer();
  server.reply(
    think(["Let me ", "see"], { signature: "EqQBsig+/==" }),
    redacted("opaque+/=="),
    call("bash", { command: "ls" }),
  );
  const { message, events } = await ask(server);
  expect(message?.parts.slice(0, 2)).toEqual([
    { type: "thinking", text: "Let me see", signature: "EqQBsig+/==" },
    { type: "thinking", text: "", opaque: { redacted: "opaque+/==" } },
  ]);
  expect(events.filter((event) => event.type === "thinking_delta")).toHaveLength(2);
});

test("thinking that ended before its signature is dropped from the partial answer [P07]", async () => {
  await using server = await modelServer();
  const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  server.reply(
    bytes(
      event({
        type: "content_block_start",
        index: 0,
        content_block: { type: "thinking", thinking: "", signature: "" },
      } as { type: string }),
    ),
    bytes(
      event({
        type: "content_block_delta",
        index: 0,
        delta: { type: "thinking_delta", thinking: "half" },
      } as { type: string }),
    ),
    end(),
  );
  const { error, partial, events } = await ask(server);
  expect(events).toContainEqual({ type: "thinking_delta", delta: "half" });
  expect(error).toMatchObject({ code: "network", retryable: true });
  expect(partial).toEqual([]);
});

test("usage is mapped so that the parts add up to the total", async () => {
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

test("an error inside of the stream is classified by its type and keeps what had arrived [P14]", async () => {
  await using server = await modelServer();
  server.reply(say("half"), streamError("overloaded_error", "Overloaded"));
  const { error, partial } = await ask(server);
  expect(error).toMatchObject({
    code: "overloaded",
    retryable: true,
    message: expect.stringContaining("Overloaded"),
  });
  expect(partial).toEqual([{ type: "text", text: "half" }]);
});

test("a failed stream tells the tokens that it has used so far", async () => {
  await using server = await modelServer();
  server.reply(usage({ input: 40, cache_read: 2, cache_write: 0 }), say("half"), end());
  const { events } = await ask(server);
  expect(events.at(-1)).toMatchObject({ type: "error", usage: { input: 40, cache_read: 2, output: 1 } });
});

test("events that are named beside their data only are read, and a body may close without its last event", async () => {
  await using server = await modelServer();
  const events = [
    ["message_start", { message: { usage: { input_tokens: 1 } } }],
    ["content_block_delta", { index: 0, delta: { type: "text_delta", text: "hello" } }],
    ["message_delta", { delta: { stop_reason: "end_turn" } }],
  ];
  server.reply(
    bytes(events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join("")),
  );
  expect((await ask(server)).message).toMatchObject({ stop: "end", parts: [{ text: "hello" }] });
});
