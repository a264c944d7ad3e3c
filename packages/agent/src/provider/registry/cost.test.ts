import { expect, test } from "bun:test";
import { noUsage } from "../../contract/messages.ts";
import { priceOf } from "./cost.ts";
import { tableModel, unknownModel } from "./model-table.ts";

const haiku = tableModel("anthropic", "claude-haiku-5-5", "anthropic")!;

test("each class of tokens has its own price", () => {
  const usage = { ...noUsage(), input: 10_000, output: 20_000, cache_read: 30_000, cache_write: 40_000 };
  expect(priceOf(usage, haiku)).toBeCloseTo(0.001 + 0.01 + 0.0003 + 0.005, 10);
});

test("above a tier's bound, cached tokens included, the whole request has the tier's price", () => {
  expect(priceOf({ ...noUsage(), input: 1_000, cache_read: 99_000 }, haiku)).toBeCloseTo(0.00109, 10);
  expect(priceOf({ ...noUsage(), input: 1_001, cache_read: 99_000 }, haiku)).toBeCloseTo(
    0.0005005 + 0.00495,
    10,
  );
});

test("a service without a price for cache writes charges them as input", () => {
  const gpt = tableModel("openai", "gpt-5.1", "openai-responses")!;
  expect(priceOf({ ...noUsage(), cache_write: 1_000_000 }, gpt)).toBe(1.25);
});

test("a free model costs nothing, one without a known price costs an unknown sum", () => {
  const free = tableModel("openrouter", "google/gemma-4-31b-it:free", "openai-chat")!;
  const usage = { ...noUsage(), input: 1_000, output: 1_000, cache_read: 1_000 };
  expect(priceOf(usage, free)).toBe(0);
  expect(priceOf(usage, unknownModel("openai", "x", "openai-responses"))).toBeUndefined();
  expect(priceOf(usage, tableModel("ollama-cloud", "glm-5", "ollama")!)).toBeUndefined();
});
