import { expect, test } from "bun:test";
import { answerText, randomNumbers } from "../test-support/corpus.ts";
import { Segmenter } from "./segmenter.ts";

function split(text: string) {
  const segmenter = new Segmenter();
  segmenter.append(text);
  return segmenter.segments;
}

test("however a text is cut into deltas, its pieces are the same [T08]", () => {
  const pieces = [
    "# a",
    "- b",
    "  c",
    "```ts",
    "```",
    "~~~",
    "    d",
    "> e",
    "",
    "",
    "| f | g |",
    "|---|---|",
    "1. h",
    "x",
  ];
  const below = randomNumbers(5);
  for (let round = 0; round < 300; round++) {
    const long = round % 50 === 0 ? "long word ".repeat(2_000) : "";
    const text =
      Array.from({ length: 30 }, () => pieces[below(pieces.length)]).join("\n") + long + answerText(round);
    const whole = split(text);
    const segmenter = new Segmenter();
    for (let at = 0; at < text.length; ) {
      const size = 1 + below(long ? 700 : 9);
      segmenter.append(text.slice(at, at + size));
      at += size;
    }
    expect(segmenter.segments).toEqual([...whole]);
  }
});

test("no letter of a text is lost", () => {
  const text = Array.from({ length: 40 }, (_, index) => answerText(index)).join("\n\n");
  const letters = (value: string) =>
    value
      .replace(/[^\p{L}\p{N}]/gu, "")
      .replaceAll("ts", "")
      .replaceAll("bash", "");
  expect(
    letters(
      split(text)
        .map((piece) => piece.text)
        .join(""),
    ),
  ).toBe(letters(text));
});

test("a blank line ends a piece, but not within a list or a fence", () => {
  const kinds = (text: string) => split(text).map((piece) => piece.text);
  expect(kinds("a\nb\n\nc")).toEqual(["a\nb", "c"]);
  expect(kinds("- a\n\n- b\n\n  c\n\nd")).toEqual(["- a\n\n- b\n\n  c", "d"]);
  expect(kinds("```\na\n\nb\n```\nc")).toEqual(["a\n\nb", "c"]);
  expect(kinds("1. a\n\n   ```sh\n   x\n\n   y\n   ```\n2. b")).toHaveLength(1);
});

test("a fence that has begun to arrive is not shown as text", () => {
  const segmenter = new Segmenter();
  segmenter.append("text\n\n``");
  expect(segmenter.segments.map((piece) => piece.text)).toEqual(["text"]);
  segmenter.append("`js\nlet a\n``");
  expect(segmenter.segments.at(-1)).toMatchObject({ kind: "code", info: "js", text: "let a", closed: false });
});

test("no piece is larger than its bound, whatever the text [T08]", () => {
  for (const text of [
    "x".repeat(50_000),
    "word ".repeat(10_000),
    "| a | b |\n".repeat(5_000),
    "- item\n".repeat(9_000),
  ])
    for (const piece of split(text)) expect(piece.text.length).toBeLessThanOrEqual(6_000);
  for (const piece of split(`\`\`\`\n${"line\n".repeat(5_000)}`))
    expect(piece.text.split("\n").length).toBeLessThanOrEqual(101);
});

test("a table that is cut has its head above each part", () => {
  const parts = split(`| a | b |\n|---|---|\n${"| cell | cell |\n".repeat(1_000)}`);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts[1]).toMatchObject({ glued: true, tableHead: "| a | b |\n|---|---|" });
});

test("a long line is never cut within a character", () => {
  for (const letter of ["👨‍👩‍👧‍👦", "é", "𝒳", "👍🏽"])
    for (const piece of split(letter.repeat(5_000))) {
      expect(piece.text.isWellFormed()).toBe(true);
      expect(piece.text.replaceAll(letter, "")).toBe("");
    }
});
