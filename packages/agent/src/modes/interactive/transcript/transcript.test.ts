import { expect, test } from "bun:test";
import type { AgentEvent } from "../../../contract/events.ts";
import { type Message, noUsage } from "../../../contract/messages.ts";
import { testTheme } from "../test-support/plain-theme.ts";
import {
  call,
  result,
  runEnd,
  start,
  TranscriptBench,
  text,
  turnEnd,
} from "./test-support/transcript-bench.ts";

const plain = (rows: readonly string[]) =>
  rows.map((row) => row.replace(/\x1b\[[\d;]*m|\x1b\]8;;[^\x1b]*\x1b\\/g, ""));

/** The rows at 80 columns, without styles and blank ones. */
function shown(bench: TranscriptBench, width = 80): string[] {
  return plain(bench.rows(width)).filter((row) => row !== "");
}

test("a resumed conversation shows the same rows as living through its events [A-TUI-01]", () => {
  const source = { provider: "p", wire: "ollama", model: "m" } as const;
  const answer = "Here is **it**:\n\n```ts\nlet a = 1;\n```\n\n- x\n- y\n\nDone";
  const edit = { file_path: "a.ts", old_string: "let a", new_string: "let b" };
  const edited = "Edited a.ts: 1 replacement.\n7\tlet b = 1;";
  const editDetails = { path: "a.ts", replacements: 1, lines: [7], outcome: "found" };
  const bashDetails = { exit_code: 2, duration_ms: 1_500, outcome: "found" };
  const messages: Message[] = [
    { role: "user", origin: "user", parts: [{ type: "text", text: "do it" }] },
    { role: "user", origin: "reminder", parts: [{ type: "text", text: "for the model only" }] },
    {
      role: "assistant",
      source,
      stop: "tool",
      usage: noUsage(),
      parts: [
        { type: "thinking", text: "well\nnow" },
        { type: "text", text: answer.slice(0, 15) },
        { type: "text", text: answer.slice(15) },
        { type: "tool_call", id: "1", name: "edit", arguments: edit },
        { type: "tool_call", id: "2", name: "bash", arguments: { command: "npm test" } },
      ],
    },
    {
      role: "tool",
      parts: [
        {
          type: "tool_result",
          id: "2",
          name: "bash",
          isError: false,
          content: [{ type: "text", text: "bad\n[exit code 2]" }],
          details: bashDetails,
        },
      ],
    },
    {
      role: "tool",
      parts: [
        {
          type: "tool_result",
          id: "1",
          name: "edit",
          isError: false,
          content: [{ type: "text", text: edited }],
          details: editDetails,
        },
      ],
    },
    { role: "user", origin: "steering", parts: [{ type: "text", text: "also that" }] },
    {
      role: "assistant",
      source,
      stop: "aborted",
      partial: true,
      usage: noUsage(),
      parts: [{ type: "text", text: "I w" }],
    },
  ];
  const events: AgentEvent[] = [
    start,
    { type: "thinking_delta", delta: "well\nn" },
    { type: "thinking_delta", delta: "ow" },
    ...[...answer].map(text),
    turnEnd(),
    call("1", "edit", edit),
    call("2", "bash", { command: "npm test" }),
    result("2", "bash", "bad\n[exit code 2]", bashDetails),
    result("1", "edit", edited, editDetails),
  ];
  using loaded = new TranscriptBench();
  loaded.view.load(messages);
  using lived = new TranscriptBench();
  lived.view.prompt({ text: "do it", images: [] }, "prompt");
  lived.say(...events);
  lived.view.prompt({ text: "also that", images: [] }, "steer");
  lived.say(text("I w"), turnEnd(), runEnd("aborted", "I w"));
  expect(loaded.rows(80)).toEqual(lived.rows(80));
  for (const bench of [loaded, lived]) {
    bench.view.toggleTools();
    bench.view.toggleThinking();
  }
  expect(loaded.rows(60)).toEqual(lived.rows(60));
  expect(loaded.view.blockCount).toBe(lived.view.blockCount);
  expect(shown(loaded).join("\n")).not.toContain("for the model only");
});

