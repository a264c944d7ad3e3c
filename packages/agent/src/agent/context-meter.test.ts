import { expect, test } from "bun:test";
import type { Message } from "../contract/messages.ts";
import { ContextMeter } from "./context-meter.ts";
import { bench, tool, user } from "./test-support/bench.ts";
import { call, testModel, usage } from "./test-support/fake-model.ts";

const answer = (total: number, more: object = {}): Message => ({
  role: "assistant",
  parts: [{ type: "text", text: "ok" }],
  source: { provider: "test", wire: "anthropic", model: "test-model" },
  stop: "end",
  usage: usage(total, 0),
  ...more,
});

test("the window's use is the last request's input and output, never the sum over rounds [Q02]", async () => {
  const b = bench({ tools: [tool("look")] });
  const used = usage(1_000, 100, { cache_read: 150_000 });
  for (let round = 0; round < 10; round++)
    b.model.script(b.model.end([call(`c${round}`, "look", { x: round })], "tool", used));
  b.model.says("done", used);
  await b.run();
  expect(b.runner.contextTokens()).toBe(151_100);
});

test("messages after the last count are estimated on top of it", () => {
  const meter = new ContextMeter(testModel, "");
  const counted = [user("a"), answer(5_000)];
  const tail = user("word ".repeat(1_000));
  expect(meter.tokens(counted)).toBe(5_000);
  expect(meter.tokens([...counted, tail])).toBeWithin(5_900, 6_600);
});

test("before the first answer system text and tools are part of the estimate", () => {
  const empty = new ContextMeter(testModel, "").tokens([user("a")]);
  expect(new ContextMeter(testModel, "word ".repeat(1_000)).tokens([user("a")])).toBeGreaterThan(empty + 800);
});

test("an unfinished answer and one without a count say nothing of the window", () => {
  const meter = new ContextMeter(testModel, "");
  const messages = [
    user("a"),
    answer(5_000),
    user("b"),
    answer(99_999, { partial: true }),
    user("c"),
    answer(0),
  ];
  expect(meter.tokens(messages)).toBeWithin(5_001, 5_100);
});

test("counts from before a compaction are not believed after it", () => {
  const summary: Message = {
    role: "user",
    origin: "summary",
    parts: [{ type: "text", text: "what happened" }],
  };
  const messages = [summary, answer(150_000), user("go on")];
  expect(new ContextMeter(testModel, "").tokens(messages, 2)).toBeLessThan(100);
  expect(new ContextMeter(testModel, "").tokens([...messages, answer(400)], 3)).toBe(400);
});

test("estimates of a changed history go on from what the service counted for the whole one", () => {
  const meter = new ContextMeter(testModel, "");
  const messages = [user("word ".repeat(1_000)), answer(2_000)];
  meter.settle(messages, 0);
  expect(meter.estimate(messages)).toBeWithin(1_900, 2_001);
});

test("estimates learn from what the service counts, within bounds", () => {
  const text = user("word ".repeat(2_000));
  const plain = new ContextMeter(testModel, "");
  const before = plain.tokens([text]);
  for (let i = 0; i < 20; i++) plain.learn([text], 0, usage(before * 1.3, 0), undefined);
  expect(plain.tokens([text]) / before).toBeWithin(1.28, 1.31);
  for (let i = 0; i < 20; i++) plain.learn([text], 0, usage(before * 50, 0), undefined);
  expect(plain.tokens([text]) / before).toBeLessThanOrEqual(1.61);
});

test("images weigh in, whatever the length of their data", () => {
  const meter = new ContextMeter(testModel, "");
  const image = (data: string): Message => ({
    role: "user",
    origin: "user",
    parts: [{ type: "image", mimeType: "image/png", data }],
  });
  expect(meter.tokens([image("A")])).toBe(meter.tokens([image("A".repeat(100_000))]));
  expect(meter.tokens([image("A")])).toBeGreaterThan(1_000);
});

test("far below a limit, where nothing is estimated, the answer is the one that an estimate gives", () => {
  const texts = [
    "",
    "a",
    "1 ".repeat(400),
    "\n".repeat(400),
    "{};".repeat(300),
    "Ab".repeat(300),
    "字".repeat(300),
    "😀".repeat(300),
  ];
  for (const id of ["claude-sonnet-4-5", "claude-opus-5", "gpt-5.4", "deepseek-v3", "qwen3", "unheard-of"])
    for (const text of texts) {
      const model = { ...testModel, id };
      const messages = [user(text)];
      const tokens = new ContextMeter(model, text).tokens(messages);
      expect(new ContextMeter(model, text).exceeds(tokens, messages)).toBe(false);
      expect(new ContextMeter(model, text).exceeds(tokens - 1, messages)).toBe(true);
    }
});
