import { expect, test } from "bun:test";
import { stripTerminalSequences, visibleWidth } from "@earendil-works/pi-tui";
import { randomNumbers } from "./test-support/corpus.ts";
import { call, result, start, TranscriptBench, text, turnEnd } from "./test-support/transcript-bench.ts";

const atoms = [
  "a",
  "word ",
  "\t",
  "日本語",
  "한국어",
  "👨‍👩‍👧‍👦",
  "🇯🇵",
  "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "e\u0301",
  "ä̈̈",
  "العربية",
  "می‌خواهم",
  "❤️",
  "☎︎",
  "\ufe0f",
  "\u200b",
  "\u202e",
  "\u2066",
  "\u{e0041}",
  "\ud83d",
  "\x1b[31m",
  "\x1b]8;;http://x\x1b\\",
  "\x1b]0;t\x07",
  "\x07",
  "\x9b2J",
  "\r",
  "\n",
  "\n\n",
  "# ",
  "- ",
  "1. ",
  "> ",
  "```ts\n",
  "```",
  "~~~",
  "|",
  "|---|",
  "**",
  "*",
  "_",
  "`",
  "[a](http://b.c)",
  "![",
  "<b>",
  "&#27;",
  "&amp;",
  "$x^2$",
  "$$",
  "\\(",
  "---\n",
  "==",
  "  ",
  "    ",
  "const x = 1;",
  "/* ",
  '"',
  "'",
  "ก็ำ",
  "क्षि",
  "ﷺ",
  "\u3164",
  "🎉🏽",
  "０",
  "…",
  "\u00ad",
  "@@ -1,2 +1,2 @@\n",
  "+",
  "\u2028",
  "https://example.com/a/very/long/path",
];

const ACTING =
  /[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
/** What our own rows may hold: colours, links, prompt marks. */
const OURS = /\x1b\[[\d;]*m|\x1b\]8;;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\]133;A\x07/g;

const tools = ["bash", "read", "edit", "write", "grep", "find", "ls", "other"];

test("100,000 random strings in every kind of block, at widths from 1 to 200, never throw, overflow or act [T03]", () => {
  using bench = new TranscriptBench(80, 24);
  const { view } = bench;
  const below = randomNumbers(20_261_130);
  const random = () => {
    let made = "";
    for (let count = 1 + below(5); count > 0; count--) made += atoms[below(atoms.length)];
    return made;
  };
  let strings = 0;
  const many = (count: number) => {
    strings += count;
    return Array.from({ length: count }, random).join("");
  };
  const fill: (() => void)[] = [
    () => bench.say(start, text(many(12))),
    () => bench.say(start, text(`\`\`\`ts\n${many(12)}`)),
    () => bench.say({ type: "thinking_delta", delta: many(8) }),
    () => view.prompt({ text: many(12), images: [] }, "steer"),
    () => view.notice("warning", many(6), many(4)),
    () => bench.say({ type: "retry", attempt: 1, delay_ms: 1_000, reason: many(8) }),
    () =>
      view.shell({
        type: "shell",
        id: random(),
        command: many(4),
        kept: false,
        output: many(8),
        exitCode: 1,
      }),
    () =>
      view.command(
        many(4),
        [
          { kind: "text", text: many(8) },
          { kind: "markdown", text: many(8) },
        ],
        true,
      ),
    () =>
      view.command(
        "/t",
        [{ kind: "table", head: [many(1), many(1)], rows: [[many(2), many(2)], [many(2)]] }],
        false,
      ),
    () => view.command("/d", [{ kind: "diff", text: `@@ -1 +1 @@\n-${many(6)}\n+${many(6)}` }], false),
    () => {
      const name = tools[below(tools.length)]!;
      const input = {
        command: many(2),
        file_path: many(1),
        pattern: many(1),
        old_string: many(2),
        new_string: many(2),
        content: many(2),
        x: many(1),
      };
      const details = { path: many(1), created: true, exit_code: 1, lines: [1], replacements: 1 };
      bench.say(start, turnEnd(), call("c", name, input), { type: "tool_progress", id: "c", delta: many(2) });
      if (below(4) > 0) bench.say(result("c", name, many(6), details, below(3) === 0));
    },
  ];
  while (strings < 100_000) {
    view.clear();
    for (let count = 0; count < 4; count++) fill[below(fill.length)]!();
    if (below(2) === 0) view.toggleTools();
    if (below(2) === 0) view.toggleThinking();
    const width = 1 + below(below(2) === 0 ? 200 : 24);
    for (const row of view.render(width)) {
      if (visibleWidth(row) > width)
        throw new Error(`${visibleWidth(row)} > ${width}: ${JSON.stringify(row)}`);
      const bare = row.replace(OURS, "");
      if (ACTING.test(bare)) throw new Error(`it acts: ${JSON.stringify(row)}`);
      if (bare.includes("[cannot be shown")) throw new Error(`it threw: ${JSON.stringify(row)}`);
      expect(stripTerminalSequences(bare)).toBe(bare);
    }
  }
  expect(strings).toBeGreaterThanOrEqual(100_000);
});