test("a tool card says in one line what matters of its call", () => {
  using bench = new TranscriptBench();
  const cards: [string, Parameters<typeof call>[2], string, Parameters<typeof result>[3], string][] = [
    [
      "bash",
      { command: "npm test" },
      "",
      { exit_code: 0, duration_ms: 12_300 },
      "✓ bash npm test  exit 0  12s",
    ],
    ["bash", { command: "false" }, "", { exit_code: 1, duration_ms: 100 }, "✗ bash false  exit 1  0.1s"],
    [
      "read",
      { file_path: "/project/src/a.ts", offset: 3 },
      "",
      { first_line: 3, last_line: 9, total_lines: 50 },
      "✓ read src/a.ts:3-9",
    ],
    [
      "write",
      { file_path: "b.ts", content: "x\ny\n" },
      "",
      { path: "b.ts", created: true },
      "✓ write b.ts  +2",
    ],
    [
      "write",
      { file_path: "b.ts", content: "x\n" },
      "",
      { path: "b.ts", created: false },
      "✓ write b.ts  1 line, replaced",
    ],
    ["grep", { pattern: "a.b", path: "src" }, "", { total_matches: 1 }, "✓ grep a.b in src  1 match"],
    ["find", { pattern: "*.ts" }, "", { total_files: 1_200 }, "✓ find *.ts  1,200 files"],
    ["search_issues", { query: "bug", limit: 3 }, "", {}, "✓ search_issues bug 3"],
  ];
  for (const [index, [name, input, content, details]] of cards.entries())
    bench.say(call(`${index}`, name, input), result(`${index}`, name, content, details));
  expect(shown(bench)).toEqual(cards.map((card) => card[4]));
});

test("a refused call shows why in the folded card", () => {
  using bench = new TranscriptBench();
  bench.say(call("1", "read", { file_path: "x" }), result("1", "read", "x does not exist", {}, true));
  expect(shown(bench)).toEqual(["✗ read x", "    x does not exist"]);
});

test("while a command runs its card shows the time and the end of its output", () => {
  using bench = new TranscriptBench();
  bench.say(call("1", "bash", { command: "make" }));
  for (let line = 0; line < 9; line++) bench.say({ type: "tool_progress", id: "1", delta: `step ${line}\n` });
  bench.settle();
  expect(bench.view.ticking).toBe(true);
  bench.clock.advance(3_400);
  const rows = shown(bench);
  expect(rows[0]).toBe("· bash make  3.0s");
  expect(rows.slice(1)).toEqual(
    ["    … 4 lines not shown", ..."45678"].map((n) => (n.length > 1 ? n : `    step ${n}`)),
  );
  bench.clock.advance(1_000);
  expect(shown(bench)[0]).toBe("· bash make  4.0s");
  bench.say(result("1", "bash", "done", { exit_code: 0, duration_ms: 4_400 }));
  bench.settle();
  expect(bench.view.ticking).toBe(false);
});

test("an edit shows whole lines with their numbers, what changed within them, and the lines around", () => {
  using bench = new TranscriptBench();
  const content = "Edited a.ts: 1 replacement.\n4\tfunction f() {\n5\t  return two;\n6\t}";
  const details = { path: "a.ts", replacements: 1, lines: [5] };
  bench.say(call("1", "edit", { file_path: "a.ts", old_string: "one", new_string: "two" }));
  bench.say(result("1", "edit", content, details));
  expect(shown(bench)).toEqual([
    "✓ edit a.ts  +1  −1",
    "    4   function f() {",
    "    5 -   return one;",
    "    5 +   return two;",
    "    6   }",
  ]);
  const { background, bold, color } = testTheme("dark");
  expect(bench.rows(80).join("\n")).toContain(background.diffAdded(bold(color.diffAdded("two"))));
});

test("a retry is one line that the next attempt replaces and the answer removes", () => {
  using bench = new TranscriptBench();
  bench.say(start, { type: "retry", attempt: 1, delay_ms: 4_000, reason: "overloaded" });
  expect(shown(bench)).toEqual(["! overloaded (attempt 2 in 4s)"]);
  bench.clock.advance(2_000);
  expect(shown(bench)).toEqual(["! overloaded (attempt 2 in 2s)"]);
  bench.say({ type: "retry", attempt: 2, delay_ms: 8_000, reason: "overloaded" });
  expect(shown(bench)).toEqual(["! overloaded (attempt 3 in 8s)"]);
  bench.say(text("hello"));
  expect(shown(bench)).toEqual(["  hello"]);
});

