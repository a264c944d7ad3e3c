import { describe, expect, test } from "bun:test";
import { type Block, bytes, end, modelServer } from "@pi-ts/testkit";
import type { Json } from "../../contract/json.ts";
import type { AssistantMessage, ToolCallPart } from "../../contract/messages.ts";
import { answerOf, modelOf, requestOf, run, settingsFor } from "../shared/test-support/wire-run.ts";
import { openaiChatWire } from "./client.ts";

const request = requestOf(modelOf("openai-chat"));
const DONE = "data: [DONE]\n\n";

/** A chunk with this delta. */
const chunk = (delta: Json, finish: string | null = null, more: object = {}) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;

/** A chunk with these calls. */
const calls = (...items: Json[]) => chunk({ tool_calls: items });

/** What a client makes of a body. */
async function read(...body: string[]) {
  await using server = await modelServer();
  server.reply(...body.map((text): Block => bytes(text)), end());
  return await run(openaiChatWire.open(settingsFor(server, "openai-chat")), request);
}

async function answer(...body: string[]): Promise<AssistantMessage> {
  const { message, error } = await read(...body);
  if (!message) throw new Error(JSON.stringify(error));
  return message;
}

const callsOf = (message: AssistantMessage) =>
  message.parts.filter((part): part is ToolCallPart => part.type === "tool_call");
const argumentsOf = (message: AssistantMessage) => callsOf(message).map((call) => call.arguments);
const three = [{ command: "a" }, { command: "b" }, { command: "c" }];
const whole = (args: Json, fields: object = {}) => ({
  ...fields,
  type: "function",
  function: { name: "bash", arguments: JSON.stringify(args) },
});

describe("calls of compatible servers are told apart [P09][A-PROV-02]", () => {
  const forms: Record<string, Json[]> = {
    "with index 0 for all and an id each": three.map((args, at) => whole(args, { index: 0, id: `c${at}` })),
    "without ids, with index 0 for all": three.map((args) => whole(args, { index: 0 })),
    "without ids and without indexes": three.map((args) => whole(args)),
    "with one id for all, each with its index": three.map((args, index) =>
      whole(args, { index, id: "same" }),
    ),
    "with one id for all and no index": three.map((args) => whole(args, { id: "same" })),
    "with null as id": three.map((args, index) => whole(args, { index, id: null })),
    "with the word null as id": three.map((args, index) => whole(args, { index, id: "null" })),
    "with ids of 200 characters": three.map((args, index) =>
      whole(args, { index, id: `${index}`.repeat(200) }),
    ),
    "with odd characters in ids": three.map((args, index) => whole(args, { index, id: `call|${index}` })),
    "with arguments as an object": three.map((args, index) => ({
      index,
      function: { name: "bash", arguments: args },
    })),
    "without the function level": three.map((args) => ({ name: "bash", arguments: JSON.stringify(args) })),
  };
  test.each(Object.entries(forms))("one chunk each, %s", async (_, items) => {
    const message = await answer(...items.map((item) => calls(item)), chunk({}, "tool_calls"), DONE);
    expect(argumentsOf(message)).toEqual(three);
    expect(message.stop).toBe("tool");
    const ids = callsOf(message).map((call) => call.id);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
  });

  test("all in one chunk, without ids and indexes", async () => {
    const message = await answer(calls(...three.map((args) => whole(args))), chunk({}, "tool_calls"), DONE);
    expect(argumentsOf(message)).toEqual(three);
  });

  test("interleaved by index", async () => {
    const piece = (index: number, text: string) => ({ index, function: { arguments: text } });
    const message = await answer(
      calls({ index: 0, id: "a", function: { name: "bash", arguments: "" } }),
      calls({ index: 1, id: "b", function: { name: "read", arguments: '{"file' } }),
      calls(piece(0, '{"command":')),
      calls(piece(1, '_path":"x"}')),
      calls(piece(0, '"ls"}')),
      chunk({}, "tool_calls"),
      DONE,
    );
    expect(callsOf(message).map(({ id, name, arguments: args }) => ({ id, name, args }))).toEqual([
      { id: "a", name: "bash", args: { command: "ls" } },
      { id: "b", name: "read", args: { file_path: "x" } },
    ]);
  });

  test.each([
    ["the id and name with each piece", { id: "a", name: "bash" }],
    ["the name with each piece and no id", { name: "bash" }],
  ])("in pieces that repeat %s", async (_, { id, name }: { id?: string; name: string }) => {
    const piece = (text: string) => ({ ...(id && { id }), index: 0, function: { name, arguments: text } });
    const message = await answer(
      ...['{"com', 'mand":"echo {}', " '}'\"", "}"].map((text) => calls(piece(text))),
      calls(piece('{"command":"b"}')),
      chunk({}, "tool_calls"),
      DONE,
    );
    expect(argumentsOf(message)).toEqual([{ command: "echo {} '}'" }, { command: "b" }]);
  });

  test("in pieces with a new id each and the name only at the beginning", async () => {
    const message = await answer(
      calls({ id: "r1", function: { name: "bash", arguments: '{"command":' } }),
      calls({ id: "r2", function: { arguments: '"ls"' } }),
      calls({ id: "r3", function: { arguments: "}" } }),
      chunk({}, "tool_calls"),
      DONE,
    );
    expect(argumentsOf(message)).toEqual([{ command: "ls" }]);
  });

  test("in the old function_call form", async () => {
    const message = await answer(
      chunk({ function_call: { name: "bash", arguments: '{"command":' } }),
      chunk({ function_call: { arguments: '"ls"}' } }),
      chunk({}, "function_call"),
      DONE,
    );
    expect(argumentsOf(message)).toEqual([{ command: "ls" }]);
    expect(message.stop).toBe("tool");
  });

  test("with null or nothing as arguments, which means none", async () => {
    const message = await answer(
      calls({ index: 0, id: "a", function: { name: "bash", arguments: null } }),
      calls({ index: 1, id: "b", function: { name: "bash" } }),
      chunk({}, "tool_calls"),
      DONE,
    );
    expect(argumentsOf(message)).toEqual([{}, {}]);
    expect(callsOf(message).map((call) => call.problem)).toEqual([undefined, undefined]);
  });
});

