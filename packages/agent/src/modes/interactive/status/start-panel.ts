import { type Component, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { StartPart, StatusFacts } from "../../../contract/interactive.ts";
import { safeLine } from "../../shared/safe-text.ts";
import type { Theme, ThemeSource } from "../theme/theme.ts";
import { partRows } from "./start-parts.ts";

/** What the start panel is made of. */
export interface StartPanelContent {
  readonly version: string;
  readonly facts: StatusFacts;
  readonly parts: readonly StartPart[];
  /** Keys and what they do, the most useful first, as the keymap has them. */
  readonly hints: readonly { key: string; does: string }[];
  /** The home folder, shown as `~`. */
  readonly home?: string;
}

const HINT_GAP = 3;
const HINT_ROWS = 2;

/** What an empty conversation shows: who this is, the model, the folder, a few keys, and how the start goes on. */
export class StartPanel implements Component {
  readonly #themes: ThemeSource;
  #content: StartPanelContent;
  #cache: { width: number; theme: Theme; lines: readonly string[] } | undefined;

  constructor(themes: ThemeSource, content: StartPanelContent) {
    this.#themes = themes;
    this.#content = content;
  }

  /** Takes new facts or parts; the owner asks for a frame. */
  update(change: Partial<StartPanelContent>): void {
    this.#content = { ...this.#content, ...change };
    this.#cache = undefined;
  }

  invalidate(): void {
    this.#cache = undefined;
  }

  render(width: number): readonly string[] {
    const theme = this.#themes.current;
    if (this.#cache?.width === width && this.#cache.theme === theme) return this.#cache.lines;
    const lines = panelLines(this.#content, width, theme);
    this.#cache = { width, theme, lines };
    return lines;
  }
}

function panelLines(content: StartPanelContent, width: number, theme: Theme): string[] {
  const { color } = theme;
  const { model, cwd, gitBranch } = content.facts;
  const thinking = model && model.thinking !== "off" ? `, thinking ${model.thinking}` : "";
  const modelLine = model
    ? `${color.accent(safeLine(model.name))}${color.muted(` (${safeLine(model.provider)})${thinking}`)}`
    : color.muted("choosing the model …");
  const folder = color.muted(safeLine(shortPath(cwd, content.home)));
  const branch = gitBranch === undefined ? "" : color.muted(` (${safeLine(gitBranch)})`);
  const parts = partRows(content.parts, Math.max(1, width - 1), theme);
  const indent = width > 20 ? " " : "";
  return [
    `${theme.bold(color.heading("pi"))} ${color.muted(content.version)}`,
    modelLine,
    `${folder}${branch}`,
    "",
    ...hintRows(content.hints, width - indent.length, theme),
    ...(parts.length > 0 ? ["", ...parts] : []),
  ].map((line) => (line === "" ? "" : truncateToWidth(indent + line, width, "…")));
}

function hintRows(hints: StartPanelContent["hints"], width: number, theme: Theme): string[] {
  const rows: string[] = [];
  for (const { key, does } of hints) {
    const hint = `${theme.color.text(key)} ${theme.color.muted(does)}`;
    const last = rows.at(-1);
    if (last !== undefined && visibleWidth(last) + HINT_GAP + visibleWidth(hint) <= width)
      rows[rows.length - 1] = last + " ".repeat(HINT_GAP) + hint;
    else if (rows.length < HINT_ROWS) rows.push(hint);
    else break;
  }
  return rows;
}

function shortPath(path: string, home: string | undefined): string {
  if (home === undefined || home === "" || !path.startsWith(home)) return path;
  const rest = path.slice(home.length);
  return rest === "" || /^[\\/]/.test(rest) ? `~${rest}` : path;
}
