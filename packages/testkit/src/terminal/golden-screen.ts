import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CellStyle } from "./cell.ts";
import type { ShownScreen } from "./screen.ts";

/** With this variable set, screens are written instead of compared. */
const RENEW = "RENEW_SCREENS";

export interface GoldenOptions {
  /** Compares colours and attributes too. */
  styles?: boolean;
  /** What differs from run to run (a version, a folder); each match becomes as many `·`. */
  mask?: readonly RegExp[];
}

export interface GoldenExpectation {
  /**
   * Compares the screen with `__screens__/NAME.txt` beside the test and throws with the rows that differ.
   * With RENEW_SCREENS=1 the file is written anew.
   */
  toMatchGolden(name: string, options?: GoldenOptions): void;
}

/** Gives the `expectScreen` of a test file: `const expectScreen = goldenScreens(import.meta.dir)`. */
export function goldenScreens(folder: string): (shown: ShownScreen) => GoldenExpectation {
  return (shown) => ({
    toMatchGolden(name, options = {}) {
      const file = join(folder, "__screens__", `${name}.txt`);
      const actual = describe(shown, options);
      if (process.env[RENEW]) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, actual);
        return;
      }
      if (!existsSync(file))
        throw new Error(`${file} is not there; write it with ${RENEW}=1. The screen is:\n${actual}`);
      const expected = readFileSync(file, "utf8");
      if (expected !== actual)
        throw new Error(
          `the screen is not as in ${file}; if it is right as it is, renew it with ${RENEW}=1\n${difference(expected, actual)}`,
        );
    },
  });
}

function describe(shown: ShownScreen, { styles = false, mask = [] }: GoldenOptions): string {
  const { cols, rows } = shown.size;
  const { row, column } = shown.cursor();
  const text = mask.reduce(
    (masked, pattern) => masked.replaceAll(everywhere(pattern), (match) => "·".repeat([...match].length)),
    shown.screen().join("\n"),
  );
  const lines = [`${cols} × ${rows}, cursor in row ${row}, column ${column}`, ...text.split("\n")];
  if (styles) lines.push("styles: row: column + width style", ...styleLines(shown));
  return `${lines.join("\n")}\n`;
}

function styleLines(shown: ShownScreen): string[] {
  return shown.styles().flatMap((runs, row) => {
    const told = runs.flatMap(({ column, width, style }) => {
      const words = styleWords(style);
      return words === "" ? [] : [`${column}+${width} ${words}`];
    });
    return told.length === 0 ? [] : [`${row}: ${told.join(", ")}`];
  });
}

function styleWords({ foreground, background, ...attributes }: CellStyle): string {
  return [
    ...(foreground === null ? [] : [String(foreground)]),
    ...(background === null ? [] : [`on ${background}`]),
    ...Object.entries(attributes).flatMap(([name, on]) => (on ? [name] : [])),
  ].join(" ");
}

/** The lines that differ, by their place in the file: `-` as expected, `+` as it is. */
function difference(expected: string, actual: string): string {
  const [old, now] = [expected.split("\n"), actual.split("\n")];
  const told: string[] = [];
  for (let at = 0; at < Math.max(old.length, now.length); at++) {
    if (old[at] === now[at]) continue;
    if (old[at] !== undefined) told.push(`${at + 1} - ${old[at]}`);
    if (now[at] !== undefined) told.push(`${at + 1} + ${now[at]}`);
  }
  return `${told.join("\n")}\n\nthe whole screen:\n${actual}`;
}

function everywhere(pattern: RegExp): RegExp {
  return new RegExp(pattern, pattern.flags.includes("g") ? pattern.flags : `${pattern.flags}g`);
}
