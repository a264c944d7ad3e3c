import { expect, test } from "bun:test";
import { clippedText } from "./clipped-text.ts";

test("a text within the limit is kept whole", () => {
  const kept = clippedText(100);
  kept.push("a".repeat(60));
  kept.push("b".repeat(40));
  expect(kept.render(100)).toEqual({ text: "a".repeat(60) + "b".repeat(40), cut: false });
});

test("of a long text the head, the tail, the count of what is missing and its place are shown [B06]", () => {
  const kept = clippedText(3_000);
  for (let line = 1; line <= 10_000; line++) kept.push(`line ${line}\n`);
  const { text, cut } = kept.render(3_000, "/log");
  expect(cut).toBe(true);
  expect(text).toStartWith("line 1\nline 2\n");
  expect(text).toEndWith("line 9999\nline 10000\n");
  const [, bytes = "", lines = ""] =
    /\[\.\.\. ([\d,]+) bytes, ([\d,]+) lines not shown; all of it: \/log \.\.\.\]/.exec(text) ?? [];
  const shownLines = text.match(/^line /gm)?.length ?? 0;
  expect(Number(lines.replaceAll(",", "")) + shownLines).toBe(10_000);
  const shownBytes = text.replace(/\[\.\.\. .*\]\n/, "").length;
  expect(Number(bytes.replaceAll(",", "")) + shownBytes).toBe(kept.bytes);
});

test("rendered smaller than it was kept, it is still a head and a tail [B06]", () => {
  const kept = clippedText(3_000);
  kept.push(`${"h".repeat(1_500)}${"t".repeat(1_500)}`);
  const { text } = kept.render(300);
  expect(text).toStartWith("hhh");
  expect(text).toEndWith("ttt");
  expect(text).toContain("2,700 bytes");
});

test("no character is split at a cut [F19]", () => {
  for (let limit = 50; limit < 70; limit++) {
    const kept = clippedText(limit);
    for (let turn = 0; turn < 100; turn++) kept.push("😀é日");
    expect(kept.render(limit).text.isWellFormed()).toBe(true);
  }
});
