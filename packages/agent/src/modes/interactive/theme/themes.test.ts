import { expect, test } from "bun:test";
import type { RgbColor } from "@earendil-works/pi-tui";
import { BUILT_IN_THEMES } from "./built-in-themes.ts";
import { createThemes, type ThemesOptions } from "./themes.ts";

const WHITE: RgbColor = { r: 255, g: 255, b: 255 };
const NIGHT: RgbColor = { r: 26, g: 27, b: 38 };
const ENV = { TERM: "xterm-256color", COLORTERM: "truecolor" };

const themes = (options: Partial<ThemesOptions> = {}) =>
  createThemes({ env: ENV, isTerminal: true, platform: "linux", ...options });

test("the themes that people know are there [A-TUI-04]", () => {
  expect(BUILT_IN_THEMES.map((theme) => theme.name).sort()).toEqual([
    "ayu-dark",
    "ayu-light",
    "catppuccin-frappe",
    "catppuccin-latte",
    "catppuccin-macchiato",
    "catppuccin-mocha",
    "dracula",
    "everforest",
    "github-dark",
    "github-light",
    "gruvbox-dark",
    "gruvbox-light",
    "kanagawa",
    "monokai",
    "nord",
    "one-dark",
    "one-light",
    "pi-classic",
    "rose-pine",
    "rose-pine-dawn",
    "solarized-dark",
    "solarized-light",
    "tokyo-night",
    "tokyo-night-day",
  ]);
});

test("without a choice the theme is tokyo-night until the terminal tells that it is light [T07]", () => {
  const controller = themes();
  expect(controller.current.name).toBe("tokyo-night");
  controller.terminalColors({ background: WHITE });
  expect(controller.current).toMatchObject({ name: "tokyo-night-day", kind: "light" });
});

test("COLORFGBG gives the first frame's guess, and the terminal's reply goes before it [T07]", () => {
  const controller = themes({ env: { ...ENV, COLORFGBG: "0;15" } });
  expect(controller.current.name).toBe("tokyo-night-day");
  controller.terminalColors({ background: NIGHT });
  expect(controller.current.name).toBe("tokyo-night");
});

test("a chosen theme is never changed by what the terminal reports; only its contrast is [T07]", () => {
  const controller = themes({ choice: "dracula" });
  const before = controller.current.color.text("x");
  controller.terminalColors({ background: WHITE });
  controller.terminalScheme("light");
  expect(controller.current.name).toBe("dracula");
  expect(controller.current.kind).toBe("light");
  expect(controller.current.color.text("x")).not.toBe(before);
});

test("with auto the theme follows the terminal from light to dark and back [T07]", () => {
  const controller = themes();
  const seen: string[] = [];
  controller.onChange(() => seen.push(controller.current.name));
  controller.terminalColors({ background: WHITE });
  controller.terminalScheme("dark");
  controller.terminalColors({ background: NIGHT });
  controller.terminalScheme("light");
  expect(seen).toEqual(["tokyo-night-day", "tokyo-night", "tokyo-night", "tokyo-night-day"]);
});

test("colours that were reported before change nothing", () => {
  const controller = themes();
  controller.terminalColors({ background: NIGHT });
  let changes = 0;
  controller.onChange(() => changes++);
  controller.terminalColors({ background: { ...NIGHT } });
  controller.terminalColors({});
  expect(changes).toBe(0);
});

test("use changes the theme at once and tells its listeners until they leave", () => {
  const controller = themes();
  let changes = 0;
  const leave = controller.onChange(() => changes++);
  expect(controller.use("Gruvbox Dark")).toMatchObject({ ok: true });
  expect(controller.current.name).toBe("gruvbox-dark");
  expect(controller.list().filter((theme) => theme.chosen)).toMatchObject([{ name: "gruvbox-dark" }]);
  leave();
  controller.use("auto");
  expect(changes).toBe(1);
  expect(controller.choice).toBe("auto");
});

test("an unknown name changes nothing and comes with the names that are near [A-TUI-04]", () => {
  const controller = themes({ choice: "nord" });
  expect(controller.use("solarised-drak")).toEqual({
    ok: false,
    near: expect.arrayContaining(["solarized-dark"]),
  });
  expect(controller.current.name).toBe("nord");
});

test("an unknown configured name is told, with what to type, and a theme is found instead", async () => {
  const controller = themes({ choice: "draculla" });
  await controller.takeFiles([]);
  expect(controller.notices).toEqual([
    'there is no theme "draculla" (did you mean "dracula"?); a theme is found from the terminal instead',
  ]);
  expect(controller.choice).toBe("auto");
});

test("a configured theme of a file is used as soon as the files are read; what is wrong with others is told", async () => {
  const controller = themes({ choice: "mine" });
  expect(controller.current.name).toBe("tokyo-night");
  let changes = 0;
  controller.onChange(() => changes++);
  await controller.takeFiles([
    { path: "a.json", text: "{" },
    { path: "b.json", text: '{ "name": "mine", "inherits": "nord" }' },
    { path: "c.json", text: "", problem: "it cannot be read (EACCES)" },
  ]);
  expect(controller.current.name).toBe("mine");
  expect(changes).toBe(1);
  expect(controller.list().at(-1)).toMatchObject({ name: "mine", source: "file", chosen: true });
  expect(controller.notices).toEqual([
    expect.stringMatching(/^theme file a.json:1:2: /),
    "theme file c.json: it cannot be read (EACCES)",
  ]);
});

test("a choice made while the files are read is kept", async () => {
  const controller = themes({ choice: "mine" });
  controller.use("dracula");
  await controller.takeFiles([{ path: "b.json", text: '{ "name": "mine" }' }]);
  expect(controller.choice).toBe("dracula");
  expect(controller.notices).toEqual([]);
});
