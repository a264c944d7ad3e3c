import { parseColor } from "@earendil-works/pi-tui";
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { nearNames } from "../../../platform/near-names.ts";
import { AUTO, DEFAULT_DARK, DEFAULT_LIGHT } from "./built-in-themes.ts";
import { THEME_COLORS, type ThemeColors, type ThemeDefinition } from "./theme-definition.ts";

/** The text of a theme file of a person: JSON with comments. `path` is what messages call it. */
export interface ThemeFile {
  readonly path: string;
  readonly text: string;
  /** Why it could not be read; `text` does not count then. */
  readonly problem?: string;
}

/** Something about a theme file that its author should know. `message` names the file, the line and the column. */
export interface ThemeFileProblem {
  readonly path: string;
  readonly message: string;
}

const KEYS = ["$schema", "name", "displayName", "themeType", "inherits", "colors"];

/**
 * Reads theme files in their order. What a file leaves out comes from the theme that `inherits` names, from the built-in one of the
 * same name, or from the default of its `themeType`. A file that cannot be used is named in `problems` and hides no other; a single
 * bad value is named too, and its colour inherited. Never throws.
 */
export function parseThemeFiles(
  files: readonly ThemeFile[],
  builtIn: readonly ThemeDefinition[],
): { themes: ThemeDefinition[]; problems: ThemeFileProblem[] } {
  const known = new Map(builtIn.map((theme) => [theme.name, theme]));
  const themes = new Map<string, ThemeDefinition>();
  const problems: ThemeFileProblem[] = [];
  for (const file of files) {
    if (file.problem !== undefined) {
      problems.push({ path: file.path, message: `${file.path}: ${file.problem}` });
      continue;
    }
    const report = (offset: number, what: string) =>
      problems.push({ path: file.path, message: `${file.path}:${position(file.text, offset)}: ${what}` });
    const root = parseRoot(file, report);
    if (!root) continue;
    const theme = readTheme(root, file.path, known, report);
    if (!theme) continue;
    if (themes.has(theme.name)) {
      report(
        0,
        `another theme file is named "${theme.name}" too, and is the one in use; give this one another name`,
      );
      continue;
    }
    themes.set(theme.name, theme);
    known.set(theme.name, theme);
  }
  return { themes: [...themes.values()], problems };
}

type Report = (offset: number, what: string) => void;

function parseRoot(file: ThemeFile, report: Report): Node | undefined {
  const errors: ParseError[] = [];
  // a byte order mark would be an invalid symbol; a space keeps the offsets
  const text = file.text.startsWith("\uFEFF") ? ` ${file.text.slice(1)}` : file.text;
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    // the parser goes one call deeper with each bracket
    report(0, "it is nested too deeply");
    return undefined;
  }
  const first = errors[0];
  if (first) {
    report(
      first.offset,
      `${spelled(printParseErrorCode(first.error))}; the theme is left out until this is mended`,
    );
    return undefined;
  }
  if (root?.type !== "object") {
    report(
      root?.offset ?? 0,
      'the whole of it must be an object { "name": …, "themeType": …, "colors": { … } }',
    );
    return undefined;
  }
  return root;
}

function readTheme(
  root: Node,
  path: string,
  known: ReadonlyMap<string, ThemeDefinition>,
  report: Report,
): ThemeDefinition | undefined {
  const entries = properties(root);
  for (const [key, { keyNode }] of entries)
    if (!KEYS.includes(key))
      report(keyNode.offset, `unknown key "${key}"${suggestion(key, KEYS)}; it is ignored`);
  const word = (key: string): string | undefined => {
    const value = entries.get(key)?.value;
    if (!value) return undefined;
    if (typeof value.value === "string" && value.value.trim() !== "") return value.value.trim();
    report(value.offset, `"${key}" must be a text that is not empty; it is ignored`);
    return undefined;
  };
  const name = (word("name") ?? fileName(path)).toLowerCase().replace(/\s+/g, "-");
  if (name === AUTO) {
    report(
      entries.get("name")?.value.offset ?? 0,
      `"${AUTO}" is the name for finding a theme; choose another name`,
    );
    return undefined;
  }
  const inherited = word("inherits");
  let parent = inherited === undefined ? known.get(name) : known.get(inherited);
  if (inherited !== undefined && !parent)
    report(
      entries.get("inherits")!.value.offset,
      `there is no theme "${inherited}"${suggestion(inherited, known.keys())}; the default is inherited`,
    );
  let themeType = word("themeType");
  if (themeType !== undefined && themeType !== "dark" && themeType !== "light") {
    report(
      entries.get("themeType")!.value.offset,
      `"themeType" must be "dark" or "light", not "${themeType}"`,
    );
    themeType = undefined;
  }
  if (!parent || parent.colors === "terminal")
    parent = known.get((themeType ?? parent?.themeType) === "light" ? DEFAULT_LIGHT : DEFAULT_DARK)!;
  return {
    name,
    displayName: word("displayName") ?? word("name") ?? name,
    themeType: (themeType as "dark" | "light" | undefined) ?? parent.themeType,
    colors: readColors(entries.get("colors")?.value, parent.colors as ThemeColors, report),
  };
}

function readColors(node: Node | undefined, inherited: ThemeColors, report: Report): ThemeColors {
  if (!node) return inherited;
  if (node.type !== "object") {
    report(node.offset, '"colors" must be an object of colours, e.g. { "text": "#c0caf5" }');
    return inherited;
  }
  const colors: Record<string, string> = { ...inherited };
  for (const [key, { keyNode, value }] of properties(node)) {
    if (!(THEME_COLORS as readonly string[]).includes(key))
      report(keyNode.offset, `unknown colour "${key}"${suggestion(key, THEME_COLORS)}; it is ignored`);
    else if (typeof value.value === "string" && isColor(value.value)) colors[key] = value.value;
    else report(value.offset, `the colour "${key}" must look like "#c0caf5"; it is inherited instead`);
  }
  return colors as ThemeColors;
}

function isColor(text: string): boolean {
  try {
    parseColor(text);
    return true;
  } catch {
    return false;
  }
}

function properties(node: Node): Map<string, { keyNode: Node; value: Node }> {
  const found = new Map<string, { keyNode: Node; value: Node }>();
  for (const property of node.children ?? []) {
    const [keyNode, value] = property.children ?? [];
    if (keyNode && value) found.set(String(keyNode.value), { keyNode, value });
  }
  return found;
}

function suggestion(name: string, known: Iterable<string>): string {
  const near = nearNames(name, known, 1)[0];
  return near === undefined ? "" : ` (did you mean "${near}"?)`;
}

function fileName(path: string): string {
  return path
    .split(/[\\/]/)
    .at(-1)!
    .replace(/\.jsonc?$/i, "");
}

/** `line:column`, both from 1. */
function position(text: string, offset: number): string {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `${before.length}:${before.at(-1)!.length + 1}`;
}

/** `PropertyNameExpected` as `property name expected`. */
function spelled(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();
}
