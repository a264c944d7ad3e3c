import { expect, test } from "bun:test";
import { type OverlayHandle, Text, type TUI } from "@earendil-works/pi-tui";
import { drawing } from "../test-support/components.ts";
import { KEY } from "../test-support/dialog-screen.ts";
import { extension, SurfaceBench } from "../test-support/surface-bench.ts";

const source = extension("shower");
type Done = (value: unknown) => void;

test("an overlay has the keys, and done takes it away", async () => {
  await using bench = await SurfaceBench.open();
  const view = drawing(() => ["an overlay"]);
  let finish: Done = () => undefined;
  const answer = bench.ui.custom(
    source,
    (_tui: TUI, _theme: unknown, _keys: unknown, done: Done) => {
      finish = done;
      return view.component;
    },
    { overlay: true, overlayOptions: { anchor: "top-left", width: 20 } },
  );
  const rows = await bench.until("an overlay");
  expect(rows[0]).toStartWith("an overlay");
  bench.type("x");
  expect(view.keys).toEqual(["x"]);
  finish("value");
  expect(await answer).toBe("value");
  await bench.without("an overlay");
  expect(view.disposed).toBe(1);
});

test.each([
  ["higher than the screen", { maxHeight: 500 }],
  ["without a height", {}],
  ["below the screen", { row: 500, col: 500 }],
  ["with margins larger than the screen", { margin: 500 }],
  ["with margins of all sides", { margin: { top: 300, left: -9 } }],
  ["of no meaning", { width: "wide", anchor: "nowhere", margin: "x", maxHeight: {} }],
  ["wider than the screen", { width: 900, minWidth: 700 }],
])("an overlay %s moves nothing below it [T01]", async (_what, overlayOptions) => {
  await using bench = await SurfaceBench.open(60, 16);
  bench.ui.notify(source, "a notice", "info");
  const before = await bench.until("a notice");
  const high = Array.from({ length: 1_000 }, (_, row) => `o${row}`);
  const answer = bench.ui.custom(source, () => drawing(() => high).component, {
    overlay: true,
    overlayOptions,
  });
  const shown = await bench.until("o0");
  expect(shown).toHaveLength(16);
  bench.type(KEY.controlC, KEY.controlC);
  expect(await answer).toBeUndefined();
  // A hint stands in the first row for a moment.
  expect((await bench.without("o0")).slice(1)).toEqual(before.slice(1));
});

test("options may be a function and change; what they throw is told", async () => {
  await using bench = await SurfaceBench.open();
  let col = 10;
  let fails = false;
  void bench.ui.custom(source, () => new Text("moving", 0, 0), {
    overlay: true,
    overlayOptions: () => {
      if (fails) throw new Error("no options");
      return { row: 0, col, width: 10 };
    },
  });
  await bench.until((rows) => rows[0]?.indexOf("moving") === 10);
  col = 30;
  bench.type("x");
  await bench.until((rows) => rows[0]?.indexOf("moving") === 30);
  fails = true;
  bench.type("x");
  await bench.until((rows) => rows[0]?.includes("moving") !== true);
  expect(bench.faults).toEqual(["shower: the options of its overlay: no options"]);
});

test("the handle hides, shows and removes; done still answers afterwards", async () => {
  await using bench = await SurfaceBench.open();
  let handle: OverlayHandle | undefined;
  let finish: Done = () => undefined;
  const answer = bench.ui.custom(
    source,
    (_tui: TUI, _theme: unknown, _keys: unknown, done: Done) => {
      finish = done;
      return new Text("handled", 0, 0);
    },
    {
      overlay: true,
      onHandle: (given) => {
        handle = given as OverlayHandle;
      },
    },
  );
  await bench.until("handled");
  handle!.setHidden(true);
  await bench.without("handled");
  bench.type("e");
  await bench.until(/^e/m);
  handle!.setHidden(false);
  await bench.until("handled");
  expect(handle!.isFocused()).toBe(true);
  handle!.hide();
  await bench.without("handled");
  finish("late");
  expect(await answer).toBe("late");
});

test("a component may open overlays of its own and move the keys between them and its parts", async () => {
  await using bench = await SurfaceBench.open();
  const inner = drawing(() => ["inner"]);
  const help = drawing(() => ["help"]);
  const whole = drawing(() => ["whole"]);
  let tui!: TUI;
  void bench.ui.custom(
    source,
    (given: TUI) => {
      tui = given;
      return whole.component;
    },
    {},
  );
  await bench.until("whole");
  tui.setFocus(inner.component);
  bench.type("1");
  tui.setFocus(null);
  bench.type("2");
  expect(tui.hasOverlay()).toBe(false);
  const handle = tui.showOverlay(help.component, { anchor: "center" });
  await bench.until("help");
  expect(tui.hasOverlay()).toBe(true);
  bench.type("3");
  handle.hide();
  bench.type("4");
  tui.showOverlay(help.component);
  tui.hideOverlay();
  bench.type("5");
  expect([inner.keys, whole.keys, help.keys]).toEqual([["1"], ["2", "4", "5"], ["3"]]);
  expect(bench.faults).toEqual([]);
});

test("an overlay without keys leaves them to the editor; Esc twice with nothing to do closes it [T06]", async () => {
  await using bench = await SurfaceBench.open();
  const answer = bench.ui.custom(source, () => new Text("a cover", 0, 0), {
    overlay: true,
    overlayOptions: { nonCapturing: true, anchor: "top-left" },
  });
  await bench.until("a cover");
  bench.type("h", "i");
  await bench.until(/^hi/m);
  bench.type(KEY.escape);
  await bench.until("a cover");
  bench.type(KEY.escape);
  expect(await answer).toBeUndefined();
  await bench.without("a cover");
});

test("what would reach the screen past the surface is refused and told once [T01]", async () => {
  await using bench = await SurfaceBench.open();
  let tui!: TUI;
  bench.ui.setWidget(
    source,
    "w",
    (given: TUI) => {
      tui = given;
      return new Text("widget", 0, 0);
    },
    "aboveEditor",
  );
  await bench.until("widget");
  const { length } = bench.terminal.written;
  tui.terminal.write("\x1b[2J");
  tui.terminal.clearScreen();
  tui.addChild(new Text("in the chat", 0, 0));
  tui.clear();
  tui.setFocus(new Text("nobody", 0, 0));
  tui.terminal.write("\x1b_Ga=d,d=I,i=7\x1b\\");
  expect(bench.terminal.written.slice(length)).toEqual(["\x1b_Ga=d,d=I,i=7\x1b\\"]);
  tui.terminal.clearScreen();
  expect(bench.faults.map((fault) => fault.split(" ")[1])).toEqual([
    "tui.terminal.write():",
    "tui.terminal.clearScreen():",
    "tui.addChild():",
    "tui.clear():",
  ]);
});

test("an extension may give the terminal to a program of its own and take it back", async () => {
  await using bench = await SurfaceBench.open();
  let tui!: TUI;
  bench.ui.setWidget(
    source,
    "w",
    (given: TUI) => {
      tui = given;
      return new Text("widget", 0, 0);
    },
    "aboveEditor",
  );
  await bench.until("widget");
  const { length } = bench.terminal.written;
  tui.stop();
  expect(bench.terminal.written.slice(length).join("")).toContain("\x1b[?1049l");
  tui.start();
  expect(bench.terminal.written.slice(length).join("")).toContain("\x1b[?1049h");
  await bench.until("widget");
  tui.stop();
  bench.ui.release(source);
  await bench.without("widget");
});
