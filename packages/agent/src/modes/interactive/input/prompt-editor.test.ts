import { expect, test } from "bun:test";
import { setKittyProtocolActive, visibleWidth } from "@earendil-works/pi-tui";
import type { AppAction } from "./actions.ts";
import { PromptBench, SOME_COMMANDS } from "./test-support/prompt-bench.ts";

const ENTER = "\r";
const ESC = "\x1b";
const LEFT = "\x1b[D";
const RIGHT = "\x1b[C";
const UP = "\x1b[A";
const DOWN = "\x1b[B";
const BACKSPACE = "\x7f";

test("Enter sends the prompt and empties the editor [A-TUI-03]", () => {
  using bench = new PromptBench();
  bench.type("fix the test").type(ENTER);
  expect(bench.sent).toEqual([{ input: { text: "fix the test", images: [] }, how: "steer", kind: "prompt" }]);
  expect(bench.text).toBe("");
  bench.type(ENTER).type("   ").type(ENTER);
  expect(bench.sent).toHaveLength(1);
});

test("each key for a new line makes one", () => {
  for (const key of ["\n", "\x1b[13;2u", "\x1b[27;2;13~", "\x1b[106;5u", "\x1b\r", "\x1b[13;3u", "\\\r"]) {
    using bench = new PromptBench();
    bench.type("a").type(key).type("b");
    expect([JSON.stringify(key), bench.text]).toEqual([JSON.stringify(key), "a\nb"]);
    expect(bench.sent).toEqual([]);
  }
});

test("Alt+Enter sends a prompt for after the answer while one is running", () => {
  for (const key of ["\x1b\r", "\x1b[13;3u"]) {
    using bench = new PromptBench({ busy: () => true });
    bench.type("then this").type(key);
    expect(bench.sent.map(({ input, how }) => [input.text, how])).toEqual([["then this", "follow_up"]]);
  }
});

test("under the Kitty protocol ESC CR and LF are Shift+Enter, as terminals are told to send it", () => {
  setKittyProtocolActive(true);
  try {
    using bench = new PromptBench({ busy: () => true });
    bench.type("a").type("\x1b\r").type("b").type("\n").type("c");
    expect([bench.text, bench.sent]).toEqual(["a\nb\nc", []]);
  } finally {
    setKittyProtocolActive(false);
  }
});

test("a key means what the state makes of it [T06]", async () => {
  type State = "empty" | "text" | "menu" | "search";
  // [key, state] -> what stands there, whether a menu is open, which actions the program got
  const table: readonly [string, State, string, boolean, readonly AppAction[]][] = [
    [ESC, "empty", "", false, ["app.interrupt"]],
    [ESC, "text", "hello", false, ["app.interrupt"]],
    [ESC, "menu", "/mo", false, []],
    [ESC, "search", "", false, []],
    ["\x1b[27u", "menu", "/mo", false, []],
    ["\x03", "empty", "", false, ["app.clear"]],
    ["\x03", "text", "hello", false, ["app.clear"]],
    ["\x03", "menu", "/mo", true, ["app.clear"]],
    ["\x03", "search", "", false, []],
    ["\x04", "empty", "", false, ["app.exit"]],
    ["\x04", "text", "hello", false, []],
    ["\x1b[100;5u", "empty", "", false, ["app.exit"]],
    ["\x1a", "text", "hello", false, ["app.suspend"]],
    ["\x0f", "text", "hello", false, ["app.tools.toggle"]],
    ["\x1b[111;5u", "text", "hello", false, ["app.tools.toggle"]],
    ["\x14", "text", "hello", false, ["app.thinking.toggle"]],
    ["\x1bp", "text", "hello", false, ["app.queue.edit"]],
    ["\x0f", "menu", "/mo", true, ["app.tools.toggle"]],
  ];
  for (const [key, state, text, open, actions] of table) {
    using bench = new PromptBench({ commands: () => SOME_COMMANDS });
    if (state === "text") bench.type("hello");
    if (state === "search") bench.type("\x12");
    if (state === "menu") {
      bench.type("/mo");
      await bench.until(() => bench.editor.isMenuOpen);
    }
    bench.type(key);
    expect([JSON.stringify(key), state, bench.text, bench.editor.isMenuOpen, bench.actions]).toEqual([
      JSON.stringify(key),
      state,
      text,
      open,
      [...actions],
    ]);
  }
});

test("Ctrl+D deletes forward when there is text", () => {
  using bench = new PromptBench();
  bench.type("ab").type("\x01").type("\x04");
  expect(bench.text).toBe("b");
  expect(bench.actions).toEqual([]);
});

