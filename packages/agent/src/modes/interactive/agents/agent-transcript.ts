import { truncateToWidth } from "@earendil-works/pi-tui";
import type { AgentStep } from "../../../contract/subagents.ts";
import { wrapText } from "../dialog/command-blocks.ts";
import { ScrollWindow } from "../dialog/scroll-window.ts";
import type { Theme } from "../theme/theme.ts";

const INDENT = "  ";
/** Rows of what went wrong in a call. */
const MOST_FAILED_ROWS = 5;

interface Drawn {
  width: number;
  theme: Theme;
  rows: readonly string[];
}

/** What a subagent said and did, in a window that stays at the end until somebody scrolls up. A step is drawn once, until it grows. */
export class AgentTranscript {
  readonly window = new ScrollWindow();
  readonly #drawn = new WeakMap<AgentStep, Drawn>();
  #follows = true;

  /** The rows in view, at most `height`. */
  view(steps: readonly AgentStep[], width: number, height: number, theme: Theme): string[] {
    const rows = steps.map((step) => this.#rowsOf(step, width, theme));
    const total = rows.reduce((sum, each) => sum + each.length, 0);
    this.window.resize(total, height);
    if (this.#follows) this.window.scrollTo(total);
    const shown: string[] = [];
    let at = 0;
    for (const each of rows) {
      const from = Math.max(0, this.window.top - at);
      const to = Math.max(0, this.window.top + height - at);
      shown.push(...each.slice(from, to));
      at += each.length;
    }
    return shown;
  }

  /** True when it was a key that scrolls. */
  handleKey(data: string): boolean {
    return this.#moves(() => this.window.handleKey(data));
  }

  scrollBy(rows: number): void {
    this.#moves(() => {
      this.window.scrollBy(rows);
      return true;
    });
  }

  #moves(move: () => boolean): boolean {
    const moved = move();
    if (moved) this.#follows = this.window.atEnd;
    return moved;
  }

  #rowsOf(step: AgentStep, width: number, theme: Theme): readonly string[] {
    const before = this.#drawn.get(step);
    if (before?.width === width && before.theme === theme) return before.rows;
    const rows = stepRows(step, width, theme);
    this.#drawn.set(step, { width, theme, rows });
    return rows;
  }
}

function stepRows({ kind, text }: AgentStep, width: number, theme: Theme): string[] {
  const { color } = theme;
  const wrapped = (indent: string) =>
    wrapText(text.trim(), Math.max(1, width - indent.length)).map((row) => indent + row);
  const rows = {
    task: () => [theme.bold(color.heading("Task")), ...wrapped(INDENT).map(color.muted)],
    said: () => wrapped("").map(color.text),
    call: () => [color.tool(`• ${wrapText(text, Math.max(1, width - 2))[0] ?? ""}`)],
    failed: () => wrapped(INDENT).slice(0, MOST_FAILED_ROWS).map(color.error),
  }[kind]();
  return rows.map((row) => truncateToWidth(row, width, ""));
}
