import { expect, test } from "bun:test";
import { safeLine, safeText, showHiddenCharacters } from "./safe-text.ts";

const shown: [string, string, string][] = [
  ["a bidi override", "user\u202etxt.exe", "user\\u{202e}txt.exe"],
  ["bidi isolates", "a\u2066b\u2069", "a\\u{2066}b\\u{2069}"],
  ["tag characters", "hi\u{e0041}\u{e007f}", "hi\\u{e0041}\\u{e007f}"],
  ["a zero-width space", "a\u200bb", "a\\u{200b}b"],
  ["a joiner between Latin letters", "a\u200db", "a\\u{200d}b"],
  ["a non-joiner between Latin letters", "a\u200cb", "a\\u{200c}b"],
  ["a soft hyphen", "a\u00adb", "a\\u{00ad}b"],
  ["a byte order mark", "\ufeffa", "\\u{feff}a"],
  ["a variation selector without an emoji", "a\ufe0f", "a\\u{fe0f}"],
  ["a supplementary variation selector", "a\u{e0100}", "a\\u{e0100}"],
  ["a Hangul filler", "a\u3164b", "a\\u{3164}b"],
  ["a line separator", "a\u2028b", "a\\u{2028}b"],
  ["half a character", "a\ud83db", "a\\u{d83d}b"],
  ["an escape sequence", "\x1b[31mred", "\\x1b[31mred"],
  ["an operating system command", "\x1b]0;title\x07", "\\x1b]0;title\\x07"],
  ["a C1 control", "\u009b31m", "\\x9b31m"],
  ["a bare carriage return", "rm -rf /\rls", "rm -rf /\\x0dls"],
  ["two joiners in Persian", "می\u200c\u200cخواهم", "می\\u{200c}\\u{200c}خواهم"],
];
for (const [what, text, expected] of shown)
  test(`${what} is shown as an escape [T03]`, () => {
    expect(safeText(text)).toBe(expected);
  });

const kept = {
  "a family of emoji": "👨‍👩‍👧‍👦",
  "a heart with its selector": "❤️",
  "a text-style selector": "☎︎",
  "a flag of a country": "🇯🇵",
  "the flag of England": "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "a keycap": "1️⃣",
  "a profession with a skin tone": "👩🏽‍💻",
  "a non-joiner in Persian": "می‌خواهم",
  "a joiner in Sinhala": "ශ්‍රී",
  "an ideographic variation": "葛\u{e0100}",
  "combining marks": "e\u0301 n\u0303",
  "tabs and newlines": "a\tb\nc",
  "an Arabic number sign": "\u0600١",
};
for (const [what, text] of Object.entries(kept))
  test(`${what} stays as it is [T03]`, () => {
    expect(safeText(text)).toBe(text);
  });

test("CRLF becomes a newline", () => {
  expect(safeText("a\r\nb\x00")).toBe("a\nb\\x00");
});

test("a line has no line break [T03]", () => {
  expect(safeLine(" a\r\n\tb\u2028c ")).toBe("a b\\u{2028}c");
});

test("text without anything hidden is given back itself", () => {
  const text = "日本語 café 🎉";
  expect(showHiddenCharacters(text)).toBe(text);
});
