import { expect, test } from "bun:test";
import type { ModelInfo, ThinkingLevel } from "../../contract/model.ts";
import { modelOf } from "../shared/test-support/wire-run.ts";
import { thinkingFields } from "./thinking.ts";

const ask = (id: string, level: ThinkingLevel, more: Partial<ModelInfo> = {}, limit = 64_000) =>
  thinkingFields(modelOf("anthropic", { id, ...more }), level, limit);

test.each(["claude-opus-4-6", "claude-sonnet-5", "claude-opus-4-7", "claude-fable-5-1", "claude-opus-6"])(
  "%s thinks adaptively, with summaries",
  (id) => {
    expect(ask(id, "medium")).toEqual({
      thinking: { type: "adaptive", display: "summarized" },
      effort: "medium",
    });
  },
);

test.each(["claude-opus-4-5-20251101", "claude-haiku-4-5", "claude-sonnet-4-20250514", "claude-opus-4-1"])(
  "%s takes a budget, and thinks between calls",
  (id) => {
    expect(ask(id, "low")).toEqual({
      thinking: { type: "enabled", budget_tokens: 4_096 },
      interleaved: true,
    });
  },
);

test("an older or another vendor's model takes a budget and nothing else", () => {
  expect(ask("claude-3-7-sonnet-20250219", "low")).toEqual({
    thinking: { type: "enabled", budget_tokens: 4_096 },
  });
  expect(ask("kimi-k2", "low")).toEqual({ thinking: { type: "enabled", budget_tokens: 4_096 } });
});

test("a budget stays below the output limit, and too small a limit means no thinking", () => {
  expect(ask("claude-haiku-4-5", "max", {}, 8_000).thinking).toEqual({
    type: "enabled",
    budget_tokens: 6_976,
  });
  expect(ask("claude-haiku-4-5", "max", {}, 1_500)).toEqual({});
});

test("off disables thinking where that can be, and asks for the least where it cannot", () => {
  expect(ask("claude-opus-4-7", "off")).toEqual({ thinking: { type: "disabled" } });
  expect(ask("claude-haiku-5-5", "off")).toEqual({ thinking: { type: "disabled" } });
  for (const id of ["claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5"])
    expect(ask(id, "off")).toEqual({ thinking: { type: "adaptive", display: "summarized" }, effort: "low" });
  expect(ask("claude-haiku-4-5", "off")).toEqual({});
});

test("a level that the model does not offer becomes the nearest below, else above", () => {
  expect(ask("claude-opus-4-6", "xhigh").effort).toBe("high");
  expect(ask("claude-opus-4-6", "max").effort).toBe("max");
  expect(ask("claude-opus-5", "minimal", { levels: { minimal: null } }).effort).toBe("low");
});

test("a model that cannot think is not asked to", () => {
  expect(ask("claude-opus-5", "high", { reasoning: false })).toEqual({});
});
