import { expect, test } from "bun:test";
import { visibleWidth } from "@earendil-works/pi-tui";
import { PromptBench, SOME_COMMANDS } from "./test-support/prompt-bench.ts";

const PIECES = [
  "a",
  "word ",
  "  ",
  "\t",
  "日本語",
  "🎉",
  "👨‍👩‍👧",
  "🇩🇪",
  "e\u0301",
  "ก็",
  "مرحبا",
  "❤️",
  "\u200b",
  "\u200d",
  "\ufe0f",
  "\ud83d",
  "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\",
  "\x1b[31m",
  "(",
  '"',
  "@",
  "/",
  "!",
  "x".repeat(50),
  "\n",
  "ﷺ",
  "￼",
];
const KEYS = [
  "\x1b[A",
  "\x1b[B",
  "\x1b[C",
  "\x1b[D",
  "\x1b[1;5C",
  "\x1b[1;5D",
  "\x7f",
  "\x1b[3~",
  "\x17",
  "\x0b",
  "\x15",
  "\x19",
  "\x1by",
  "\x1f",
  "\x01",
  "\x05",
  "\t",
  "\n",
  "\x1b",
  "\x12",
  "\x1b[5~",
  "\x1b[6~",
  "\r",
  "/",
  "@",
  "!",
  "\x1b[H",
  "\x1b[F",
  "\x1d",
  "\x1bd",
];

/** Mulberry32: the same run everywhere. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

for (const vim of [false, true])
  test(`any text and any keys at any width: nothing is thrown and no line is too wide${vim ? ", with vim keys" : ""} [T03]`, () => {
    const below = random(vim ? 2 : 1);
    for (let round = 0; round < 25; round++) {
      const image = { type: "image", mimeType: "image/png", data: "" } as const;
      using bench = new PromptBench({
        vim,
        commands: () => SOME_COMMANDS,
        history: () => ["earlier", "日本語 earlier\nsecond line"],
        findFiles: async () => ["src/", "日本.md", "a b.ts"],
        readImageFile: async () => image,
      });
      for (let step = 0; step < 60; step++) {
        const text = Array.from({ length: 1 + below(6) }, () => PIECES[below(PIECES.length)]).join("");
        const what = below(10);
        if (what === 0) bench.paste(text.repeat(1 + below(200)));
        else if (what < 4) bench.paste(text);
        else if (what < 6) for (const unit of text) bench.editor.handleInput(unit);
        else if (what === 6 && vim) for (const key of "dwcwbeyyppxu.G0$ggrxfa") bench.type(key);
        else bench.type(KEYS[below(KEYS.length)]!);
        const width = 1 + below(200);
        for (const line of bench.lines(width))
          if (visibleWidth(line) > width || line.includes("\n")) {
            expect({ round, step, width, line, text: bench.text }).toBe("a line that fits" as never);
          }
        const { line, col } = bench.editor.getCursor();
        expect(col).toBeLessThanOrEqual(bench.editor.getLines()[line]!.length);
      }
    }
  });
