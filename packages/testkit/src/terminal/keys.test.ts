import { expect, test } from "bun:test";
import { encodeKey, type KeyboardState } from "./keys.ts";

const PLAIN: KeyboardState = { kittyKeyboard: 0, modifyOtherKeys: 0, applicationCursorKeys: false };
const XTERM = { ...PLAIN, modifyOtherKeys: 2 };
const KITTY = { ...PLAIN, kittyKeyboard: 1 };
const KITTY_EVENTS = { ...PLAIN, kittyKeyboard: 7 };

test.each([
  ["a", "a"],
  ["A", "A"],
  ["shift+a", "A"],
  ["é", "é"],
  ["+", "+"],
  ["ctrl+c", "\x03"],
  ["ctrl+C", "\x03"],
  ["ctrl+space", "\0"],
  ["ctrl+/", "\x1f"],
  ["ctrl+]", "\x1d"],
  ["alt+b", "\x1bb"],
  ["alt+enter", "\x1b\r"],
  ["escape", "\x1b"],
  ["enter", "\r"],
  ["shift+enter", "\r"],
  ["tab", "\t"],
  ["shift+tab", "\x1b[Z"],
  ["backspace", "\x7f"],
  ["ctrl+backspace", "\b"],
  ["up", "\x1b[A"],
  ["ctrl+right", "\x1b[1;5C"],
  ["home", "\x1b[H"],
  ["pageUp", "\x1b[5~"],
  ["shift+pageDown", "\x1b[6;2~"],
  ["delete", "\x1b[3~"],
  ["f1", "\x1bOP"],
  ["f5", "\x1b[15~"],
])("an ordinary terminal sends for %s", (key, bytes) => {
  expect(encodeKey(key, PLAIN)).toBe(bytes);
});

test.each([
  ["shift+enter", "\x1b[27;2;13~"],
  ["ctrl+c", "\x1b[27;5;99~"],
  ["ctrl+backspace", "\x1b[27;5;127~"],
  ["A", "A"],
  ["enter", "\r"],
  ["escape", "\x1b"],
  ["up", "\x1b[A"],
])("with modifyOtherKeys xterm sends for %s", (key, bytes) => {
  expect(encodeKey(key, XTERM)).toBe(bytes);
});

test.each([
  ["a", "a"],
  ["A", "A"],
  ["enter", "\r"],
  ["shift+enter", "\x1b[13;2u"],
  ["escape", "\x1b[27u"],
  ["ctrl+c", "\x1b[99;5u"],
  ["ctrl+shift+p", "\x1b[112;6u"],
  ["alt+b", "\x1b[98;3u"],
  ["shift+tab", "\x1b[9;2u"],
  ["super+k", "\x1b[107;9u"],
  ["up", "\x1b[A"],
  ["alt+up", "\x1b[1;3A"],
  ["f1", "\x1b[P"],
  ["f3", "\x1b[13~"],
  ["pageUp", "\x1b[5~"],
])("kitty's protocol sends for %s", (key, bytes) => {
  expect(encodeKey(key, KITTY)).toBe(bytes);
});

test.each([
  ["a", "a\x1b[97;1:3u"],
  ["A", "A\x1b[97:65;2:3u"],
  ["enter", "\r"],
  ["shift+enter", "\x1b[13;2u"],
  ["escape", "\x1b[27u\x1b[27;1:3u"],
  ["ctrl+shift+p", "\x1b[112:80;6u\x1b[112:80;6:3u"],
  ["left", "\x1b[D\x1b[1;1:3D"],
  ["pageDown", "\x1b[6~\x1b[6;1:3~"],
])("kitty's protocol with event types and alternate keys sends press and release of %s", (key, bytes) => {
  expect(encodeKey(key, KITTY_EVENTS)).toBe(bytes);
});

test("application mode changes the cursor keys", () => {
  expect(encodeKey("up", { ...PLAIN, applicationCursorKeys: true })).toBe("\x1bOA");
});

test("a key that does not exist is an error with the names there are", () => {
  expect(() => encodeKey("return", PLAIN)).toThrow(/no key "return".*enter/);
});
