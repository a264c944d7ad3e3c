/** What a theme gives the surface: paint by role. Data and detection are elsewhere in this folder. */

/** Foreground roles. Every one has a contrast of at least 4.5:1 on the theme's background (`border` excepted: it carries no text). */
export type ColorRole =
  | "text"
  | "muted"
  | "border"
  | "accent"
  | "secondary"
  | "tool"
  | "success"
  | "error"
  | "warning"
  | "info"
  | "heading"
  | "link"
  | "code"
  | "quote"
  | "diffAdded"
  | "diffRemoved"
  | "diffContext"
  | "syntaxKeyword"
  | "syntaxString"
  | "syntaxNumber"
  | "syntaxComment"
  | "syntaxFunction"
  | "syntaxType"
  | "syntaxVariable";

/** Background roles. `text` (and the diff roles on theirs) keep their contrast on each. */
export type BackgroundRole = "prompt" | "selection" | "match" | "diffAdded" | "diffRemoved";

/** Styles a text that has no line break; opens and closes only its own attribute, so that paints nest. Unchanged text when colours are off. */
export type Paint = (text: string) => string;

export interface Theme {
  readonly name: string;
  readonly kind: "dark" | "light";
  readonly color: Readonly<Record<ColorRole, Paint>>;
  readonly background: Readonly<Record<BackgroundRole, Paint>>;
  readonly bold: Paint;
  readonly italic: Paint;
  readonly underline: Paint;
  readonly strikethrough: Paint;
  /** Reverse video; the one mark that also shows without colours. */
  readonly inverse: Paint;
}

/** The theme in use. Components ask for it when they render and keep nothing of it; after a change all of them are invalidated. */
export interface ThemeSource {
  readonly current: Theme;
}
