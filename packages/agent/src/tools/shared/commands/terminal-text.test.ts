import { expect, test } from "bun:test";
import { terminalText } from "./terminal-text.ts";

/** The final text of `input`, the same for all ways to cut it into pieces. */
function shown(input: string): string {
  const results = [1, 3, 1_000_000].map((size) => {
    let text = "";
    const terminal = terminalText((part) => {
      text += part;
    });
    for (let at = 0; at < input.length; at += size) terminal.push(input.slice(at, at + size));
    terminal.flush();
    return text;
  });
  expect(new Set(results).size).toBe(1);
  return results[0] ?? "";
}

test("of a progress bar the last state is left [B05]", () => {
  let frames = "";
  for (let percent = 0; percent <= 100; percent++)
    frames += `\r\x1b[K\x1b[32m${percent}%\x1b[0m ${"#".repeat(percent)}`;
  expect(shown(`${frames}\ndone\n`)).toBe(`100% ${"#".repeat(100)}\ndone\n`);
});

test("a shorter text over a longer one leaves the longer one's end, as on a screen [B05]", () => {
  expect(shown("downloading\rdone\n")).toBe("doneloading\n");
  expect(shown("downloading\r\x1b[Kdone\n")).toBe("done\n");
  expect(shown("a\r\nb\r\n")).toBe("a\nb\n");
});

test("colours, links, titles and other sequences leave no trace [B05]", () => {
  const input =
    "\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \x1b[1;38;5;200mred\x1b[m \x1b(B\x1b=\x1bPdcs\x1b\\end\x9b31m!\x07\x0e\x0f\x7f";
  expect(shown(input)).toBe("link red end!");
});

test("lines redrawn by cursor moves are shown once, in their final state [B05]", () => {
  expect(shown("one\ntwo\n\x1b[2A\x1b[2KONE\n\x1b[2KTWO\n")).toBe("ONE\nTWO\n");
  expect(shown("abcdef\x1b[3DX\x1b[1GY\x1b[2CZ\n")).toBe("YbcZef\n");
  expect(shown("ab\b\bc\n")).toBe("cb\n");
});

test("what is cleared from the screen was still said", () => {
  expect(shown("first\n\x1b[2J\x1b[Hsecond\n")).toBe("first\nsecond\n");
});

test("characters of two halves survive overwriting [F19]", () => {
  const text = shown("😀😀😀\rab\n");
  expect(text).toBe("ab😀\n");
  expect(text.isWellFormed()).toBe(true);
});

test("a sequence that never ends is not shown and swallows no more than itself", () => {
  expect(shown("before\x1b[3")).toBe("before");
  expect(shown(`\x1b]0;${"x".repeat(10_000)}\nafter`)).toContain("after");
});

test("no control character but tab and line feed gets through, whatever comes [B05]", () => {
  let input = "";
  let state = 7;
  for (let at = 0; at < 20_000; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    input += String.fromCharCode(state % 7 === 0 ? 0x1b : (state >> 8) % 0xa0);
  }
  let text = "";
  const terminal = terminalText((part) => {
    text += part;
  });
  for (let at = 0; at < input.length; at += 13) terminal.push(input.slice(at, at + 13));
  terminal.flush();
  expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
});

test("plain text of any length passes unchanged", () => {
  const text = Array.from({ length: 5_000 }, (_, line) => `line ${line}\twith tab`).join("\n");
  expect(shown(text)).toBe(text);
  expect(shown("x".repeat(200_000))).toBe("x".repeat(200_000));
});

test("a title that is never ended costs no more than its line [B05]", () => {
  expect(shown("one\n\x1b]0;title\ntwo\n\x1b]8;;http://x\x07link\x1b]8;;\x07\n")).toBe("one\n\ntwo\nlink\n");
});
