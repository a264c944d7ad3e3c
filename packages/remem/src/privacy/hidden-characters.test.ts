import { expect, test } from "bun:test";
import { reveal } from "./hidden-characters.ts";

test("tags, direction controls, zero-width characters, fillers and controls go [A-MEM-09] [X06]", () => {
  const hidden = [
    "\u{e0001}\u{e0068}\u{e0069}",
    "\u202e",
    "\u2066",
    "\u200b",
    "\ufeff",
    "\u2060",
    "\u3164",
    "\u115f",
    "\u00ad",
    "\u200d",
    "\u200c",
    "\ufe0f",
    "\u{e0101}",
    "\u2028",
    "\u0000",
    "\u001b",
    "\u0085",
  ];
  expect(hidden.map((characters) => reveal(`a${characters}b`).text)).toEqual(hidden.map(() => "ab"));
});

test("emoji sequences, real scripts and ordinary white space stay [A-MEM-09] [X06]", () => {
  const texts = [
    "\u{1f468}\u200d\u{1f469}\u200d\u{1f467} and \u2764\ufe0f\u200d\u{1f525} and \u{1f44d}\u{1f3fd}",
    "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} flag",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0915\u094d\u200d\u0937",
    "\u0e20\u0e32\u200b\u0e29\u0e32",
    "\u845b\u{e0100}",
    "a\tb\nc\r\nd",
    "1\ufe0f\u20e3",
  ];
  expect(texts.map((text) => reveal(text).text)).toEqual(texts);
});

test("a message in joiners or selectors between emoji does not get through [X06]", () => {
  expect(reveal(`\u{1f600}${"\ufe0f\u200d".repeat(20)}\u{1f600}`).text).toBe(
    "\u{1f600}\ufe0f\u200d\u{1f600}",
  );
  expect(reveal(`\u{1f3f4}\u{e0068}\u{e0069}\u{e007f}`).text).toBe("\u{1f3f4}");
});

test("every offset of the new text leads to the same character in the old one [A-MEM-09]", () => {
  const text = "\u200bab\u202e\u200bc\u{1f600}\u{e0041}d\ufeff";
  const { text: shown, origin, removed } = reveal(text);
  expect(shown).toBe("abc\u{1f600}d");
  expect(Array.from(shown, (_, at) => text[origin(at)])).toEqual(Array.from(shown, (_, at) => shown[at]));
  expect(removed).toEqual([
    { start: 0, end: 1 },
    { start: 3, end: 5 },
    { start: 8, end: 10 },
    { start: 11, end: 12 },
  ]);
});
