import { expect, test } from "bun:test";
import type { ResponseStreamEvent } from "openai/resources/responses/responses";
import { callIds } from "../shared/call-ids.ts";
import { ResponsesReader } from "./decode.ts";

const source = { provider: "test", wire: "openai-responses", model: "m" } as const;

function read(...events: object[]) {
  const answer = new ResponsesReader(source, callIds([]), { provider: "test", secrets: [], now: 0 });
  const shown = events.flatMap((event) => answer.take(event as ResponseStreamEvent));
  const text = shown.map((event) => (event.type === "text_delta" ? event.delta : "")).join("");
  return { answer, shown, text };
}

const completed = (more: object = {}) => ({
  type: "response.completed",
  response: { status: "completed", output: [], ...more },
});
const message = (text: string, more: object = {}) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
  ...more,
});
const call = (id: string, args: string) => ({
  id: `fc_${id}`,
  type: "function_call",
  call_id: id,
  name: "bash",
  arguments: args,
});

test("unknown events and items are passed over", () => {
  const { answer } = read(
    { type: "response.brand_new.delta", delta: "?" },
    { type: "response.output_item.added", output_index: 0, item: { type: "web_search_call", id: "ws" } },
    { type: "response.output_text.delta", output_index: 1, delta: "ok" },
    completed(),
  );
  expect(answer.message().parts).toEqual([{ type: "text", text: "ok" }]);
});

test("events without an output index are told apart by their item's id", () => {
  const { answer } = read(
    { type: "response.output_item.added", item: call("a", "") },
    { type: "response.output_item.added", item: call("b", "") },
    { type: "response.function_call_arguments.delta", item_id: "fc_b", delta: '{"command":"two"}' },
    { type: "response.function_call_arguments.delta", item_id: "fc_a", delta: '{"command":"one"}' },
    completed(),
  );
  expect(answer.message().parts).toMatchObject([
    { id: "a", arguments: { command: "one" } },
    { id: "b", arguments: { command: "two" } },
  ]);
});

test("items that all have one output index are told apart by id, kind and call [P09]", () => {
  const at = { output_index: 0 };
  const { answer, text } = read(
    { type: "response.output_text.delta", ...at, item_id: "msg_1", delta: "I look." },
    { type: "response.output_item.done", ...at, item: message("I look.") },
    { type: "response.output_item.added", ...at, item: call("a", "") },
    { type: "response.output_item.added", ...at, item: call("b", "") },
    { type: "response.function_call_arguments.delta", ...at, item_id: "fc_a", delta: '{"command":"one"}' },
    { type: "response.output_item.done", ...at, item: call("b", '{"command":"two"}') },
    { type: "response.output_item.done", ...at, item: call("a", '{"command":"one"}') },
    { type: "response.output_item.done", ...at, item: call("c", '{"command":"three"}') },
    { type: "response.output_item.done", ...at, item: message("Then that.", { id: "msg_2" }) },
    completed(),
  );
  expect(text).toBe("I look.Then that.");
  expect(answer.message().parts).toMatchObject([
    { text: "I look." },
    { id: "a", arguments: { command: "one" } },
    { id: "b", arguments: { command: "two" } },
    { id: "c", arguments: { command: "three" } },
    { text: "Then that." },
  ]);
});

test("an item whose id is another one in each event is one item", () => {
  const { answer } = read(
    { type: "response.output_item.added", output_index: 0, item: call("a", "") },
    {
      type: "response.function_call_arguments.delta",
      output_index: 0,
      item_id: "x1",
      delta: '{"command":"one"}',
    },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { ...call("a", '{"command":"one"}'), id: "x2" },
    },
    completed(),
  );
  expect(answer.message().parts).toMatchObject([{ id: "a", arguments: { command: "one" } }]);
});

test("events with neither index nor id go to the newest item of their kind", () => {
  const { answer, text } = read(
    { type: "response.output_text.delta", delta: "a" },
    { type: "response.output_text.delta", delta: "b" },
    { type: "response.function_call_arguments.delta", delta: '{"command":' },
    { type: "response.function_call_arguments.delta", delta: '"x"}' },
    completed(),
  );
  expect(text).toBe("ab");
  expect(answer.message().parts).toMatchObject([{ text: "ab" }, { arguments: { command: "x" } }]);
});

