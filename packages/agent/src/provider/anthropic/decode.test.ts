import { expect, test } from "bun:test";
import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import { callIds } from "../shared/call-ids.ts";
import { END_OF_BODY, MessagesReader } from "./decode.ts";

const source = { provider: "test", wire: "anthropic", model: "m" } as const;

function read(...events: unknown[]) {
  const answer = new MessagesReader(source, callIds([]), { provider: "test", secrets: [], now: 0 });
  const shown = events.flatMap((event) => answer.take(event as RawMessageStreamEvent));
  return { answer, shown };
}

const start = (index: number, block: object) => ({
  type: "content_block_start",
  index,
  content_block: block,
});
const delta = (index: number, inner: object) => ({ type: "content_block_delta", index, delta: inner });
const stopped = (reason: string) => ({
  type: "message_delta",
  delta: { stop_reason: reason },
  usage: { output_tokens: 1 },
});
const over = { type: "message_stop" };

test("unknown events, blocks and deltas are passed over", () => {
  const { answer } = read(
    { type: "something_new", payload: 1 },
    null,
    start(0, { type: "server_tool_use", id: "srv", name: "web" }),
    delta(0, { type: "new_delta", text: "?" }),
    start(1, { type: "text", text: "" }),
    delta(1, { type: "citations_delta", citation: {} }),
    delta(1, { type: "text_delta", text: "ok" }),
    stopped("end_turn"),
    over,
  );
  expect(answer.message().parts).toEqual([{ type: "text", text: "ok" }]);
});

test("a delta without its block's start still counts", () => {
  const { answer } = read(delta(0, { type: "text_delta", text: "hi" }), stopped("end_turn"), over);
  expect(answer.message().parts).toEqual([{ type: "text", text: "hi" }]);
});

test("arguments that stand whole in the block's start are taken", () => {
  const { answer } = read(
    start(0, { type: "tool_use", id: "a", name: "bash", input: { command: "ls" } }),
    stopped("tool_use"),
    over,
  );
  expect(answer.message().parts).toMatchObject([{ arguments: { command: "ls" } }]);
});

test("calls whose fragments are interleaved by index keep their own arguments [P09]", () => {
  const { answer } = read(
    start(0, { type: "tool_use", id: "a", name: "bash", input: {} }),
    start(1, { type: "tool_use", id: "b", name: "bash", input: {} }),
    delta(1, { type: "input_json_delta", partial_json: '{"command":' }),
    delta(0, { type: "input_json_delta", partial_json: '{"command":"one"}' }),
    delta(1, { type: "input_json_delta", partial_json: '"two"}' }),
    stopped("tool_use"),
    over,
  );
  expect(answer.message().parts).toMatchObject([
    { id: "a", arguments: { command: "one" } },
    { id: "b", arguments: { command: "two" } },
  ]);
});

test("a call without end_turn's agreement still stops with `tool`, and `tool_use` without a call ends", () => {
  const called = read(
    start(0, { type: "tool_use", id: "a", name: "bash", input: {} }),
    stopped("end_turn"),
    over,
  );
  expect(called.answer.message().stop).toBe("tool");
  const none = read(start(0, { type: "text", text: "x" }), stopped("tool_use"), over);
  expect(none.answer.message().stop).toBe("end");
});

test("a name with spaces around it is trimmed, since no service takes it back [P01]", () => {
  const { answer } = read(start(0, { type: "tool_use", id: "a", name: " bash ", input: {} }), over);
  expect(answer.message().parts).toMatchObject([{ name: "bash" }]);
});

test("later nulls in the usage leave the earlier counts", () => {
  const { answer } = read(
    {
      type: "message_start",
      message: { usage: { input_tokens: 5, cache_read_input_tokens: 9, output_tokens: 1 } },
    },
    {
      type: "message_delta",
      delta: {},
      usage: { input_tokens: null, cache_read_input_tokens: null, output_tokens: 4 },
    },
    over,
  );
  expect(answer.usage()).toMatchObject({ input: 5, cache_read: 9, output: 4, total: 18 });
});

test("a call that was still open when the stream failed is marked as cut [P06][P14]", () => {
  const { answer } = read(
    start(0, { type: "tool_use", id: "a", name: "bash", input: {} }),
    delta(0, { type: "input_json_delta", partial_json: '{"command":"ls"}' }),
  );
  expect(answer.partial()).toMatchObject([{ arguments: {}, problem: { kind: "cut" } }]);
});

test("an error event sets the failure and no text", () => {
  const { answer, shown } = read({ type: "error", error: { type: "api_error", message: "boom" } });
  expect(answer.failure?.message).toContain("boom");
  expect(shown).toEqual([]);
});

test("pings give no sign of life, contents do [P05]", () => {
  const { shown } = read({ type: "ping" }, start(0, { type: "redacted_thinking", data: "x" }));
  expect(shown).toEqual([{ type: "activity" }]);
});

test("a body that closes behind the stop reason held the whole answer, one that closes before it did not [P14]", () => {
  const call = start(0, { type: "tool_use", id: "a", name: "bash", input: { command: "ls" } });
  const whole = read(call, { type: "content_block_stop", index: 0 }, stopped("tool_use"), END_OF_BODY).answer;
  expect(whole.complete).toBe(true);
  expect(whole.message()).toMatchObject({ stop: "tool", parts: [{ arguments: { command: "ls" } }] });
  expect(read(call, { type: "content_block_stop", index: 0 }, END_OF_BODY).answer.complete).toBe(false);
});
