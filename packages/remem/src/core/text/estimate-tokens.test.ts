import { expect, test } from "bun:test";
import { estimateTokens } from "./estimate-tokens.ts";

const between = (text: string, least: number, most: number): void => {
  expect(estimateTokens(text)).toBeGreaterThanOrEqual(least);
  expect(estimateTokens(text)).toBeLessThanOrEqual(most);
};

test("prose costs a little more than a token a word", () => {
  const prose =
    "We decided to keep the retry budget per provider, because requests of one provider share its limits.";
  const count = prose.split(" ").length;
  between(prose, count, count * 1.6);
});

test("code costs more for its letters than prose", () => {
  const code = "export function estimateTokens(text: string): number { return tokens[0] ?? 0; }";
  between(code, code.length / 5, code.length / 2.5);
});

test("dense scripts cost about a token a letter, bytes never counted as tokens", () => {
  const text = "東京の天気はどうですか";
  between(text, text.length * 0.6, text.length * 1.2);
});

test("nothing costs nothing, and more text never costs less", () => {
  expect(estimateTokens("")).toBe(0);
  expect(estimateTokens("word ".repeat(100))).toBeGreaterThan(estimateTokens("word ".repeat(50)));
});