test("an answer that stands only in the last event is shown and kept", () => {
  const { answer, text } = read(
    completed({ output: [message("all at once"), call("a", '{"command":"x"}')] }),
  );
  expect(text).toBe("all at once");
  expect(answer.message()).toMatchObject({
    stop: "tool",
    parts: [{ text: "all at once" }, { id: "a", arguments: { command: "x" } }],
  });
});

test("text that was streamed is not shown again by the events that repeat it [P14]", () => {
  const { answer, text } = read(
    { type: "response.output_item.added", output_index: 0, item: message("", { content: [] }) },
    { type: "response.output_text.delta", output_index: 0, item_id: "msg_1", delta: "once" },
    { type: "response.output_item.done", output_index: 0, item: message("once") },
    completed({ output: [message("once")] }),
  );
  expect(text).toBe("once");
  expect(answer.message().parts).toHaveLength(1);
});

test("encrypted content that comes only with the last event is taken from there [P07]", () => {
  const item = { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] };
  const { answer } = read(
    { type: "response.output_item.done", output_index: 0, item },
    completed({ output: [{ ...item, encrypted_content: "enc" }] }),
  );
  expect(answer.message().parts).toMatchObject([{ text: "hm", opaque: { encrypted_content: "enc" } }]);
});

test("parts of a summary are paragraphs", () => {
  const { answer } = read(
    { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: "one" },
    { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 1, delta: "two" },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { id: "rs_1", type: "reasoning", summary: [] },
    },
    completed(),
  );
  expect(answer.message().parts).toMatchObject([{ type: "thinking", text: "one\n\ntwo" }]);
});

test("reasoning that was not finished is dropped [P07]", () => {
  const { answer } = read({
    type: "response.reasoning_summary_text.delta",
    output_index: 0,
    summary_index: 0,
    delta: "half",
  });
  expect(answer.partial()).toEqual([]);
});

test("a refusal is text, and the answer is filtered", () => {
  const { answer, text } = read(
    { type: "response.refusal.delta", output_index: 0, delta: "I will not." },
    completed(),
  );
  expect(text).toBe("I will not.");
  expect(answer.message().stop).toBe("filtered");
});

test("the phase of a message is kept, since it must be sent back", () => {
  const { answer } = read(
    { type: "response.output_item.done", output_index: 0, item: message("x", { phase: "commentary" }) },
    completed(),
  );
  expect(answer.message().parts).toEqual([
    { type: "text", text: "x", opaque: { id: "msg_1", phase: "commentary" } },
  ]);
});

test("argument text that we would write otherwise is kept as the model wrote it [P17]", () => {
  const spaced = '{ "command": "x" }';
  const { answer } = read(
    { type: "response.output_item.done", output_index: 0, item: call("a", spaced) },
    completed(),
  );
  expect(answer.message().parts).toMatchObject([
    { arguments: { command: "x" }, opaque: { arguments: spaced } },
  ]);
});

test("a call whose item was not finished when the limit came is cut [P06]", () => {
  const { answer } = read(
    { type: "response.output_item.added", output_index: 0, item: call("a", "") },
    { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"command":"rm -rf build"}' },
    { type: "response.output_item.added", output_index: 1, item: message("") },
    { type: "response.incomplete", response: { incomplete_details: { reason: "max_output_tokens" } } },
  );
  expect(answer.message()).toMatchObject({
    stop: "length",
    parts: [{ arguments: {}, problem: { kind: "cut" } }],
  });
});

test("an error event without a name of its own is a failure too", () => {
  const { answer } = read({ type: "error", code: "server_error", message: "boom" });
  expect(answer.failure?.message).toContain("boom");
});

test.each([
  ["response.done", "completed", { complete: true, failure: undefined }],
  ["response.completed", "failed", { complete: false, failure: { code: "overloaded", retryable: true } }],
  ["response.done", "failed", { complete: false, failure: { code: "overloaded", retryable: true } }],
])("a last event %s whose response is %s ends the answer as its status says", (type, status, end) => {
  const error = { code: "server_error", message: "it broke" };
  const { answer } = read({ type, response: { status, ...(status === "failed" && { error }) } });
  expect({ complete: answer.complete, failure: answer.failure }).toMatchObject(end);
});
