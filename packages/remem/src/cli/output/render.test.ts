import { expect, test } from "bun:test";
import type { Table } from "./block.ts";
import { render } from "./render.ts";
import { textWidth } from "./text-width.ts";

const TABLE: Table = {
  head: ["id", "what"],
  rows: [
    ["m1", "a statement that is longer than the terminal is wide"],
    ["m22", "日本語の文はとても長いので端末の幅に収まらない場合があります"],
  ],
};
const lines = (columns: number): string[] =>
  render([TABLE], { columns, styled: false }).trimEnd().split("\n");

test.each([30, 40, 60])(
  "no row is wider than a terminal of %d columns, wide letters counted as two",
  (columns) => {
    const widths = lines(columns).map(textWidth);
    expect(widths.every((width) => width <= columns)).toBe(true);
    expect(Math.max(...widths)).toBeGreaterThan(columns - 3);
  },
);

test("where the last column has no room, each cell stands on its own line and nothing is cut", () => {
  expect(lines(12)).toEqual([
    "id: m1",
    "what: a statement that is longer than the terminal is wide",
    "",
    "id: m22",
    "what: 日本語の文はとても長いので端末の幅に収まらない場合があります",
  ]);
});

test("without a terminal nothing is cut", () => {
  expect(lines(0)[1]).toBe("m1   a statement that is longer than the terminal is wide");
});

test("what a terminal would obey is shown as its code, and letters that join stay [R12]", () => {
  const written = render(["\u001b[2J\u0007 \u202e \u200b می‌خواهم\r\nnext\ttab"], {
    columns: 80,
    styled: false,
  });
  expect(written).toBe("\\x1b[2J\\x07 \\u{202e} \\u{200b} می‌خواهم\nnext\ttab\n");
});