describe("the end of an answer", () => {
  test.each(["stop", "end", "eos", "tool_calls", "something_new"])(
    "an answer with calls that ends with %s wants them run",
    async (reason) => {
      expect((await answer(calls(whole({}, { id: "a" })), chunk({}, reason), DONE)).stop).toBe("tool");
    },
  );

  test.each([
    ["stop", "end"],
    ["end_turn", "end"],
    ["tool_calls", "end"],
    ["length", "length"],
    ["model_length", "length"],
    ["content_filter", "filtered"],
  ])("text that ends with %s stops as %s", async (reason, stop) => {
    expect((await answer(chunk({ content: "hi" }), chunk({}, reason), DONE)).stop as string).toBe(stop);
  });

  test("the closing mark alone ends text and calls that have no finish reason", async () => {
    expect((await answer(chunk({ content: "hi" }), DONE)).stop).toBe("end");
    expect((await answer(calls(whole({}, { id: "a" })), DONE)).stop).toBe("tool");
  });

  test("a finish reason is enough where the closing mark is missing", async () => {
    expect((await answer(chunk({ content: "hi" }), chunk({}, "stop"))).stop).toBe("end");
  });

  test("a body that ends without either is a retryable network error with what had come [P14]", async () => {
    const { error, partial } = await read(chunk({ content: "half" }));
    expect(error).toMatchObject({ code: "network", retryable: true });
    expect(partial).toEqual([{ type: "text", text: "half" }]);
  });

  test("a refusal is shown and stops as filtered", async () => {
    const message = await answer(chunk({ refusal: "I cannot." }), chunk({}, "stop"), DONE);
    expect(message).toMatchObject({ stop: "filtered", parts: [{ type: "text", text: "I cannot." }] });
  });

  test.each(["error", "network_error", "insufficient_system_resource"])(
    "the finish reason %s is a failure worth a new try",
    async (reason) => {
      const { error } = await read(chunk({ content: "half" }), chunk({}, reason), DONE);
      expect(error).toMatchObject({ code: "overloaded", retryable: true });
    },
  );

  test("an output limit without any output is an overflow [P16]", async () => {
    const usage = { prompt_tokens: 9000, completion_tokens: 0 };
    const { error } = await read(chunk({}, "length", { usage }), DONE);
    expect(error).toMatchObject({ code: "overflow", retryable: false });
  });
});

