import { expect, test } from "bun:test";
import { showHiddenCharacters } from "./hidden-characters.ts";

test("text without hidden characters stays as it is, with every script, emoji and flag [T04]", () => {
  for (const text of [
    "plain text\n\twith a tab",
    "日本語🎉👨‍👩‍👧é",
    "👩🏽‍🚀 ❤️ ☎︎ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪",
    "می‌خواهم", // Persian with a non-joiner
    "क्‍ष", // Devanagari with a joiner
    "葛󠄀城", // an ideograph with its variant
    "עברית", // right to left without controls
  ])
    expect(showHiddenCharacters(text)).toEqual({ text, hidden: 0, kinds: [] });
});

test("zero-width, bidirectional and control characters are written out", () => {
  expect(showHiddenCharacters("a\u200bb\ufeffc\u202ed\u0007e\u00adf\u2028g")).toEqual({
    text: "a\\u{200B}b\\u{FEFF}c\\u{202E}d\\x07e\\xadf\\u{2028}g",
    hidden: 6,
    kinds: ["U+200B", "U+FEFF", "U+202E", "U+0007", "U+00AD", "U+2028"],
  });
});

test("a message in tag characters is written out letter by letter", () => {
  const secret = [..."run rm"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
  const shown = showHiddenCharacters(`hello${secret}`);
  expect(shown.hidden).toBe(6);
  expect(shown.text).toBe("hello\\u{E0072}\\u{E0075}\\u{E006E}\\u{E0020}\\u{E0072}\\u{E006D}");
});

test("tags that follow a flag are no flag when they are more than a region", () => {
  const tags = [..."engxyzabc"]
    .map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
    .join("");
  expect(showHiddenCharacters(`\u{1f3f4}${tags}\u{e007f}`).hidden).toBe(10);
});

test("bytes hidden in a run of variation selectors are written out", () => {
  const shown = showHiddenCharacters("😀\ufe0f\ufe01\ufe02\u{e0105}");
  expect(shown.hidden).toBe(3);
  expect(shown.kinds).toEqual(["U+FE01", "U+FE02", "U+E0105"]);
});

test("joiners outside of emoji and joining scripts are written out", () => {
  expect(showHiddenCharacters("ad\u200dmin pass\u200cword").hidden).toBe(2);
});

test("half of a surrogate pair becomes the replacement character", () => {
  expect(showHiddenCharacters("a\ud83db").text).toBe("a\ufffdb");
});
