import { expect, test } from "bun:test";
import { bytes, call, end, fail, modelServer, say, think } from "@pi-ts/testkit";
import type { AssistantMessage, Message } from "../../contract/messages.ts";
import {
  answerOf,
  captured,
  modelOf,
  pixel,
  requestOf,
  results,
  settingsFor,
  user,
} from "../shared/test-support/wire-run.ts";
import { geminiWire } from "./client.ts";

const model = modelOf("gemini", { id: "gemini-3-pro" });
const request = requestOf(model);
const event = (fields: object) => bytes(`data: ${JSON.stringify(fields)}\r\n\r\n`);
const parts = (...list: object[]) => event({ candidates: [{ content: { role: "model", parts: list } }] });
const FINISH = event({ candidates: [{ finishReason: "STOP" }] });

/** An answer of another model with one call, and its result. */
const foreign: Message[] = (() => {
  const answer: AssistantMessage = {
    role: "assistant",
    source: { provider: "anthropic", wire: "anthropic", model: "claude" },
    parts: [
      { type: "thinking", text: "hm", signature: "secret", opaque: { thoughtSignature: "foreign" } },
      { type: "text", text: "I look.", opaque: { thoughtSignature: "foreign" } },
      {
        type: "tool_call",
        id: "toolu_1",
        name: "bash",
        arguments: { command: "a" },
        opaque: { thoughtSignature: "foreign", id: "x" },
      },
      { type: "tool_call", id: "toolu_2", name: "bash", arguments: { command: "b" } },
    ],
    stop: "tool",
    usage: { input: 1, output: 1, cache_read: 0, cache_write: 0, reasoning: 0, total: 2 },
  };
  return [user("hello"), answer, results(answer, "one", "two")];
})();

test("signatures go back byte for byte on the very part that had them, also on empty text [P07]", async () => {
  await using server = await modelServer();
  server.reply(
    parts({ text: "thought", thought: true }),
    parts({ text: "a" }, { text: "b" }),
    parts({ text: "c", thoughtSignature: "S1==" }),
    parts({ text: "", thoughtSignature: "S2==" }),
    parts({ functionCall: { id: "f1", name: "bash", args: { command: "a" } }, thoughtSignature: "S3==" }),
    parts({ functionCall: { name: "bash", args: {} } }),
    FINISH,
    end(),
  );
  const first = await answerOf(geminiWire.open(settingsFor(server, "gemini")), request);
  const { fetch, bodies } = captured(
    'data: {"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}]}\n\n',
  );
  const client = geminiWire.open(settingsFor(server, "gemini", { fetch }));
  await answerOf(client, requestOf(model, { messages: [user("hello"), first, results(first, "x", "y")] }));
  expect(bodies[0]?.["contents"]).toEqual([
    { role: "user", parts: [{ text: "hello" }] },
    {
      role: "model",
      parts: [
        { text: "ab" },
        { text: "c", thoughtSignature: "S1==" },
        { text: "", thoughtSignature: "S2==" },
        { functionCall: { id: "f1", name: "bash", args: { command: "a" } }, thoughtSignature: "S3==" },
        { functionCall: { name: "bash", args: {} } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "f1", name: "bash", response: { output: "x" } } },
        { functionResponse: { name: "bash", response: { output: "y" } } },
      ],
    },
  ]);
});

test("a step of the current turn goes back so that the service takes its signatures [P07]", async () => {
  await using server = await modelServer();
  server.reply(think("hm"), say("I look."), call("bash", { command: "a" }), call("bash", { command: "b" }));
  server.reply(think("hm"), call("bash", { command: "c" }));
  server.reply(say("done"));
  const client = geminiWire.open(settingsFor(server, "gemini"));
  const messages: Message[] = [user("hello")];
  for (const texts of [["1", "2"], ["3"]]) {
    const answer = await answerOf(client, requestOf(model, { messages }));
    messages.push(answer, results(answer, ...texts));
  }
  await answerOf(client, requestOf(model, { messages }));
  expect(server.request(3).results.map((result) => result.text)).toEqual(["1", "2", "3"]);
});