describe("usage is found wherever a server puts it", () => {
  const counts = { prompt_tokens: 100, completion_tokens: 7 };
  const places: Record<string, string> = {
    "on the last chunk, without choices": `data: ${JSON.stringify({ choices: [], usage: counts })}\n\n`,
    "on a chunk without a list of choices": `data: ${JSON.stringify({ usage: counts })}\n\n`,
    "on a choice": `data: ${JSON.stringify({ choices: [{ delta: {}, usage: counts }] })}\n\n`,
    "under x_groq": `data: ${JSON.stringify({ choices: [], x_groq: { usage: counts } })}\n\n`,
    "on each chunk, the last one counting": `${chunk({}, null, { usage: { ...counts, completion_tokens: 1 } })}${chunk({}, null, { usage: counts })}`,
  };
  test.each(Object.entries(places))("%s", async (_, body) => {
    const { usage } = await answer(chunk({ content: "hi" }), chunk({}, "stop"), body, DONE);
    expect(usage).toEqual({ input: 100, output: 7, cache_read: 0, cache_write: 0, reasoning: 0, total: 107 });
  });

  test.each([
    ["OpenAI", { prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 } }, 60, 10],
    ["DeepSeek", { prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 }, 60, 0],
    ["Moonshot", { cached_tokens: 60 }, 60, 0],
    ["nulls", { prompt_tokens_details: null, completion_tokens_details: null }, 0, 0],
  ])("cached tokens as %s tells them are no plain input", async (_, more, read, write) => {
    const usage = { ...counts, ...more, completion_tokens_details: { reasoning_tokens: 3 } };
    const message = await answer(chunk({ content: "hi" }, "stop", { usage }), DONE);
    expect(message.usage).toEqual({
      input: 100 - read - write,
      output: 7,
      cache_read: read,
      cache_write: write,
      reasoning: 3,
      total: 107,
    });
  });
});

describe("framing", () => {
  test("comments, CRLF, data without a space, empty deltas and unknown fields change nothing", async () => {
    const message = await answer(
      ": OPENROUTER PROCESSING\r\n\r\n",
      `data:${JSON.stringify({ choices: [{ delta: { content: "a", x: 1 }, y: 2 }], z: 3 })}\r\n\r\n`,
      chunk({}),
      'data: {"id":"x"}\n\n',
      chunk({ content: "b" }),
      chunk({}, "stop"),
      DONE,
    );
    expect(message.parts).toEqual([{ type: "text", text: "ab" }]);
  });

  test("events without an empty line between them are still two", async () => {
    const message = await answer(
      chunk({ content: "a" }).trimEnd(),
      "\n",
      chunk({ content: "b" }, "stop"),
      DONE,
    );
    expect(message.parts).toEqual([{ type: "text", text: "ab" }]);
  });

  test("keep-alives and empty deltas are no activity [P05]", async () => {
    const { events } = await read(
      ": wait\n\n",
      chunk({}),
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "a" }, "stop"),
      DONE,
    );
    expect(events.map((event) => event.type)).toEqual(["text_delta", "end"]);
  });

  test("a server that does not stream is read all the same", async () => {
    const settings = {
      baseUrl: "http://127.0.0.1:9/v1",
      fetch: async () =>
        Response.json({ choices: [{ message: { content: "whole" }, finish_reason: "stop" }] }),
    };
    await using server = await modelServer();
    const client = openaiChatWire.open(settingsFor(server, "openai-chat", settings));
    expect((await answerOf(client, request)).parts).toEqual([{ type: "text", text: "whole" }]);
  });
});
