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
   * Compares the screen with `__screens__/NAME.txt` beside the test and rejects with the rows that differ. A program that is still
   * writing is waited for. With RENEW_SCREENS=1 the file is written anew.
   */
  toMatchGolden(name: string, options?: GoldenOptions): Promise<void>;
}

/** A screen that may still change. */
export interface ChangingScreen extends ShownScreen {
  /** Where a cursor that is hidden stands is chance: it depends on which frames were drawn as one. */
  readonly modes?: { cursorHidden: boolean };
  /** Resolves when nothing has been written for a while. */
  settled?(): Promise<void>;
}

/** How often a screen that differs is waited for. */
const LOOKS = 5;

/** Gives the `expectScreen` of a test file: `const expectScreen = goldenScreens(import.meta.dir)`. */
export function goldenScreens(folder: string): (shown: ChangingScreen) => GoldenExpectation {
  return (shown) => ({
    async toMatchGolden(name, options = {}) {
      const file = join(folder, "__screens__", `${name}.txt`);
      if (process.env[RENEW]) await shown.settled?.();
      let actual = describe(shown, options);
      if (process.env[RENEW]) {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, actual);
        return;
      }
      if (!existsSync(file))
        throw new Error(`${file} is not there; write it with ${RENEW}=1. The screen is:\n${actual}`);
      const expected = readFileSync(file, "utf8");
      for (let look = 0; look < LOOKS && expected !== actual && shown.settled !== undefined; look++) {
        await shown.settled();
        actual = describe(shown, options);
      }
      if (expected !== actual)
        throw new Error(
          `the screen is not as in ${file}; if it is right as it is, renew it with ${RENEW}=1\n${difference(expected, actual)}`,
        );
    },
  });
}

function describe(shown: ChangingScreen, { styles = false, mask = [] }: GoldenOptions): string {
  const { cols, rows } = shown.size;
  const { row, column } = shown.cursor();
  const text = mask.reduce(
    (masked, pattern) => masked.replaceAll(everywhere(pattern), (match) => "·".repeat([...match].length)),
    shown.screen().join("\n"),
  );
  const cursor = shown.modes?.cursorHidden ? "cursor hidden" : `cursor in row ${row}, column ${column}`;
  const lines = [`${cols} × ${rows}, ${cursor}`, ...text.split("\n")];
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
