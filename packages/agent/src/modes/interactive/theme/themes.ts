import { colorToRgb, parseColor, type RgbColor, type TerminalColors } from "@earendil-works/pi-tui";
import { nearNames } from "../../../platform/near-names.ts";
import { buildTheme } from "./build-theme.ts";
import { AUTO, BUILT_IN_THEMES, DEFAULT_DARK, DEFAULT_LIGHT } from "./built-in-themes.ts";
import { detectColorDepth } from "./color-depth.ts";
import { BLACK, isDark, WHITE } from "./contrast.ts";
import { guessBackground } from "./guess-background.ts";
import type { Theme, ThemeSource } from "./theme.ts";
import type { ThemeDefinition } from "./theme-definition.ts";
import type { ThemeFile } from "./theme-files.ts";

export interface ThemesOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the output is a terminal; without one there are no colours (unless forced). */
  readonly isTerminal: boolean;
  readonly platform: string;
  /** The configured name; absent is `auto`. One that is not built in counts as `auto` until {@link ThemeController.takeFiles} brings it. */
  readonly choice?: string;
}

/** A row of the list of themes. */
export interface ThemeSummary {
  readonly name: string;
  readonly displayName: string;
  readonly kind: "dark" | "light" | "auto";
  readonly source: "built-in" | "file";
  readonly chosen: boolean;
}

export interface ThemeController extends ThemeSource {
  /** The name that was chosen: a theme's, or `auto`. */
  readonly choice: string;
  /** Changes the theme at once. An unknown name changes nothing; `near` has names that were probably meant. */
  use(name: string): { ok: true; theme: Theme } | { ok: false; near: string[] };
  /** All themes: `auto`, the built-in ones, those of files. */
  list(): readonly ThemeSummary[];
  /** Adds a listener for changes of `current`: all components have to be invalidated then. The result removes it. */
  onChange(listener: () => void): () => void;
  /**
   * Takes the theme files of the user, once they have been read; call it without any too. A file's theme goes before a built-in one
   * of its name. Never rejects: what is wrong with a file is in `notices`.
   */
  takeFiles(files: readonly ThemeFile[]): Promise<void>;
  /** What is wrong with theme files and with the configured name, for people. */
  readonly notices: readonly string[];
  /** Takes what the terminal reported of its colours. A chosen theme stays; its contrast is brought up to the background. */
  terminalColors(colors: TerminalColors): void;
  /** Takes the terminal's report that it went dark or light. Colours reported before are forgotten. */
  terminalScheme(kind: "dark" | "light"): void;
}

/** The themes and the one in use. Before the terminal has reported, its background is guessed from the environment, else assumed to be the theme's own. */
export function createThemes(options: ThemesOptions): ThemeController {
  const depth = detectColorDepth(options.env, options.isTerminal, options.platform);
  const notices: string[] = [];
  const themes = new Map<string, ThemeDefinition>(BUILT_IN_THEMES.map((theme) => [theme.name, theme]));
  const fileNames = new Set<string>();
  const listeners = new Set<() => void>();

  let kind = guessBackground(options.env);
  let background: RgbColor | undefined;
  let palette: readonly RgbColor[] | undefined;
  let choice = AUTO;
  let current: Theme;

  const resolveName = (name: string) => {
    const wanted = name
      .trim()
      .toLowerCase()
      .replace(/[\s_]+/g, "-");
    return wanted === AUTO || themes.has(wanted) ? wanted : null;
  };
  const near = (name: string) => nearNames(name, [AUTO, ...themes.keys()], 5);

  const build = (): Theme => {
    const definition = themes.get(
      choice === AUTO ? (kind === "light" ? DEFAULT_LIGHT : DEFAULT_DARK) : choice,
    )!;
    const seen = kind ?? definition.themeType;
    return buildTheme(definition, {
      depth,
      kind: seen,
      background: background ?? assumedBackground(definition, seen),
      ...(palette && { palette }),
    });
  };
  const renew = () => {
    current = build();
    for (const listener of listeners) listener();
  };

  /** The configured name while no theme has it. */
  let missing = options.choice;
  const takeConfigured = () => {
    const found = missing === undefined ? null : resolveName(missing);
    if (found === null) return;
    choice = found;
    missing = undefined;
  };
  takeConfigured();
  current = build();

  return {
    get current() {
      return current;
    },
    get choice() {
      return choice;
    },
    notices,
    use(name) {
      const found = resolveName(name);
      if (found === null) return { ok: false, near: near(name) };
      choice = found;
      missing = undefined;
      renew();
      return { ok: true, theme: current };
    },
    list: () => [
      {
        name: AUTO,
        displayName: "Found from the terminal",
        kind: "auto",
        source: "built-in",
        chosen: choice === AUTO,
      },
      ...[...themes.values()].map(
        (theme): ThemeSummary => ({
          name: theme.name,
          displayName: theme.displayName,
          kind: theme.themeType,
          source: fileNames.has(theme.name) ? "file" : "built-in",
          chosen: choice === theme.name,
        }),
      ),
    ],
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async takeFiles(files) {
      if (files.length > 0) {
        const { parseThemeFiles } = await import("./theme-files.ts");
        const parsed = parseThemeFiles(files, BUILT_IN_THEMES);
        notices.push(...parsed.problems.map((problem) => `theme file ${problem.message}`));
        for (const theme of parsed.themes) {
          themes.set(theme.name, theme);
          fileNames.add(theme.name);
        }
      }
      takeConfigured();
      if (missing !== undefined)
        notices.push(
          `there is no theme "${missing}"${meant(near(missing))}; a theme is found from the terminal instead`,
        );
      missing = undefined;
      if (fileNames.has(current.name) || current.name !== build().name) renew();
    },
    terminalColors(colors) {
      if (!colors.background && !colors.palette) return;
      if (sameColors(colors, background, palette)) return;
      if (colors.background) {
        background = colors.background;
        kind = isDark(colors.background) ? "dark" : "light";
      }
      if (colors.palette) palette = colors.palette;
      renew();
    },
    terminalScheme(reported) {
      if (kind === reported && background === undefined) return;
      // until its new colours are reported, an old background of the same kind is the better guess
      if (background && isDark(background) !== (reported === "dark")) background = undefined;
      palette = undefined;
      kind = reported;
      renew();
    },
  };
}

function assumedBackground(definition: ThemeDefinition, kind: "dark" | "light"): RgbColor {
  const plainest = kind === "light" ? WHITE : BLACK;
  if (definition.colors === "terminal" || definition.themeType !== kind) return plainest;
  return colorToRgb(parseColor(definition.colors.base));
}

function sameColors(
  colors: TerminalColors,
  background: RgbColor | undefined,
  palette: readonly RgbColor[] | undefined,
): boolean {
  const same = (first: RgbColor | undefined, second: RgbColor | undefined) =>
    first === undefined || (first.r === second?.r && first.g === second.g && first.b === second.b);
  return (
    same(colors.background, background) &&
    (colors.palette ?? []).every((color, index) => same(color, palette?.[index]))
  );
}

function meant(names: readonly string[]): string {
  return names.length === 0
    ? ""
    : ` (did you mean ${names
        .slice(0, 3)
        .map((name) => `"${name}"`)
        .join(", ")}?)`;
}
