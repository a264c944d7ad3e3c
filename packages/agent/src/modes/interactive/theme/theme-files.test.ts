import { expect, test } from "bun:test";
import { BUILT_IN_THEMES } from "./built-in-themes.ts";
import { THEME_COLORS } from "./theme-definition.ts";
import { parseThemeFiles } from "./theme-files.ts";

const read = (...texts: string[]) =>
  parseThemeFiles(
    texts.map((text, index) => ({ path: `themes/t${index + 1}.json`, text })),
    BUILT_IN_THEMES,
  );
const builtIn = (name: string) => BUILT_IN_THEMES.find((theme) => theme.name === name)!;

test("a file in full form becomes a theme, comments and trailing commas included [A-TUI-04]", () => {
  const colors = Object.fromEntries(THEME_COLORS.map((name) => [name, "#abcdef"]));
  const { themes, problems } = read(
    `// mine\n${JSON.stringify({ name: "mine", displayName: "Mine", themeType: "light", colors }).slice(0, -1)},}`,
  );
  expect(problems).toEqual([]);
  expect(themes).toEqual([
    { name: "mine", displayName: "Mine", themeType: "light", colors: colors as never },
  ]);
});

test("what a file leaves out is inherited: by name, by `inherits`, by its type [A-TUI-04]", () => {
  const { themes, problems } = read(
    '{ "name": "dracula", "colors": { "text": "#fff" } }',
    '{ "name": "a", "inherits": "nord", "colors": { "primary": "#ff0000" } }',
    '{ "name": "b", "themeType": "light" }',
  );
  expect(problems).toEqual([]);
  expect(themes[0]!.colors).toEqual({ ...(builtIn("dracula").colors as object), text: "#fff" } as never);
  expect(themes[1]!.colors).toEqual({ ...(builtIn("nord").colors as object), primary: "#ff0000" } as never);
  expect(themes[2]!.colors).toEqual(builtIn("tokyo-night-day").colors);
});

test("a file without a name is called like the file", () => {
  expect(read("{}").themes[0]).toMatchObject({ name: "t1", themeType: "dark" });
});

test("a broken file is named with line and column, and hides no other [A-TUI-04]", () => {
  const { themes, problems } = read(
    '{\n  "name": "x",\n  "colors": { "text" "#fff" }\n}',
    '{ "name": "good" }',
  );
  expect(problems[0]!.message).toBe(
    "themes/t1.json:3:22: colon expected; the theme is left out until this is mended",
  );
  expect(themes.map((theme) => theme.name)).toEqual(["good"]);
});

test.each([
  ['["a"]', "themes/t1.json:1:1: the whole of it must be an object"],
  ["", "themes/t1.json:1:1: "],
  ["[".repeat(200_000), "themes/t1.json:1:1: it is nested too deeply"],
  ['{ "name": "auto" }', 'themes/t1.json:1:11: "auto" is the name for finding a theme'],
])("a file that holds no theme is refused with its reason (%#)", (text, message) => {
  const { themes, problems } = read(text);
  expect(themes).toEqual([]);
  expect(problems[0]!.message).toStartWith(message);
});

test("a bad value is named with its place, and only it is inherited", () => {
  const { themes, problems } = read(
    '{\n  "colors": { "text": "red", "base": "#111111", "primery": "#fff" }, "themeType": "grey"\n}',
  );
  expect(problems.map((problem) => problem.message)).toEqual([
    'themes/t1.json:2:83: "themeType" must be "dark" or "light", not "grey"',
    'themes/t1.json:2:23: the colour "text" must look like "#c0caf5"; it is inherited instead',
    'themes/t1.json:2:49: unknown colour "primery" (did you mean "primary"?); it is ignored',
  ]);
  expect(themes[0]!.colors).toMatchObject({ text: "#c0caf5", base: "#111111" });
});

test("of two files with one name the first is used, and the other one is told", () => {
  const { themes, problems } = read(
    '{ "name": "same", "displayName": "1" }',
    '{ "name": "Same", "displayName": "2" }',
  );
  expect(themes.map((theme) => theme.displayName)).toEqual(["1"]);
  expect(problems[0]!.message).toContain('another theme file is named "same" too');
});
