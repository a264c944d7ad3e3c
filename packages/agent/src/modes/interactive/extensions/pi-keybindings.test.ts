import { expect, test } from "bun:test";
import { KeybindingsManager } from "@earendil-works/pi-tui";
import { createKeymap } from "../input/keymap.ts";
import { PiKeybindings } from "./pi-keybindings.ts";

function keys(overrides = {}): PiKeybindings {
  const { keymap } = createKeymap(overrides);
  keymap.apply();
  return new PiKeybindings(() => keymap);
}

test("actions have Pi's names and the keys that the person has set here", () => {
  const bindings = keys({ "app.tools.toggle": "ctrl+e", "tui.select.confirm": ["enter", "ctrl+y"] });
  expect(bindings).toBeInstanceOf(KeybindingsManager);
  expect(bindings.keyText("app.tools.expand")).toBe("ctrl+e");
  expect(bindings.matches("\x05", "app.tools.expand")).toBe(true);
  expect(bindings.matches("\x0f", "app.tools.expand")).toBe(false);
  expect(bindings.matches("\x03", "app.clear")).toBe(true);
  expect(bindings.matches("\x1b[B", "tui.select.down")).toBe(true);
  expect(bindings.getKeys("tui.select.confirm")).toEqual(["enter", "ctrl+y"]);
});

test("actions of Pi's own lists have Pi's keys, and unknown ones none", () => {
  const bindings = keys();
  expect(bindings.matches("\x13", "app.models.save")).toBe(true);
  expect(bindings.keyText("app.nothing")).toBe("");
  expect(bindings.matches("x", "app.nothing")).toBe(false);
});

test("an extension cannot change the keys", () => {
  const bindings = keys();
  (bindings as KeybindingsManager).setUserBindings({ "tui.select.down": "x" });
  expect(bindings.matches("x", "tui.select.down")).toBe(false);
});
