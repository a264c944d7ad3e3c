import type { Component } from "@earendil-works/pi-tui";
import type { StatusFacts } from "../../../contract/interactive.ts";
import type { Theme, ThemeSource } from "../theme/theme.ts";
import { fitSegments } from "./fit-segments.ts";
import { statusSegments } from "./status-segments.ts";

/** Below this width the facts get a second row. */
const NARROW = 60;

/** The row of facts below the input; two rows when it is narrow. It is composed only when facts, width or theme change. */
export class StatusLine implements Component {
  readonly #themes: ThemeSource;
  #facts: StatusFacts;
  #cache: { width: number; theme: Theme; lines: readonly string[] } | undefined;

  constructor(themes: ThemeSource, facts: StatusFacts) {
    this.#themes = themes;
    this.#facts = facts;
  }

  /** Takes new facts; the owner asks for a frame. */
  update(facts: StatusFacts): void {
    this.#facts = facts;
    this.#cache = undefined;
  }

  invalidate(): void {
    this.#cache = undefined;
  }

  render(width: number): readonly string[] {
    const theme = this.#themes.current;
    if (this.#cache?.width === width && this.#cache.theme === theme) return this.#cache.lines;
    const lines = fitSegments(statusSegments(this.#facts, theme), width, width < NARROW ? 2 : 1);
    this.#cache = { width, theme, lines };
    return lines;
  }
}
