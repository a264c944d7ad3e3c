import { expect, test } from "bun:test";
import { PromptBench } from "../test-support/prompt-bench.ts";

const ESC = "\x1b";
const REDO = "\x12";

/** Types the text, goes to normal mode at its start, and gives the keys. */
function after(text: string, keys: string): PromptBench {
  const bench = new PromptBench({ vim: true });
  bench.editor.setDraft(text);
  bench.type(ESC);
  bench.type("g").type("g").type("0");
  press(bench, keys);
  return bench;
}

function press(bench: PromptBench, keys: string): void {
  for (const key of keys) bench.type(key);
}

test("motions go where vim's go", () => {
  const text = "one two.three  four\n\n  fünf 日本 sechs\nend";
  const table: readonly [string, string][] = [
    ["l", "0:1"],
    ["3l", "0:3"],
    ["99l", "0:18"],
    ["3lh", "0:2"],
    ["w", "0:4"],
    ["2w", "0:7"],
    ["3w", "0:8"],
    ["2W", "0:15"],
    ["3W", "1:0"],
    ["e", "0:2"],
    ["2e", "0:6"],
    ["3e", "0:7"],
    ["2E", "0:12"],
    ["$", "0:18"],
    ["$b", "0:15"],
    ["$2b", "0:8"],
    ["$B", "0:15"],
    ["$2B", "0:4"],
    ["jj", "2:0"],
    ["jj^", "2:2"],
    ["jj^w", "2:7"],
    ["jj^we", "2:8"],
    ["jj$0", "2:0"],
    ["G", "3:0"],
    ["Gk", "2:0"],
    ["3G", "2:2"],
    ["Ggg", "0:0"],
    ["ft", "0:4"],
    ["2ft", "0:8"],
    ["tt", "0:3"],
    ["$Fo", "0:16"],
    ["$To", "0:17"],
    ["fo;", "0:16"],
    ["fe;", "0:11"],
    ["fe;,", "0:2"],
    ["fz", "0:0"],
  ];
  for (const [keys, cursor] of table) {
    using bench = after(text, keys);
    expect([keys, bench.cursor, bench.text === text]).toEqual([keys, cursor, true]);
  }
});

test("operators and commands change what vim's change", () => {
  const table: readonly [string, string, string][] = [
    ["abc", "x", "bc"],
    ["abc", "2x", "c"],
    ["abc", "$x", "ab"],
    ["abc", "$X", "ac"],
    ["日本語", "x", "本語"],
    ["👨‍👩‍👧b", "x", "b"],
    ["one two three", "dw", "two three"],
    ["one two three", "2dw", "three"],
    ["one two three", "d2w", "three"],
    ["one two three", "wde", "one  three"],
    ["one two three", "wD", "one "],
    ["one two three", "$db", "one two e"],
    ["one two\nthree", "wdw", "one \nthree"],
    ["one two three", "wdiw", "one  three"],
    ["one two three", "wdaw", "one three"],
    ["one two three", "dfo", " three"],
    ["one two three", "dtt", "two three"],
    ["one two three", "d$", ""],
    ["one two three", "$d0", "e"],
    ["a\nb\nc", "dd", "b\nc"],
    ["a\nb\nc", "2dd", "c"],
    ["a\nb\nc", "Gdd", "a\nb"],
    ["a", "dd", ""],
    ["a\nb\nc", "dj", "c"],
    ["a\nb\nc", "jdG", "a"],
    ["a\nb\nc", "Gdgg", ""],
    ["a\nb", "ddp", "b\na"],
    ["a\nb", "jddP", "b\na"],
    ["a\nb", "yyp", "a\na\nb"],
    ["a\nb", "Y2p", "a\na\na\nb"],
    ["ab cd", "dwp", "cab d"],
    ["ab cd", "dwP", "ab cd"],
    ["ab", "xp", "ba"],
    ["abc", "ywP", "abcabc"],
    ["abc", "rx", "xbc"],
    ["abc", "2rx", "xxc"],
    ["abc", "r日", "日bc"],
    ["one two", "cwnew\x1b", "new two"],
    ["one two", "ccnew\x1b", "new"],
    ["a\nb\nc", "jccnew\x1b", "a\nnew\nc"],
    ["one two", "wCnew\x1b", "one new"],
    ["one two", "wciwnew\x1b", "one new"],
    ["one two", "sX\x1b", "Xne two"],
    ["one two", "Snew\x1b", "new"],
    ["one", "ia\x1b", "aone"],
    ["one", "aa\x1b", "oane"],
    ["one", "Aa\x1b", "onea"],
    ["  one", "$Ia\x1b", "  aone"],
    ["one", "onew\x1b", "one\nnew"],
    ["one", "Onew\x1b", "new\none"],
    ["one two", "dz", "one two"],
    ["one two", "d\x1bx", "ne two"],
  ];
  for (const [text, keys, result] of table) {
    using bench = after(text, keys);
    expect([keys, bench.text]).toEqual([keys, result]);
  }
});

