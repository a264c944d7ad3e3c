import { type Component, type Focusable, Input, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { Keymap } from "./input/keymap.ts";
import type { ThemeSource } from "./theme/theme.ts";
import type { TranscriptView } from "./transcript/transcript-view.ts";

export interface SearchBarParts {
  themes: ThemeSource;
  keymap(): Keymap;
  transcript: TranscriptView;
  requestRender(): void;
  /** The person is done: the editor is shown again. */
  onClose(): void;
}

/** Searches the transcript's source texts while it is open, in the editor's place. Enter and Down go on, Up goes back, Esc closes. */
export class SearchBar implements Component, Focusable {
  readonly #parts: SearchBarParts;
  readonly #input = new Input();
  #found = { match: 0, total: 0 };
  #sought = "";

  constructor(parts: SearchBarParts) {
    this.#parts = parts;
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused;
  }

  invalidate(): void {
    this.#input.invalidate();
  }

  handleInput(data: string): void {
    const { keymap, onClose, transcript } = this.#parts;
    const map = keymap();
    if (map.matches(data, "app.interrupt") || map.matches(data, "app.clear")) {
      transcript.clearFind();
      onClose();
      return;
    }
    const direction = stepOf(data) ?? (map.matches(data, "app.transcript.search") ? "next" : undefined);
    if (direction !== undefined) {
      this.#find(direction);
      return;
    }
    this.#input.handleInput(data);
    if (this.#input.getValue() !== this.#sought) this.#find("first");
  }

  render(width: number): readonly string[] {
    const { color } = this.#parts.themes.current;
    const { match, total } = this.#found;
    const count = this.#sought === "" ? "" : total === 0 ? "nothing found" : `${match} of ${total}`;
    const right = visibleWidth(count) + 14 < width ? ` ${count}` : "";
    const label = "Search ";
    const space = Math.max(1, width - visibleWidth(label) - visibleWidth(right));
    const [line = ""] = this.#input.render(space);
    const painted = total === 0 ? color.warning(right) : color.muted(right);
    return [truncateToWidth(`${color.accent(label)}${line}${painted}`, width, "")];
  }

  #find(direction: "next" | "previous" | "first"): void {
    this.#sought = this.#input.getValue();
    if (this.#sought === "") {
      this.#found = { match: 0, total: 0 };
      this.#parts.transcript.clearFind();
    } else this.#found = this.#parts.transcript.find(this.#sought, direction);
    this.#parts.requestRender();
  }
}

function stepOf(data: string): "next" | "previous" | undefined {
  if (data === "\r" || data === "\n" || data === "\x1b[B" || data === "\x1bOB") return "next";
  return data === "\x1b[A" || data === "\x1bOA" ? "previous" : undefined;
}