test("a refused signature does not end the conversation: the history goes on without its signatures [P07]", async () => {
  await using server = await modelServer();
  const message = "contents[1].parts[0]: Corrupted thought signature.";
  server
    .when(/not taken/)
    .reply(fail(400, { body: { error: { code: 400, status: "INVALID_ARGUMENT", message } } }));
  server.reply(
    parts({ functionCall: { id: "f1", name: "bash", args: {} }, thoughtSignature: "not taken" }),
    FINISH,
    end(),
  );
  server.reply(call("bash", { command: "b" }));
  server.reply(say("done"));
  const client = geminiWire.open(settingsFor(server, "gemini"));
  const messages: Message[] = [user("hello")];
  for (const text of ["1", "2"]) {
    const answer = await answerOf(client, requestOf(model, { messages }));
    messages.push(answer, results(answer, text));
  }
  await answerOf(client, requestOf(model, { messages }));
  expect(server.requests.length).toBe(4);
  expect(server.request(4).text).not.toContain("not taken");
  expect(server.request(4).field("contents", 3, "parts", 0, "thoughtSignature")).not.toBe(
    "skip_thought_signature_validator",
  );
});

test("another model's signatures and thoughts are dropped, its calls carry the documented stand-in [P07]", async () => {
  await using server = await modelServer();
  server.reply(say("done"));
  await answerOf(geminiWire.open(settingsFor(server, "gemini")), requestOf(model, { messages: foreign }));
  expect(server.request(1).text).not.toContain("foreign");
  expect(server.request(1).field("contents", 1, "parts")).toEqual([
    { text: "I look." },
    {
      functionCall: { id: "toolu_1", name: "bash", args: { command: "a" } },
      thoughtSignature: "skip_thought_signature_validator",
    },
    { functionCall: { id: "toolu_2", name: "bash", args: { command: "b" } } },
  ]);
});

test("a model before 3 gets no stand-in and its images after the results [P07]", async () => {
  await using server = await modelServer();
  server.reply(say("done"));
  const withImage = structuredClone(foreign);
  const last = withImage.at(-1);
  if (last?.role === "tool") last.parts[0]?.content.push({ ...pixel });
  const old = modelOf("gemini", { id: "gemini-2.5-pro" });
  await answerOf(geminiWire.open(settingsFor(server, "gemini")), requestOf(old, { messages: withImage }));
  const sent = server.request(1);
  expect(sent.text).not.toContain("thoughtSignature");
  expect(sent.results.map((result) => result.images.length)).toEqual([0, 0]);
  expect(sent.userImages).toEqual([{ mimeType: pixel.mimeType, data: pixel.data }]);
});

test("a model from 3 on gets images inside of the result, and failures as errors", async () => {
  await using server = await modelServer();
  server.reply(say("done"));
  const withImage = structuredClone(foreign);
  const last = withImage.at(-1);
  if (last?.role !== "tool") throw new Error("no results");
  last.parts[0]?.content.push({ ...pixel });
  if (last.parts[1]) last.parts[1].isError = true;
  await answerOf(geminiWire.open(settingsFor(server, "gemini")), requestOf(model, { messages: withImage }));
  expect(server.request(1).results).toMatchObject([
    { text: "one", isError: false, images: [{ mimeType: pixel.mimeType, data: pixel.data }] },
    { text: "two", isError: true, images: [] },
  ]);
});

test("parallel calls without ids and with equal ids are paired by order [P09]", async () => {
  await using server = await modelServer();
  const made = (id?: string) => ({ functionCall: { ...(id && { id }), name: "bash", args: {} } });
  server.reply(parts(made(), made()), parts(made("same"), made("same")), FINISH, end());
  server.reply(say("done"));
  const client = geminiWire.open(settingsFor(server, "gemini"));
  const first = await answerOf(client, request);
  expect(new Set(first.parts.map((part) => part.type === "tool_call" && part.id)).size).toBe(4);
  expect(first.stop).toBe("tool");
  await answerOf(
    client,
    requestOf(model, { messages: [user("x"), first, results(first, "1", "2", "3", "4")] }),
  );
  const sent = server.request(2);
  expect(sent.results.map((result) => result.text)).toEqual(["1", "2", "3", "4"]);
  expect(sent.results.map((result) => result.id)).toEqual(sent.calls.map((item) => item.id));
});
