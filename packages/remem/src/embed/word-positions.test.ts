import { expect, test } from "bun:test";
import { WordPositions } from "./word-positions.ts";

const NAMES = ["the", "of", "then", "he", "größe", "o", "end"];
const positionsOf = (names: readonly string[]): WordPositions =>
  new WordPositions(Buffer.from(names.join("\n")));

test("a word stands where its line does, and a part of a line is no word", () => {
  const positions = positionsOf(NAMES);
  expect(NAMES.map((name) => positions.of(name))).toEqual(NAMES.map((_, index) => index));
  for (const word of ["th", "hen", "en", "nd", "", "the\nof", "ende", "unknown"])
    expect(positions.of(word)).toBeUndefined();
});

test("many words are found as few are", () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `word${index * 7}`);
  const positions = positionsOf(names);
  expect(names.map((name) => positions.of(name))).toEqual(names.map((_, index) => index));
  expect(positions.of("word1")).toBeUndefined();
  expect(positions.of("word7")).toBe(1);
});
