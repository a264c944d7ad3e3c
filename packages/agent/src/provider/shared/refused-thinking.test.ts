import { expect, test } from "bun:test";
import type { ModelError } from "../../contract/model.ts";
import { RefusedThinking } from "./refused-thinking.ts";

const refusal: ModelError = { code: "invalid", message: "stale signature", status: 400, retryable: false };

test("refused thinking is left out of the history so far, and once for each length of it [P07]", () => {
  const thinking = new RefusedThinking(/stale/);
  expect(thinking.learn(refusal, 5)).toBe(true);
  expect(thinking.from).toBe(5);
  expect(thinking.learn(refusal, 5)).toBe(false);
  expect(thinking.learn(refusal, 7)).toBe(true);
});

test("other refusals change nothing", () => {
  const thinking = new RefusedThinking(/stale/);
  expect(thinking.learn({ ...refusal, message: "bad tool" }, 5)).toBe(false);
  expect(thinking.learn({ ...refusal, code: "rate" }, 5)).toBe(false);
  expect(thinking.from).toBe(0);
});