test("arrows and deletion go by what a person counts as one character [T04]", () => {
  using bench = new PromptBench();
  const text = "日本語🎉👨‍👩‍👧e\u0301";
  bench.type(text);
  expect(bench.text).toBe(text);
  const columns = [text.length];
  for (let step = 0; step < 7; step++) {
    bench.type(LEFT);
    columns.push(bench.editor.getCursor().col);
  }
  expect(columns).toEqual([15, 13, 5, 3, 2, 1, 0, 0]);
  bench.type(RIGHT).type(RIGHT).type(RIGHT).type(RIGHT).type(BACKSPACE);
  expect(bench.text).toBe("日本語👨‍👩‍👧e\u0301");
  bench.type("\x1b[3~");
  expect(bench.text).toBe("日本語e\u0301");
  bench.type(BACKSPACE).type(BACKSPACE);
  expect(bench.text).toBe("日e\u0301");
});

test("the terminal's cursor is where the text says, at every position and width, also at the last column [T04]", async () => {
  const text = "ab 日本語🎉👨‍👩‍👧é cd";
  for (const columns of [8, 11, 12, 16, 40]) {
    using bench = new PromptBench({ columns, rows: 30 });
    bench.type(text).type("\x01");
    const graphemes = [...new Intl.Segmenter().segment(text)].map((piece) => piece.segment);
    for (let at = 0; at <= graphemes.length; at++) {
      const { rows, row, column } = await bench.screen();
      // What stands before the cursor on the screen is what stands before it in the text.
      const above = rows.slice(1, row).join("");
      const shown = above + cellsBefore(rows[row]!, column);
      const squeeze = (part: string) => part.replace(/\s/g, "");
      expect([columns, at, squeeze(shown)]).toEqual([columns, at, squeeze(graphemes.slice(0, at).join(""))]);
      expect(column).toBeLessThan(columns);
      bench.type(RIGHT);
    }
  }
});

function cellsBefore(row: string, column: number): string {
  let text = "";
  for (const { segment } of new Intl.Segmenter().segment(row)) {
    if (visibleWidth(text + segment) > column) break;
    text += segment;
  }
  return text;
}

test("undo takes back words, and what was cut comes back with yank", () => {
  using bench = new PromptBench();
  bench.type("one two three").type("\x17");
  expect(bench.text).toBe("one two ");
  bench.type("\x19");
  expect(bench.text).toBe("one two three");
  bench.type("\x1f");
  expect(bench.text).toBe("one two ");
  bench.type("\x15").type("\x1f");
  expect(bench.text).toBe("one two ");
});

test("a long paste is one marker and is sent whole", () => {
  using bench = new PromptBench();
  const long = Array.from({ length: 5000 }, (_, index) => `line ${index}\tend`).join("\n");
  bench.type("see ").paste(long.replaceAll("\n", "\r\n")).type(" and ").paste("x".repeat(2000));
  expect(bench.text).toBe("see [paste #1 +5000 lines] and [paste #2 2000 chars]");
  expect(bench.editor.draft).toBe(`see ${long} and ${"x".repeat(2000)}`);
  bench.type(ENTER);
  expect(bench.sent[0]!.input.text).toBe(`see ${long} and ${"x".repeat(2000)}`);
});

test("the marker of a paste is one character for the cursor and for deletion, and undo brings it back with its text", () => {
  using bench = new PromptBench();
  const first = "a\n".repeat(20);
  const second = "b\n".repeat(30);
  bench.paste(first).paste(second).type(LEFT);
  expect(bench.cursor).toBe("0:20");
  bench.type(BACKSPACE);
  expect(bench.text).toBe("[paste #2 +31 lines]");
  bench.type("\x1f");
  expect(bench.text).toBe("[paste #1 +21 lines][paste #2 +31 lines]");
  bench.type(ENTER);
  expect(bench.sent[0]!.input.text).toBe((first + second).trim());
});

test("a paste that was cut stays whole when another one is deleted", () => {
  using bench = new PromptBench();
  const second = "b\n".repeat(30);
  bench.paste("a\n".repeat(20)).type(" ").paste(second);
  bench.type("\x17").type(BACKSPACE).type(BACKSPACE).type("\x19").type(ENTER);
  expect(bench.sent[0]!.input.text).toBe(second.trim());
});

test("a marker that stands inside of a paste is text", () => {
  using bench = new PromptBench();
  const first = `${"a\n".repeat(20)}[paste #2 2000 chars]`;
  bench.paste(first).paste("x".repeat(2000)).type(ENTER);
  expect(bench.sent[0]!.input.text).toBe(first + "x".repeat(2000));
});

