import { expect, jest, test } from "bun:test";
import { Input, TuiAltScreen } from "@earendil-works/pi-tui";
import { FakeTerminal } from "../test-support/fake-terminal.ts";
import { followTerminal } from "./follow-terminal.ts";
import { createThemes } from "./themes.ts";

const ENV = { TERM: "xterm-256color", COLORTERM: "truecolor" };

function started() {
  const terminal = new FakeTerminal(40, 5);
  const tui = new TuiAltScreen(terminal);
  const prompt = new Input();
  tui.addChild(prompt);
  tui.setFocus(prompt);
  const themes = createThemes({ env: ENV, isTerminal: true, platform: "linux" });
  tui.start();
  tui.renderNow();
  const framesBefore = terminal.written.length;
  const end = followTerminal(tui, themes);
  return {
    terminal,
    tui,
    prompt,
    themes,
    framesBefore,
    [Symbol.dispose]() {
      end();
      tui.stop({ preserveScreen: true });
    },
  };
}

test("the terminal is asked only after the first frame was drawn, and the answer repaints [T07]", async () => {
  using surface = started();
  expect(surface.framesBefore).toBeGreaterThan(0);
  expect(surface.terminal.written.slice(surface.framesBefore).join("")).toContain("\x1b]11;?");
  expect(surface.themes.current.name).toBe("tokyo-night");
  const changed = new Promise<void>((resolve) => surface.themes.onChange(resolve));
  surface.terminal.send("\x1b]11;rgb:ffff/ffff/ffff\x1b\\");
  surface.terminal.send("\x1b[?62;22c");
  await changed;
  expect(surface.themes.current.name).toBe("tokyo-night-day");
  expect(surface.prompt.getValue()).toBe("");
});

test("a reply after the wait is taken too, and never lands in the prompt [T07]", async () => {
  jest.useFakeTimers();
  using surface = started();
  jest.advanceTimersByTime(250); // the wait for the reply is over
  jest.useRealTimers();
  const changed = new Promise<void>((resolve) => surface.themes.onChange(resolve));
  surface.terminal.send("\x1b]11;rgb:ff/ff/ff\x07");
  surface.terminal.send("\x1b[?1;2c");
  await changed;
  surface.terminal.send("x");
  expect(surface.themes.current.name).toBe("tokyo-night-day");
  expect(surface.prompt.getValue()).toBe("x");
});

test("replies that nobody asked for are swallowed [T07]", () => {
  using surface = started();
  surface.terminal.send("\x1b[?62c");
  for (const reply of [
    "\x1b]11;rgb:0/0/0\x07",
    "\x1b]10;rgb:0/0/0\x1b\\",
    "\x1b]4;3;rgb:0/0/0\x07",
    "\x1b[?62;4c",
  ])
    surface.terminal.send(reply);
  expect(surface.prompt.getValue()).toBe("");
});

test("a change to light is followed, and its colours are asked for again [T07]", () => {
  using surface = started();
  expect(surface.terminal.written.join("")).toContain("\x1b[?2031h");
  const before = surface.terminal.written.length;
  surface.terminal.send("\x1b[?997;2n");
  expect(surface.themes.current).toMatchObject({ name: "tokyo-night-day", kind: "light" });
  expect(surface.terminal.written.slice(before).join("")).toContain("\x1b]11;?");
});

test("after the end the mode is off and reports change nothing", () => {
  const surface = started();
  surface[Symbol.dispose]();
  expect(surface.terminal.written.join("")).toContain("\x1b[?2031l");
  surface.terminal.send("\x1b[?997;2n");
  expect(surface.themes.current.name).toBe("tokyo-night");
});
