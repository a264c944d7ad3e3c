import { expect, test } from "bun:test";
import { Screen } from "./screen.ts";
import { screenPicture } from "./screen-picture.ts";
import { LIGHT_TERMINAL } from "./terminal-colors.ts";

async function shown(text: string): Promise<Screen> {
  const screen = new Screen(20, 3);
  await screen.write(text);
  return screen;
}

test("a word is pinned to its columns and coloured", async () => {
  const picture = screenPicture(await shown("  \x1b[1;38;2;255;0;0mred\x1b[0m"));
  // Column 2 of cells of 8.4 px, after 14 px of padding.
  expect(picture).toMatch(
    /<text x="30.8" [^>]*textLength="25.2"[^>]*fill="#ff0000" font-weight="bold">red<\/text>/,
  );
});

test("a wide grapheme takes two columns and moves nothing", async () => {
  const picture = screenPicture(await shown("日x"));
  expect(picture).toMatch(/<text x="14" [^>]*textLength="16.8"[^>]*>日</);
  expect(picture).toMatch(/<text x="30.8" [^>]*textLength="8.4"[^>]*>x</);
});

test("lines of boxes are shapes that reach the edges of their cells", async () => {
  const picture = screenPicture(await shown("│"));
  expect(picture).not.toContain("│");
  expect(picture).toContain('<rect x="17.65" y="14" width="1.1" height="18"');
});

test("a background, an inverse and a palette colour are drawn", async () => {
  const picture = screenPicture(await shown("\x1b[48;5;196mA\x1b[0m\x1b[7mB\x1b[0m"));
  expect(picture).toContain('<rect x="14" y="14" width="8.4" height="18" fill="#ff0000"/>');
  expect(picture).toContain('<rect x="22.4" y="14" width="8.4" height="18" fill="#d4d4d4"/>');
});

test("text of markup stays text", async () => {
  expect(screenPicture(await shown("<a&b>"))).toContain(">&lt;a&amp;b&gt;</text>");
});

test("a title makes a window, and the theme is the terminal's", async () => {
  const picture = screenPicture(await shown("x"), { title: "pi", colors: LIGHT_TERMINAL });
  expect(picture).toContain(">pi</text>");
  expect(picture).toContain(`fill="${LIGHT_TERMINAL.background}"`);
  expect(screenPicture(await shown("x"))).not.toContain("circle");
});
