import { expect, test } from "bun:test";
import type { Message } from "../../contract/messages.ts";
import { noUsage } from "../../contract/messages.ts";
import { callIds } from "./call-ids.ts";

const history = (id: string): Message[] => [
  {
    role: "assistant",
    parts: [{ type: "tool_call", id, name: "bash", arguments: {} }],
    source: { provider: "p", wire: "openai-chat", model: "m" },
    stop: "tool",
    usage: noUsage(),
  },
];

test("a usable id of the service is kept [P09]", () => {
  expect(callIds([]).take("call_abc-1", "seed")).toBe("call_abc-1");
});

test.each([
  ["missing", undefined],
  ["null", null],
  ["the word null", "null"],
  ["empty", ""],
  ["too long", "x".repeat(200)],
  ["with odd characters", "call|1"],
])("an id that is %s is replaced by one that every wire takes [P09]", (_, id) => {
  expect(callIds([]).take(id, "seed")).toMatch(/^call_[a-z0-9]{13}$/);
});

test("an id used before, in this answer or in the history, is never given again [P09]", () => {
  const ids = callIds(history("a"));
  const given = [ids.take("a", "s"), ids.take("b", "s"), ids.take("b", "s"), ids.take("b", "s")];
  expect(new Set([...given, "a"]).size).toBe(5);
});

test("the same answer to the same history gets the same ids, another place gets others [P09]", () => {
  const first = callIds(history("a")).take(undefined, "0 bash {}");
  expect(callIds(history("a")).take(undefined, "0 bash {}")).toBe(first);
  expect(callIds(history("b")).take(undefined, "0 bash {}")).not.toBe(first);
});