test("tabs of a paste are kept, and take the columns that the cursor counts", async () => {
  using bench = new PromptBench();
  bench.paste("if x:\n\treturn 1");
  expect(bench.lines().join("\n")).not.toContain("\t");
  const { row, column } = await bench.screen();
  expect([row, column]).toEqual([2, 11]);
  bench.type(ENTER);
  expect(bench.sent[0]!.input.text).toBe("if x:\n\treturn 1");
});

test("hidden characters of a paste are written out, sent that way, and told [T06]", () => {
  using bench = new PromptBench();
  bench.paste("say \u202ehi\u200b\u{e0041}");
  expect(bench.text).toBe("say \\u{202E}hi\\u{200B}\\u{E0041}");
  expect(bench.notices).toEqual([
    {
      level: "warning",
      message: "The pasted text has 3 hidden characters (U+202E, U+200B, U+E0041)",
      hint: "They are written out, like \\u{200B}, and are sent that way. Ctrl+- takes the paste back.",
    },
  ]);
  bench.type(ENTER);
  expect(bench.sent[0]!.input.text).toBe("say \\u{202E}hi\\u{200B}\\u{E0041}");
});

test("colours of a copied log go, and newlines that a terminal sends as keys come", () => {
  using bench = new PromptBench();
  bench.paste("\x1b[31mError\x1b[0m: no\x1b[106;5unext");
  expect(bench.text).toBe("Error: no\nnext");
  expect(bench.notices).toEqual([]);
});

test("keys inside of a paste do nothing: it is text until its end", () => {
  using bench = new PromptBench();
  bench.paste("/model\r/clear\r");
  expect(bench.sent).toEqual([]);
  expect(bench.text).toBe("/model\n/clear\n");
});

test("Up and Down go through earlier prompts and keep the draft [A-TUI-03]", () => {
  using bench = new PromptBench({ history: () => ["first", "second"] });
  bench.type("draft").type("\x01").type(UP);
  expect(bench.text).toBe("second");
  bench.type(UP);
  expect(bench.text).toBe("first");
  bench.type(UP).type(DOWN).type(DOWN);
  expect(bench.text).toBe("draft");
});

test("a draft that was put aside is the latest of the earlier prompts", () => {
  using bench = new PromptBench({ history: () => ["old"] });
  bench.type("half a thought");
  bench.editor.addToHistory(bench.editor.draft);
  bench.editor.clear();
  bench.type(UP);
  expect(bench.text).toBe("half a thought");
});

test("a sent prompt is the latest of the earlier ones, also a command", () => {
  using bench = new PromptBench({ history: () => ["old", "new"] });
  bench.type("new").type(ENTER).type("!ls").type(ENTER);
  const seen: string[] = [];
  for (let step = 0; step < 3; step++) {
    bench.type(UP).type("\x01");
    seen.push(bench.text);
  }
  expect(seen).toEqual(["!ls", "new", "old"]);
});

test("the kind of the text is told as it changes, and long pastes never make a command", () => {
  using bench = new PromptBench();
  bench.type("!").type("!").type("ls").type("\x15").type("/help");
  expect(bench.kinds).toEqual(["shell", "shell-private", "prompt", "command"]);
  bench
    .type("\x15")
    .paste(`!rm -rf x\n${"y\n".repeat(20)}`)
    .type(ENTER);
  expect(bench.sent[0]!.kind).toBe("prompt");
});

test("the editor takes a third of the screen and scrolls in it", () => {
  using bench = new PromptBench({ rows: 60 });
  bench.editor.setDraft(Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n"));
  expect(bench.lines()).toHaveLength(22);
  expect(bench.lines().at(-2)).toContain("line 99");
  bench.type("\x1b[5;5~");
  expect(bench.lines()[0]).toContain("more");
});

test("clear empties the prompt and undo brings it back", () => {
  using bench = new PromptBench();
  bench.type("half a thought");
  bench.editor.clear();
  expect([bench.editor.isEmpty, bench.editor.draft]).toEqual([true, ""]);
  bench.type("\x1f");
  expect(bench.text).toBe("half a thought");
});

test("the external editor gets the draft in full and its text comes back", async () => {
  const drafts: string[] = [];
  using bench = new PromptBench({
    editExternally: async (draft) => {
      drafts.push(draft);
      return drafts.length === 1 ? "from outside\u200b" : null;
    },
  });
  bench.paste("x".repeat(2000)).type("\x07");
  await bench.until(() => bench.text.startsWith("from"));
  expect(drafts).toEqual(["x".repeat(2000)]);
  expect(bench.text).toBe("from outside\\u{200B}");
  bench.type("\x07");
  await bench.until(() => drafts.length === 2);
  expect(bench.text).toBe("from outside\\u{200B}");
});
