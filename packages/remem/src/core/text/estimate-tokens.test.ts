import { expect, test } from "bun:test";
import { estimateTokens } from "./estimate-tokens.ts";

// Counts of the o200k vocabulary.
const COUNTED: readonly (readonly [string, number])[] = [
  ["The quick brown fox jumps over the lazy dog.", 10],
  ["We decided to keep the retry budget per provider, not per request.", 14],
  ["export function estimateTokens(text: string): number {", 10],
  ["東京の天気はどうですか", 8],
];

test("is near what models count for prose, code and dense scripts", () => {
  for (const [text, counted] of COUNTED) {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(counted * 0.7);
    expect(estimateTokens(text)).toBeLessThanOrEqual(counted * 1.6);
  }
});

test("nothing costs nothing, and more text never costs less", () => {
  expect(estimateTokens("")).toBe(0);
  expect(estimateTokens("word ".repeat(100))).toBeGreaterThan(estimateTokens("word ".repeat(50)));
});
