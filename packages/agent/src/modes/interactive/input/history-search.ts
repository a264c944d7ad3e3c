/** The search through earlier prompts, in the place of the editor. */
import { getKeybindings, Input, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { visibleLine } from "../../shared/visible-text.ts";
import type { ThemeSource } from "../theme/theme.ts";
import type { Keymap } from "./keymap.ts";

export interface HistorySearchOptions {
  /** The latest first. */
  entries: readonly string[];
  theme: ThemeSource;
  keymap: Keymap;
  /** Rows of the list, at least 1. */
  rows: number;
  /** The chosen prompt, or null when the search was left. */
  onDone(chosen: string | null): void;
}

/** Characters of an entry that can come on the screen; a prompt may be as long as a file. */
const MOST_SHOWN = 1000;

export class HistorySearch {
  readonly #options: HistorySearchOptions;
  readonly #input = new Input();
  #found: readonly string[];
  #selected = 0;

  constructor(options: HistorySearchOptions) {
    this.#options = options;
    this.#found = options.entries;
    this.#input.focused = true;
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const { keymap, onDone } = this.#options;
    const pasted = data.includes("\x1b[200~");
    if (!pasted && (keymap.matches(data, "app.interrupt") || keymap.matches(data, "app.clear"))) onDone(null);
    else if (!pasted && (keys.matches(data, "tui.select.confirm") || keys.matches(data, "tui.input.tab")))
      onDone(this.#found[this.#selected] ?? null);
    else if (!pasted && (keymap.matches(data, "app.history.search") || keys.matches(data, "tui.select.up")))
      this.#move(1);
    else if (!pasted && keys.matches(data, "tui.select.down")) this.#move(-1);
    else if (!pasted && keys.matches(data, "tui.select.pageUp")) this.#move(this.#options.rows);
    else if (!pasted && keys.matches(data, "tui.select.pageDown")) this.#move(-this.#options.rows);
    else this.#edit(data);
  }

  /** The latest stands at the bottom, next to what is typed. */
  render(width: number): string[] {
    const theme = this.#options.theme.current;
    const rows = Math.max(1, Math.min(this.#options.rows, this.#found.length));
    const first = Math.max(0, Math.min(this.#selected - Math.floor(rows / 2), this.#found.length - rows));
    const shown = this.#found
      .slice(first, first + rows)
      .map((entry, row) => this.#row(entry, first + row, width));
    if (shown.length === 0) shown.push(theme.color.muted("  no earlier prompt has this in it"));
    const place = this.#found.length > 0 ? `${this.#selected + 1}/${this.#found.length}` : "0";
    const title = truncateToWidth(` earlier prompts ${place} `, Math.max(0, width - 2), "");
    const border = `─${title}${"─".repeat(Math.max(0, width - 1 - visibleWidth(title)))}`;
    return [
      theme.color.accent(border),
      ...shown.reverse(),
      ...this.#input.render(width),
      theme.color.accent("─".repeat(width)),
    ].map((line) => truncateToWidth(line, width, ""));
  }

  #row(entry: string, index: number, width: number): string {
    const theme = this.#options.theme.current;
    const selected = index === this.#selected;
    const text = truncateToWidth(visibleLine(entry.slice(0, MOST_SHOWN)), Math.max(1, width - 2), "…");
    const marked = mark(text, words(this.#input.getValue()), theme.background.match);
    return selected ? `${theme.color.accent("→")} ${theme.bold(marked)}` : `  ${marked}`;
  }

  #move(older: number): void {
    const last = this.#found.length - 1;
    if (last >= 0) this.#selected = Math.max(0, Math.min(last, this.#selected + older));
  }

  #edit(data: string): void {
    const before = this.#input.getValue();
    this.#input.handleInput(data);
    const query = this.#input.getValue();
    if (query === before) return;
    this.#found = searchPrompts(this.#options.entries, query);
    this.#selected = 0;
  }
}

function words(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The entries that have every word of the query in them, in any case of letters, in the order given. */
export function searchPrompts(entries: readonly string[], query: string): readonly string[] {
  const wanted = words(query);
  if (wanted.length === 0) return entries;
  return entries.filter((entry) => {
    const text = entry.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

function mark(text: string, wanted: readonly string[], paint: (text: string) => string): string {
  if (wanted.length === 0) return text;
  const longestFirst = [...wanted].sort((a, b) => b.length - a.length);
  const source = longestFirst.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return text.replace(new RegExp(source, "gi"), (found) => paint(found));
}
