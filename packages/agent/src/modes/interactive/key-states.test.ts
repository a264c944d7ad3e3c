import { expect, test } from "bun:test";
import { type KeyEffect, type KeyState, onControlC, onControlD, onEscape } from "./key-states.ts";

const IDLE: KeyState = { menu: false, draft: false, busy: false, selection: false };

const escapes: [string, Partial<KeyState>, KeyEffect][] = [
  ["idle with nothing typed", {}, "nothing"],
  ["a draft", { draft: true }, "nothing"],
  ["an answer in progress", { busy: true }, "interrupt"],
  ["an answer in progress and a draft", { busy: true, draft: true }, "interrupt"],
  ["an open menu", { menu: true, draft: true }, "editor"],
  ["an open menu over an answer in progress", { menu: true, draft: true, busy: true }, "editor"],
];
for (const [name, state, effect] of escapes)
  test(`Esc with ${name}: ${effect} [T06][A-TUI-03]`, () => {
    expect(onEscape({ ...IDLE, ...state })).toBe(effect);
  });

const controls: [string, Partial<KeyState>, number, KeyEffect][] = [
  ["idle with nothing typed", {}, 5_000, "arm"],
  ["a first press 2 s ago", { armedAt: 3_000 }, 5_000, "quit"],
  ["a first press longer ago", { armedAt: 2_999 }, 5_000, "arm"],
  ["a draft", { draft: true }, 5_000, "clear"],
  ["a draft and an answer in progress", { draft: true, busy: true }, 5_000, "clear"],
  ["an answer in progress", { busy: true }, 5_000, "interrupt"],
  ["an answer in progress, pressed again", { busy: true, armedAt: 4_900 }, 5_000, "interrupt"],
  ["a selection", { selection: true, draft: true, busy: true }, 5_000, "copy"],
];
for (const [name, state, now, effect] of controls)
  test(`Ctrl+C with ${name}: ${effect} [T06]`, () => {
    expect(onControlC({ ...IDLE, ...state }, now)).toBe(effect);
  });

test("Ctrl+D quits on an empty line only, and never in the middle of an answer [T06]", () => {
  expect(onControlD(IDLE)).toBe("quit");
  expect(onControlD({ ...IDLE, draft: true })).toBe("editor");
  expect(onControlD({ ...IDLE, busy: true })).toBe("nothing");
});
