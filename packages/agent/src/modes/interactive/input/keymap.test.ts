import { afterEach, expect, test } from "bun:test";
import { getKeybindings, KeybindingsManager, setKeybindings, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import { ACTIONS, APP_ACTION_IDS } from "./actions.ts";
import { createKeymap } from "./keymap.ts";

afterEach(() => setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS)));

test("the defaults bring no notice, and each action has a description without a full stop", () => {
  const { keymap, notices } = createKeymap({});
  expect(notices).toEqual([]);
  expect(keymap.list().length).toBe(ACTIONS.size);
  for (const { description } of keymap.list()) {
    expect(description).not.toBe("");
    expect(description.endsWith(".")).toBe(false);
  }
});

// [action, old encoding, Kitty encoding, xterm's modifyOtherKeys]
const ENCODINGS: readonly [string, string | null, string, string | null][] = [
  ["app.tools.toggle", "\x0f", "\x1b[111;5u", "\x1b[27;5;111~"],
  ["app.clear", "\x03", "\x1b[99;5u", "\x1b[27;5;99~"],
  ["app.exit", "\x04", "\x1b[100;5u", "\x1b[27;5;100~"],
  ["app.history.search", "\x12", "\x1b[114;5u", "\x1b[27;5;114~"],
  ["app.editor.external", "\x07", "\x1b[103;5u", "\x1b[27;5;103~"],
  ["app.thinking.toggle", "\x14", "\x1b[116;5u", "\x1b[27;5;116~"],
  ["app.image.paste", "\x16", "\x1b[118;5u", "\x1b[27;5;118~"],
  ["app.model.choose", "\x0c", "\x1b[108;5u", "\x1b[27;5;108~"],
  ["app.suspend", "\x1a", "\x1b[122;5u", "\x1b[27;5;122~"],
  ["app.interrupt", "\x1b", "\x1b[27u", "\x1b[27;1;27~"],
  ["app.follow_up", "\x1b\r", "\x1b[13;3u", "\x1b[27;3;13~"],
  ["app.transcript.search", "\x1bOR", "\x1b[102;6u", "\x1b[27;6;102~"],
  ["app.queue.edit", "\x1bp", "\x1b[1;3A", null],
  ["app.scroll.pageUp", "\x1b[5~", "\x1b[5;1:1~", null],
];

test("keys are understood in the old, the Kitty and xterm's encoding", () => {
  const { keymap } = createKeymap({});
  for (const [action, ...inputs] of ENCODINGS)
    for (const input of inputs)
      if (input !== null)
        expect([action, JSON.stringify(input), keymap.actionsFor(input)]).toEqual([
          action,
          JSON.stringify(input),
          expect.arrayContaining([action]),
        ]);
});

test("a key of the user's replaces the default ones, in any spelling", () => {
  const { keymap, notices } = createKeymap({
    "app.tools.toggle": "Alt+Control+X",
    "app.thinking.toggle": ["F5", "option+t"],
  });
  expect(notices).toEqual([]);
  expect(keymap.keys("app.tools.toggle")).toEqual(["ctrl+alt+x"]);
  expect(keymap.keys("app.thinking.toggle")).toEqual(["f5", "alt+t"]);
  expect(keymap.actionsFor("\x0f")).toEqual([]);
  expect(keymap.actionsFor("\x1b\x18")).toEqual(["app.tools.toggle"]);
  expect(keymap.list().find((entry) => entry.action === "app.tools.toggle")).toMatchObject({
    keys: ["Ctrl+Alt+X"],
    changed: true,
  });
});

test("an unknown action is told with the nearest names", () => {
  const { notices } = createKeymap({ "app.tool.toggle": "ctrl+o" });
  expect(notices).toHaveLength(1);
  expect(notices[0]!.message).toContain('no action "app.tool.toggle"');
  expect(notices[0]!.hint).toContain("app.tools.toggle");
});

