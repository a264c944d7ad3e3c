import { expect, test } from "bun:test";
import { estimateTokens, type TokenFamily, tokenFamily } from "./token-estimate.ts";

const code = `export function add(first: number, second: number): number {
  // Adds two numbers, and nothing else.
  return first + second;
}
`.repeat(40);

/** Characters per token. */
const density = (text: string, family: TokenFamily) => text.length / estimateTokens(text, family);

test("TypeScript comes out near the measured characters per token of each family", () => {
  expect(density(code, "o200k")).toBeWithin(3.6, 5.4);
  expect(density(code, "claude")).toBeWithin(2.8, 4.4);
  expect(density(code, "claude5")).toBeWithin(2, 3.3);
});

test("Chinese takes far more tokens a character than English in every family", () => {
  for (const family of ["o200k", "claude", "claude5", "deepseek", "qwen"] as const)
    expect(density("汉字测试文本".repeat(100), family)).toBeLessThan(density(code, family) / 1.5);
});

test("an emoji counts once though it is two units of UTF-16", () => {
  expect(estimateTokens("😀".repeat(100), "o200k")).toBe(estimateTokens("é".repeat(100), "o200k"));
});

test("a long text of many kinds, looked at in samples, comes out as the sum of its pieces", () => {
  const kinds = [
    code,
    "汉字测试文本".repeat(600),
    "word ".repeat(900),
    JSON.stringify({ a: [1, 22, 333] }).repeat(250),
  ];
  const pieces = [...kinds, ...kinds.toReversed(), ...kinds];
  for (const family of ["o200k", "claude", "claude5", "deepseek", "qwen", "unknown"] as const) {
    const whole = pieces.reduce((sum, piece) => sum + estimateTokens(piece, family), 0);
    expect(estimateTokens(pieces.join("\n"), family) / whole).toBeWithin(0.95, 1.05);
  }
});

test("no text is no tokens", () => {
  expect(estimateTokens("", "unknown")).toBe(0);
});

test("a model that nobody measured is estimated a fifth higher", () => {
  expect(estimateTokens(code, "unknown")).toBe(Math.ceil(estimateTokens(code, "o200k") * 1.2));
});

test.each<[string, TokenFamily]>([
  ["claude-sonnet-5-5", "claude5"],
  ["claude-opus-5", "claude5"],
  ["anthropic/claude-opus-4-6", "claude"],
  ["claude-3-7-sonnet-latest", "claude"],
  ["claude-haiku-4-5-20251001", "claude"],
  ["gpt-5.3-codex", "o200k"],
  ["openai/gpt-4o", "o200k"],
  ["o4-mini", "o200k"],
  ["deepseek-chat", "deepseek"],
  ["qwen3-coder:480b-cloud", "qwen"],
  ["llama3.1", "unknown"],
])("%s is of the family %s", (id, family) => {
  expect(tokenFamily(id)).toBe(family);
});
