import { type Component, truncateToWidth } from "@earendil-works/pi-tui";
import type { QueuedPrompt } from "../../../contract/interactive.ts";
import { safeLine } from "../../shared/safe-text.ts";
import type { ThemeSource } from "../theme/theme.ts";

const SHOWN = 3;

/** The messages that wait for the model's next step or for the answer's end, one row each above the input; nothing when none waits. */
export class QueueView implements Component {
  readonly #themes: ThemeSource;
  readonly #hint: string;
  #waiting: readonly QueuedPrompt[] = [];

  /** `hint` says how to take them back, e.g. `Alt+Up edits`. */
  constructor(themes: ThemeSource, hint: string) {
    this.#themes = themes;
    this.#hint = hint;
  }

  /** Takes the queue, the next message first; the owner asks for a frame. */
  update(waiting: readonly QueuedPrompt[]): void {
    this.#waiting = waiting;
  }

  // nothing is kept between frames
  invalidate(): void {
    return;
  }

  render(width: number): readonly string[] {
    const { color } = this.#themes.current;
    const shown = this.#waiting.slice(0, SHOWN);
    const rows = shown.map((prompt) => {
      const when = prompt.as === "steer" ? "next" : "later";
      return truncateToWidth(`${color.warning(when)} ${color.muted(firstLine(prompt.text))}`, width, "…");
    });
    if (rows.length === 0) return rows;
    const more = this.#waiting.length - shown.length;
    const words = [...(more > 0 ? [`${more} more`] : []), ...(this.#hint === "" ? [] : [this.#hint])];
    if (words.length > 0) rows.push(truncateToWidth(color.muted(words.join("  ")), width, "…"));
    return rows;
  }
}

function firstLine(text: string): string {
  const lines = text.trim().split("\n");
  return `${safeLine(lines[0] ?? "").slice(0, 500)}${lines.length > 1 ? ` … (${lines.length} lines)` : ""}`;
}