test("a key that cannot be read is told and the default stays", () => {
  const { keymap, notices } = createKeymap({
    "app.clear": "ctlr+x",
    "app.exit": ["ctrl+enterr", "f9"],
    "app.suspend": "",
  });
  expect(notices.map((notice) => notice.message)).toEqual([
    expect.stringContaining('"ctlr" is no modifier'),
    expect.stringContaining('"enterr" is no key'),
    expect.stringContaining('"" is no key'),
  ]);
  expect(keymap.keys("app.clear")).toEqual(["ctrl+c"]);
  expect(keymap.keys("app.exit")).toEqual(["f9"]);
});

test("a key that types text is refused outside of menus", () => {
  const { keymap, notices } = createKeymap({
    "app.clear": "x",
    "tui.editor.undo": "shift+u",
    "tui.select.down": ["j", "down"],
  });
  expect(notices).toHaveLength(2);
  expect(keymap.keys("app.clear")).toEqual(["ctrl+c"]);
  expect(keymap.keys("tui.select.down")).toEqual(["j", "down"]);
});

test("a key of the user's is taken from the action that has it by default, and that is told", () => {
  const { keymap, notices } = createKeymap({ "app.model.choose": "ctrl+o" });
  expect(notices).toHaveLength(1);
  expect(notices[0]!.message).toContain(
    "Ctrl+O is set for app.model.choose and is also the key of app.tools.toggle",
  );
  expect(notices[0]!.hint).toContain("app.tools.toggle has no key now");
  expect(keymap.actionsFor("\x0f")).toEqual(["app.model.choose"]);
});

test("two settings on one key are told, and the first has it", () => {
  const { keymap, notices } = createKeymap({ "app.model.choose": "f6", "app.tools.toggle": ["f6", "f7"] });
  expect(notices.map((notice) => notice.message)).toEqual([
    "keybindings: F6 is set for app.model.choose and is also set for app.tools.toggle",
  ]);
  expect(keymap.keys("app.tools.toggle")).toEqual(["f7"]);
});

test("keys that are shared on purpose stay shared when one action is set to its default again", () => {
  const { keymap, notices } = createKeymap({ "app.exit": "ctrl+d", "tui.select.confirm": "enter" });
  expect(notices).toEqual([]);
  expect(keymap.keys("tui.editor.deleteCharForward")).toContain("ctrl+d");
});

test("an empty list takes the keys of an action away", () => {
  const { keymap, notices } = createKeymap({ "app.thinking.toggle": [] });
  expect(notices).toEqual([]);
  expect(keymap.keys("app.thinking.toggle")).toEqual([]);
  expect(keymap.label("app.thinking.toggle")).toBe("");
});

test("a key that old terminals send as another one is kept and told", () => {
  const { keymap, notices } = createKeymap({ "app.tools.toggle": "ctrl+i" });
  expect(notices[0]!.message).toContain("many terminals send Ctrl+I as Tab");
  expect(keymap.keys("app.tools.toggle")).toEqual(["ctrl+i"]);
});

test("an applied keymap drives the library's editor, menus and scrolling, and turns its own search off", () => {
  const { keymap } = createKeymap({ "app.scroll.pageUp": "alt+k", "tui.input.submit": "ctrl+s" });
  keymap.apply();
  const library = getKeybindings();
  expect(library.getKeys("tui.altScreen.pageUp")).toEqual(["alt+k"]);
  expect(library.getKeys("tui.input.submit")).toEqual(["ctrl+s"]);
  expect(library.getKeys("tui.altScreen.search")).toEqual([]);
  expect(library.getKeys("tui.select.cancel")).toEqual(["escape", "ctrl+c"]);
});

test("plus and minus can be keys", () => {
  const { keymap } = createKeymap({ "app.tools.toggle": ["ctrl++", "alt+plus", "alt+minus"] });
  expect(keymap.keys("app.tools.toggle")).toEqual(["ctrl++", "alt++", "alt+-"]);
  expect(keymap.list().find((entry) => entry.action === "app.tools.toggle")!.keys).toEqual([
    "Ctrl++",
    "Alt++",
    "Alt+-",
  ]);
});

test("no two of our own actions share a key by default", () => {
  const { keymap } = createKeymap({});
  const keys = APP_ACTION_IDS.flatMap((action) => keymap.keys(action));
  expect(new Set(keys).size).toBe(keys.length);
});
