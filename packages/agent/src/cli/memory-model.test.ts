import { expect, test } from "bun:test";
import { PiError } from "../contract/errors.ts";
import type { ModelClient, ModelEvent, ModelRequest } from "../contract/model.ts";
import { memoryModel } from "./memory-model.ts";
import type { ChosenModel } from "./run-setup.ts";

const USAGE = { input: 70, output: 8, cache_read: 20, cache_write: 10, reasoning: 0, total: 108 };

/** A model whose stream is these events, with what it was asked and what was reserved and settled of the day. */
function model(events: readonly object[], { full = false } = {}) {
  const asked: ModelRequest[] = [];
  const day: unknown[] = [];
  let chosen = 0;
  const client = {
    async *stream(request: ModelRequest) {
      asked.push(request);
      yield* events as ModelEvent[];
    },
  } as unknown as ModelClient;
  const small = memoryModel({
    choose: async () => {
      chosen++;
      return { model: { id: "small" }, client, secret: null } as unknown as ChosenModel;
    },
    budget: () => ({
      reserve(tokens) {
        if (full) throw new PiError({ code: "daily_limit", message: "the day is full" });
        day.push(tokens);
        return { settle: (used) => day.push(used) };
      },
    }),
    onUsage: (tokens) => day.push(`told ${tokens}`),
  });
  const complete = (prompt = "x".repeat(300)) =>
    small.complete(prompt, { maxTokens: 50, signal: new AbortController().signal });
  return { complete, asked, day, chosen: () => chosen };
}

const answer = { type: "end", message: { parts: [{ type: "text", text: "short" }], usage: USAGE } };

test("the small model is asked without tools and thinking, and all of it is counted in the day's tokens [R05][Q03]", async () => {
  const { complete, asked, day, chosen } = model([answer]);
  expect(await complete()).toBe("short");
  await complete();
  expect(chosen()).toBe(1);
  expect(asked[0]).toMatchObject({ tools: [], thinking: "off", maxOutput: 50 });
  expect(day.slice(0, 3)).toEqual([150, { input: 100, output: 8, requests: 1 }, "told 108"]);
});

test("above the day's limit no request is made [R05][Q03]", async () => {
  const { complete, asked } = model([answer], { full: true });
  await expect(complete()).rejects.toThrow("the day is full");
  expect(asked).toEqual([]);
});

test("a request that fails says why, and what it took is settled [R05]", async () => {
  const { complete, day } = model([
    { type: "error", error: { code: "rate_limit", message: "too many requests" } },
  ]);
  expect(await complete().catch((error: Error) => error.message)).toBe("too many requests");
  expect(day).toEqual([150, { input: 0, output: 0, requests: 1 }, "told 0"]);
});

test("a stream that ends without an answer is a failure, not an empty note [R05]", async () => {
  expect(
    await model([])
      .complete()
      .catch((error: Error) => error.message),
  ).toBe("the small model gave no answer");
});