test("an end that carries nothing leaves no mark; an interruption and a cut do", () => {
  const after = (...events: AgentEvent[]) => {
    using bench = new TranscriptBench();
    bench.say(start, ...events);
    return shown(bench);
  };
  expect(after(text("hi"), turnEnd(), runEnd("end"))).toEqual(["  hi"]);
  expect(after(text("hi"), turnEnd(), runEnd("aborted"))).toEqual(["  hi", "■ Interrupted"]);
  expect(after(turnEnd(), runEnd("end", " "))).toEqual(["■ The model ended without an answer"]);
  const told: AgentEvent = { type: "notice", level: "warning", message: "The answer was cut" };
  expect(after(text("hi"), told, runEnd("length"))).toEqual(["  hi", "! The answer was cut"]);
});

test("an error shows what happened and what to do", () => {
  using bench = new TranscriptBench();
  bench.say({
    type: "error",
    code: "auth",
    message: "the key was refused",
    hint: "Run pi login.",
    retryable: false,
  });
  expect(shown(bench)).toEqual(["✗ the key was refused", "  Run pi login."]);
});

test("a table of a command fits the screen by display width", () => {
  using bench = new TranscriptBench();
  const rows = [
    ["日本語", "short"],
    ["b", "many words that do not fit into one line of this narrow screen"],
  ];
  bench.view.command("/list", [{ kind: "table", head: ["name", "what"], rows }], false);
  expect(shown(bench, 40)).toEqual([
    "/list",
    "  name    what",
    "  日本語  short",
    "  b       many words that do not fit",
    "          into one line of this narrow",
    "          screen",
  ]);
});

test("code is coloured as soon as its grammar is loaded, which no first frame waits for", async () => {
  using bench = new TranscriptBench();
  bench.say(start, text("```ts\nconst answer = 42;\n```"));
  const { color } = testTheme("dark");
  expect(bench.rows(80).join("\n")).not.toContain(color.syntaxKeyword("const"));
  await bench.view.highlighted();
  expect(bench.rows(80).join("\n")).toContain(color.syntaxKeyword("const"));
  expect(bench.rows(80).join("\n")).toContain(color.syntaxNumber("42"));
});

test("after a change of the theme all rows are drawn with the new one [T07]", async () => {
  using bench = new TranscriptBench();
  bench.view.prompt({ text: "hi", images: [] }, "prompt");
  bench.say(start, text("# Title\n\n```ts\nconst a = 1;\n```"), call("1", "ls", { path: "." }));
  bench.rows(80);
  await bench.view.highlighted();
  const dark = bench.rows(80).join("\n");
  bench.themes.current = testTheme("light");
  bench.view.invalidate();
  const light = bench.rows(80).join("\n");
  expect(light).toContain(testTheme("light").background.prompt("").slice(0, 9));
  expect(light).not.toMatch(/\x1b\[38;5;[2-6]\dm/);
  expect(plain(light.split("\n"))).toEqual(plain(dark.split("\n")));
});

test("a pasted text of thousands of lines is folded, and a click on its first line opens it", () => {
  using bench = new TranscriptBench();
  bench.view.prompt(
    { text: Array.from({ length: 5_000 }, (_, n) => `l${n}`).join("\n"), images: [] },
    "prompt",
  );
  const rows = shown(bench);
  expect(rows.length).toBe(25);
  expect(rows.join("\n")).toContain("4,976 more lines");
  bench.view.handleMouse({ type: "click", button: "left", x: 3, y: 0 } as Parameters<
    typeof bench.view.handleMouse
  >[0]);
  expect(shown(bench).length).toBe(2_001);
});

test("hidden characters of a model, a tool and a file are shown, not obeyed [T03]", () => {
  using bench = new TranscriptBench();
  bench.say(start, text("see \u202egnp.exe"), call("1", "bash", { command: "echo \x1b]0;x\x07" }));
  bench.say(result("1", "bash", "a\x1b[2Jb\u200bc", { exit_code: 0 }));
  const rows = shown(bench).join("\n");
  expect(rows).toContain("see \\u{202e}gnp.exe");
  expect(rows).toContain("echo \\x1b]0;x\\x07");
  expect(rows).toContain("a\\x1b[2Jb\\u{200b}c");
});

test("a stored command of the person is a card again", () => {
  using bench = new TranscriptBench();
  bench.view.load([
    { role: "user", origin: "shell", parts: [{ type: "text", text: "$ ls\na\nb\n(exit code 3)" }] },
  ]);
  expect(shown(bench)).toEqual(["✗ ! ls  exit 3", "    a", "    b"]);
});