test("u takes back a change or a whole insertion, and Ctrl+R does it again", () => {
  using bench = after("one two", "dwihello brave world \x1b");
  expect(bench.text).toBe("hello brave world two");
  press(bench, "u");
  expect(bench.text).toBe("two");
  press(bench, "u");
  expect(bench.text).toBe("one two");
  press(bench, `${REDO}${REDO}`);
  expect(bench.text).toBe("hello brave world two");
  press(bench, `ux${REDO}`);
  expect(bench.text).toBe("wo");
});

test("a dot does the last change again", () => {
  for (const [text, keys, result] of [
    ["a b c d", "dw..", "d"],
    ["abcd", "2x.", ""],
    ["a\nb\nc", "dd.", "c"],
    ["one two three", "cwX\x1bw.w.", "X X X"],
    ["a", "ob\x1b.", "a\nb\nb"],
    ["abc", "xp.", "baac"],
    ["one two", "fod.", "one two"],
  ] as const) {
    using bench = after(text, keys);
    expect([keys, bench.text]).toEqual([keys, result]);
  }
});

test("Escape leaves insert mode first, then a half command, and only then means interrupt [T06]", () => {
  using bench = new PromptBench({ vim: true });
  bench.type("hello").type(ESC);
  expect([bench.actions, bench.vimModes]).toEqual([[], ["insert", "normal"]]);
  bench.type("2").type("d").type(ESC);
  expect(bench.actions).toEqual([]);
  bench.type(ESC);
  expect([bench.actions, bench.text]).toEqual([["app.interrupt"], "hello"]);
});

test("the mode and the half command stand in the border", () => {
  using bench = new PromptBench({ vim: true });
  bench.type("hello");
  expect(bench.lines()[0]).not.toContain("NORMAL");
  bench.type(ESC).type("2").type("d");
  expect(bench.lines()[0]).toContain("NORMAL 2d");
});

test("Enter sends from normal mode, and the next prompt begins in insert mode", () => {
  using bench = new PromptBench({ vim: true });
  bench.type("hello").type(ESC).type("\r").type("x");
  expect(bench.sent[0]!.input.text).toBe("hello");
  expect([bench.text, bench.vimModes.at(-1)]).toEqual(["x", "insert"]);
});

test("k at the first line and j at the last go through earlier prompts", () => {
  using bench = new PromptBench({ vim: true, history: () => ["first", "second"] });
  bench.type("draft").type(ESC).type("k");
  expect(bench.text).toBe("second");
  bench.type("k").type("j").type("j");
  expect(bench.text).toBe("draft");
});

test("Ctrl+R searches the history in insert mode, and the program's keys work in both", () => {
  using bench = new PromptBench({ vim: true, history: () => ["first"] });
  bench.type(REDO);
  expect(bench.editor.isMenuOpen).toBe(true);
  bench.type(ESC);
  expect([bench.editor.isMenuOpen, bench.vimModes]).toEqual([false, ["insert"]]);
  bench.type(ESC).type("\x0f").type("\x03");
  expect(bench.actions).toEqual(["app.tools.toggle", "app.clear"]);
});

test("the marker of a paste is one character for vim too", () => {
  using bench = new PromptBench({ vim: true });
  bench.type("a").paste("x\n".repeat(20)).type("b").type(ESC).type("h").type("x");
  expect(bench.text).toBe("ab");
  bench.type("u").type("\r");
  expect(bench.sent[0]!.input.text).toBe(`a${"x\n".repeat(20)}b`);
});

test("vim keys can be turned on and off while a prompt is written", () => {
  using bench = new PromptBench();
  bench.type("abc");
  bench.editor.setVim(true);
  bench.type(ESC).type("x");
  expect(bench.text).toBe("ab");
  bench.editor.setVim(false);
  bench.type("x");
  expect(bench.text).toBe("axb");
});
