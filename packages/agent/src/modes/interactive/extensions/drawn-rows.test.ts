import { expect, test } from "bun:test";
import { CURSOR_MARKER, hyperlink, visibleWidth } from "@earendil-works/pi-tui";
import { AWKWARD } from "../test-support/widths.ts";
import { drawnRows, ownSequencesOnly } from "./drawn-rows.ts";

const note = (hidden: number) => `… ${hidden}`;

test("styles, links, the cursor's mark and pictures are drawn as they are", () => {
  const picture = "\x1b_Ga=T,f=100;AAAA\x1b\\";
  const row = `\x1b[1;38;2;1;2;3mbold\x1b[0m ${hyperlink("link", "https://example.com")} ${CURSOR_MARKER}x`;
  expect(ownSequencesOnly(row)).toBe(row);
  expect(ownSequencesOnly(picture)).toBe(picture);
});

test.each([
  ["a screen cleared", "\x1b[2J", "\\x1b[2J"],
  ["a cursor moved", "\x1b[5;5H", "\\x1b[5;5H"],
  ["the clipboard written", "\x1b]52;c;AAAA\x07", "\\x1b]52;c;AAAA\\x07"],
  ["the title set", "\x1b]0;mine\x07", "\\x1b]0;mine\\x07"],
  ["a mode set", "\x1b[?1049l", "\\x1b[?1049l"],
  ["a bare carriage return", "a\rb", "a\\x0db"],
  ["text turned around", "a\u202eb", "a\\u{202e}b"],
])("%s is shown and not obeyed", (_what, row, shown) => {
  expect(ownSequencesOnly(row)).toBe(shown);
});

test("rows fit at any width, whatever is in them", () => {
  for (let width = 1; width <= 120; width++)
    for (const row of drawnRows([AWKWARD, "x\ny", "日本語".repeat(40)], width, 50, note).rows) {
      expect(visibleWidth(row)).toBeLessThanOrEqual(width);
      expect(row).not.toContain("\n");
    }
});

test("a row that was too wide is told with its width", () => {
  expect(drawnRows(["12345"], 5, 9, note).tooWide).toBeUndefined();
  expect(drawnRows(["12345", "1234567"], 5, 9, note).tooWide).toBe(7);
});

test("of 100,000 rows as many are looked at as are shown", () => {
  let looked = 0;
  const row = {
    toString: () => {
      looked++;
      return "row";
    },
  };
  const { rows } = drawnRows(
    Array.from({ length: 100_000 }, () => row),
    20,
    4,
    note,
  );
  expect(rows).toEqual(["row", "row", "row", "… 99997"]);
  expect(looked).toBe(4);
});

test("the row of the cursor stays in sight", () => {
  const many = Array.from({ length: 50 }, (_, index) =>
    index === 30 ? `${CURSOR_MARKER}here` : `row ${index}`,
  );
  const { rows, skipped } = drawnRows(many, 20, 5, note);
  expect(rows.join()).toContain("here");
  expect(rows).toHaveLength(5);
  expect(skipped).toBe(27);
});
