import { expect, test } from "bun:test";
import { detectColorDepth } from "./color-depth.ts";

const depth = (env: Record<string, string>, isTerminal = true, platform = "linux") =>
  detectColorDepth(env, isTerminal, platform);

test.each([
  [{ TERM: "xterm-256color", COLORTERM: "truecolor" }, "truecolor"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, "truecolor"],
  [{ TERM: "xterm-kitty" }, "truecolor"],
  [{ TERM: "xterm-direct" }, "truecolor"],
  [{ TERM: "xterm-256color" }, "256"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, "256"],
  [{ TERM: "tmux-256color", TERM_PROGRAM: "WezTerm", TMUX: "/tmp/tmux" }, "256"],
  [{ TERM: "tmux-256color", COLORTERM: "truecolor", TMUX: "/tmp/tmux" }, "truecolor"],
  [{ TERM: "linux" }, "16"],
  [{}, "16"],
  [{ TERM: "dumb", COLORTERM: "truecolor" }, "none"],
] as const)("the environment %o has %s colours [T07]", (env, expected) => {
  expect(depth(env)).toBe(expected);
});

test("NO_COLOR turns colours off, an empty one does not [T07]", () => {
  expect(depth({ TERM: "xterm-256color", NO_COLOR: "1" })).toBe("none");
  expect(depth({ TERM: "xterm-256color", NO_COLOR: "" })).toBe("256");
});

test("FORCE_COLOR goes before NO_COLOR and before the terminal [T07]", () => {
  expect(depth({ TERM: "dumb", FORCE_COLOR: "1" })).toBe("16");
  expect(depth({ TERM: "xterm", NO_COLOR: "1", FORCE_COLOR: "3" })).toBe("truecolor");
  expect(depth({ TERM: "xterm-256color", FORCE_COLOR: "2" }, false)).toBe("256");
  expect(depth({ TERM: "xterm-256color", COLORTERM: "truecolor", FORCE_COLOR: "0" })).toBe("none");
});

test("without a terminal there are no colours", () => {
  expect(depth({ TERM: "xterm-256color", COLORTERM: "truecolor" }, false)).toBe("none");
});

test("the console of Windows has all colours without a TERM", () => {
  expect(depth({}, true, "win32")).toBe("truecolor");
});
