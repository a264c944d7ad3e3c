import { expect, test } from "bun:test";
import { bytes, end, modelServer, rawCall, say, stop, think } from "@pi-ts/testkit";
import {
  answerOf,
  modelOf,
  requestOf,
  results,
  run,
  settingsFor,
  user,
} from "../shared/test-support/wire-run.ts";
import { geminiWire } from "./client.ts";

const model = modelOf("gemini", { id: "gemini-3-pro" });
const request = requestOf(model);
const event = (fields: object) => bytes(`data: ${JSON.stringify(fields)}\r\n\r\n`);
const parts = (...list: object[]) => event({ candidates: [{ content: { role: "model", parts: list } }] });

test("an event behind a comment is read, unknown fields and parts change nothing", async () => {
  await using server = await modelServer();
  server.reply(
    bytes(
      `: wait\r\ndata: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: "a", x: 1 }] } }], y: 2 })}\r\n\r\n`,
    ),
    parts({ executableCode: { code: "1" } }),
    event({
      candidates: [{ finishReason: "STOP" }],
      usageMetadata: {
        promptTokenCount: 10,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 3,
        thoughtsTokenCount: 2,
      },
    }),
    end(),
  );
  const message = await answerOf(geminiWire.open(settingsFor(server, "gemini")), request);
  expect(message.parts).toEqual([{ type: "text", text: "a" }]);
  expect(message.usage).toEqual({
    input: 6,
    output: 5,
    cache_read: 4,
    cache_write: 0,
    reasoning: 2,
    total: 15,
  });
});

test.each([
  ["MAX_TOKENS", "length"],
  ["SAFETY", "filtered"],
  ["RECITATION", "filtered"],
  ["SOMETHING_NEW", "end"],
])("text that ends with %s stops as %s", async (reason, stopped) => {
  await using server = await modelServer();
  server.reply(say("hi"), stop(reason));
  expect((await answerOf(geminiWire.open(settingsFor(server, "gemini")), request)).stop as string).toBe(
    stopped,
  );
});

test("a call that the service could not read becomes a call with a problem, and the next request is valid [P01]", async () => {
  await using server = await modelServer();
  server.reply(rawCall("bash", '{"command": "ls'));
  server.reply(say("ok"));
  const client = geminiWire.open(settingsFor(server, "gemini"));
  const first = await answerOf(client, request);
  expect(first).toMatchObject({
    stop: "tool",
    parts: [{ name: "bash", arguments: {}, problem: { kind: "malformed", raw: '{"command": "ls' } }],
  });
  await answerOf(client, requestOf(model, { messages: [user("x"), first, results(first, "bad arguments")] }));
});

test("no text and no call, or a fault without a known tool, is worth a new try", async () => {
  await using server = await modelServer();
  server.reply(think("hm"));
  server.reply(
    event({ candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: "print(nothing)" }] }),
    end(),
  );
  const client = geminiWire.open(settingsFor(server, "gemini"));
  for (const _ of [1, 2])
    expect((await run(client, request)).error).toMatchObject({ code: "unknown", retryable: true });
});
