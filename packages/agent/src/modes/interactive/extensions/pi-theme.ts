import {
  backgroundAnsi,
  type Color,
  foregroundAnsi,
  indexedColor,
  rgbColor,
  styleTextWithAnsi,
  type TerminalColorMode,
  type TextAttributes,
} from "@earendil-works/pi-tui";
import type { Paint, ThemeSource } from "../theme/theme.ts";
import { BACKGROUND_ROLES, FOREGROUND_ROLES } from "./pi-theme-tokens.ts";

interface PiThemeStyle extends TextAttributes {
  fg?: string | Color;
  bg?: string | Color;
}

const same: Paint = (text) => text;
const SGR = /^\x1b\[(?<parameters>[\d;]*)m$/;

/**
 * Pi's theme object over the theme that is drawn now: one object for the life of the surface, which follows every change. Unknown
 * tokens paint nothing.
 */
export class PiTheme {
  readonly #themes: ThemeSource;

  constructor(themes: ThemeSource) {
    this.#themes = themes;
  }

  get name(): string {
    return this.#themes.current.name;
  }

  get appearance(): "dark" | "light" {
    return this.#themes.current.kind;
  }

  /** The colours of all tokens; where a token has none of its own, black or white as the theme is. */
  get colors(): Readonly<Record<string, Color>> {
    const light = this.appearance === "light";
    const colors: Record<string, Color> = {};
    for (const token of Object.keys(FOREGROUND_ROLES))
      colors[token] = colorOf(this.getFgAnsi(token)) ?? (light ? BLACK : WHITE);
    for (const token of Object.keys(BACKGROUND_ROLES))
      colors[token] = colorOf(this.getBgAnsi(token)) ?? (light ? WHITE : BLACK);
    return colors;
  }

  fg(token: string, text: string): string {
    return this.#foreground(token)(String(text));
  }

  bg(token: string, text: string): string {
    return this.#background(token)(String(text));
  }

  style(text: string, { fg, bg, ...attributes }: PiThemeStyle): string {
    const mode = this.getColorMode();
    const foreground =
      typeof fg === "string" ? this.getFgAnsi(fg) : fg && this.#colored(foregroundAnsi(fg, mode));
    const background =
      typeof bg === "string" ? this.getBgAnsi(bg) : bg && this.#colored(backgroundAnsi(bg, mode));
    const { bold, dim, italic, underline, inverse, strikethrough } = attributes;
    const theme = this.#themes.current;
    let styled = styleTextWithAnsi(String(text), foreground || undefined, background || undefined, {});
    if (dim && !fg) styled = theme.color.muted(styled);
    if (bold) styled = theme.bold(styled);
    if (italic) styled = theme.italic(styled);
    if (underline) styled = theme.underline(styled);
    if (strikethrough) styled = theme.strikethrough(styled);
    return inverse ? theme.inverse(styled) : styled;
  }

  bold(text: string): string {
    return this.#themes.current.bold(text);
  }

  italic(text: string): string {
    return this.#themes.current.italic(text);
  }

  underline(text: string): string {
    return this.#themes.current.underline(text);
  }

  strikethrough(text: string): string {
    return this.#themes.current.strikethrough(text);
  }

  inverse(text: string): string {
    return this.#themes.current.inverse(text);
  }

  /** The sequence that begins a token's colour; "" when colours are off. */
  getFgAnsi(token: string): string {
    return opening(this.#foreground(token));
  }

  getBgAnsi(token: string): string {
    return opening(this.#background(token));
  }

  getColorMode(): TerminalColorMode {
    return this.getFgAnsi("accent").includes("38;2;") ? "truecolor" : "256color";
  }

  getThinkingBorderColor(level: string): Paint {
    return (text) => this.fg(`thinking${level.charAt(0).toUpperCase()}${level.slice(1)}`, text);
  }

  getBashModeBorderColor(): Paint {
    return (text) => this.fg("bashMode", text);
  }

  #foreground(token: string): Paint {
    const role = Object.hasOwn(FOREGROUND_ROLES, token)
      ? FOREGROUND_ROLES[token as keyof typeof FOREGROUND_ROLES]
      : undefined;
    return role === undefined ? same : this.#themes.current.color[role];
  }

  #background(token: string): Paint {
    const role = Object.hasOwn(BACKGROUND_ROLES, token)
      ? BACKGROUND_ROLES[token as keyof typeof BACKGROUND_ROLES]
      : undefined;
    return role === undefined ? same : this.#themes.current.background[role];
  }

  /** Colours of an extension's own are off where the theme's are. */
  #colored(sequence: string): string {
    return this.getFgAnsi("accent") === "" ? "" : sequence;
  }
}

const BLACK = rgbColor(0, 0, 0);
const WHITE = rgbColor(255, 255, 255);

function opening(paint: Paint): string {
  return paint("|").split("|")[0]!;
}

/** The colour that a sequence sets: of the 16, the 256, or by its parts. */
function colorOf(sequence: string): Color | undefined {
  const numbers = SGR.exec(sequence)?.groups?.["parameters"]?.split(";").map(Number) ?? [];
  const [first = 0, kind, ...rest] = numbers;
  if (first === 38 || first === 48) {
    const [red = 0, green = 0, blue = 0] = rest;
    return kind === 2 ? rgbColor(red, green, blue) : indexedColor(red);
  }
  if ((first >= 30 && first <= 37) || (first >= 40 && first <= 47)) return indexedColor(first % 10);
  if ((first >= 90 && first <= 97) || (first >= 100 && first <= 107)) return indexedColor((first % 10) + 8);
  return undefined;
}
