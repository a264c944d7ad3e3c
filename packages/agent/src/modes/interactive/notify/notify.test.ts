import { expect, test } from "bun:test";
import { TuiAltScreen } from "@earendil-works/pi-tui";
import { FakeTerminal } from "../test-support/fake-terminal.ts";
import { noticeProtocol, noticeSequence } from "./notice-sequence.ts";
import { Notifier } from "./notifier.ts";
import { WindowFocus } from "./window-focus.ts";
import { showsProgress, WindowStatus } from "./window-status.ts";

const NOTICE = { title: "pi is done", body: "All tests pass" };

test.each([
  [{ TERM: "xterm-kitty" }, "osc99"],
  [{ TERM: "tmux-256color", KITTY_WINDOW_ID: "1", TMUX: "x" }, "osc99"],
  [{ TERM: "xterm-ghostty", TERM_PROGRAM: "ghostty" }, "osc777"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, "osc9"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "tmux", LC_TERMINAL: "iTerm2", TMUX: "x" }, "osc9"],
  [{ TERM: "foot" }, "osc777"],
  [{ TERM: "xterm-256color" }, "bell"],
  [{ TERM: "linux" }, "bell"],
] as const)("the environment %o tells people by %s", (env, expected) => {
  expect(noticeProtocol(env)).toBe(expected);
});

test.each([
  ["osc9", "\x1b]9;pi is done: All tests pass\x1b\\"],
  ["osc777", "\x1b]777;notify;pi is done;All tests pass\x1b\\"],
  ["osc99", "\x1b]99;i=pi:d=0;pi is done\x1b\\\x1b]99;i=pi:p=body;All tests pass\x1b\\"],
  ["bell", "\x07"],
] as const)("a notice by %s is its sequence", (protocol, expected) => {
  expect(noticeSequence(NOTICE, protocol, {})).toBe(expected);
});

test("inside tmux a notice is passed through, and the window there is marked", () => {
  expect(noticeSequence(NOTICE, "osc9", { TMUX: "/tmp/x" })).toBe(
    "\x1bPtmux;\x1b\x1b]9;pi is done: All tests pass\x1b\x1b\\\x1b\\\x07",
  );
});

test("a text of the model cannot leave the notice, and is bounded", () => {
  const body = `a\x1b\\\x1b]0;evil\x07b\n\x9b31m${"x".repeat(500)}`;
  for (const protocol of ["osc9", "osc777", "osc99"] as const) {
    const sequence = noticeSequence({ title: "t", body }, protocol, {});
    expect(sequence.match(/[\x1b\x07\x9b]/g)).toHaveLength(protocol === "osc99" ? 4 : 2);
    expect(sequence.length).toBeLessThan(300);
  }
  expect(noticeSequence({ title: "a;b", body: "c;d" }, "osc777", {})).toBe("\x1b]777;notify;a,b;c,d\x1b\\");
});

function notifier(inFront: boolean | undefined, setting: "off" | "bell" | "desktop" = "bell") {
  let now = 0;
  const written: string[] = [];
  const made = new Notifier({
    env: { TERM: "xterm-kitty" },
    write: (data) => written.push(data),
    now: () => now,
    setting: () => setting,
    inFront: () => inFront,
  });
  return {
    written,
    turn: (ms: number) => {
      made.turnStarted();
      now += ms;
      made.turnEnded("done");
    },
    made,
  };
}

test("the end of a turn is told when the window is behind, however short it was", () => {
  const { turn, written } = notifier(false);
  turn(10);
  expect(written).toEqual(["\x07"]);
});

test("nothing is told while the window is in front", () => {
  const { turn, written, made } = notifier(true);
  turn(100_000);
  made.asked("Run bash?");
  expect(written).toEqual([]);
});

test("where it is not known who looks, only turns over 10 seconds are told", () => {
  const { turn, written } = notifier(undefined);
  turn(10_000);
  expect(written).toEqual([]);
  turn(10_001);
  expect(written).toEqual(["\x07"]);
});

test("off tells nothing, desktop tells by the terminal's own way", () => {
  const off = notifier(false, "off");
  off.turn(1);
  expect(off.written).toEqual([]);
  const desktop = notifier(false, "desktop");
  desktop.turn(1);
  desktop.made.asked("Run bash?");
  expect(desktop.written[0]).toStartWith("\x1b]99;i=pi:d=0;pi is done\x1b\\");
  expect(desktop.written[1]).toContain("p=body;Run bash?");
});

test("focus reports are read although the screen library swallows them", () => {
  const terminal = new FakeTerminal(20, 5);
  const seen: boolean[] = [];
  const focus = new WindowFocus(terminal, (inFront) => seen.push(inFront));
  const tui = new TuiAltScreen(terminal);
  tui.start();
  focus.enable();
  expect(focus.inFront).toBeUndefined();
  for (const report of ["\x1b[O", "\x1b[O", "\x1b[I"]) terminal.send(report);
  expect(seen).toEqual([false, true]);
  expect(focus.inFront).toBe(true);
  focus.disable();
  tui.stop({ preserveScreen: true });
  expect(terminal.written.join("")).toContain("\x1b[?1004h");
  expect(terminal.written.join("")).toContain("\x1b[?1004l");
});

test("progress is only written to terminals that show it as progress", () => {
  expect(showsProgress({ WT_SESSION: "1" })).toBe(true);
  expect(showsProgress({ TERM_PROGRAM: "ghostty", TERM_PROGRAM_VERSION: "1.2.0" })).toBe(true);
  expect(showsProgress({ TERM_PROGRAM: "ghostty", TERM_PROGRAM_VERSION: "1.1.3" })).toBe(false);
  expect(showsProgress({ TERM_PROGRAM: "iTerm.app", TERM_PROGRAM_VERSION: "3.5.1" })).toBe(false);
  expect(showsProgress({ WT_SESSION: "1", TMUX: "x" })).toBe(false);
  expect(showsProgress({ TERM: "xterm-256color" })).toBe(false);
});

test("the window tells what goes on, and gets the shell's title back", () => {
  const terminal = new FakeTerminal();
  const status = new WindowStatus(terminal, { TERM: "xterm-256color", WT_SESSION: "1" });
  status.start();
  status.setTitle("project\x1b]0;evil\x07");
  expect(terminal.title).toBe("pi - project\\x1b]0;evil\\x07");
  status.setTitle("project");
  status.setState("working");
  expect([terminal.title, terminal.progress]).toEqual(["● pi - project", true]);
  status.setState("blocked");
  expect([terminal.title, terminal.progress]).toEqual(["? pi - project", false]);
  expect(terminal.programStatus).toEqual({ state: "blocked", app: "pi", kind: "question" });
  status.stop();
  expect(terminal.written).toEqual(["\x1b[22;0t", "\x1b[23;0t"]);
  expect(terminal.programStatus).toEqual({ state: "clear" });
});
