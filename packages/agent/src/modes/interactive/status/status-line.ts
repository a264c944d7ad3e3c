import type { Component } from "@earendil-works/pi-tui";
import type { StatusFacts } from "../../../contract/interactive.ts";
import type { Theme, ThemeSource } from "../theme/theme.ts";
import { fitSegments, type Segment } from "./fit-segments.ts";
import { NEVER_LEFT_OUT, statusSegments } from "./status-segments.ts";

/** Below this width the facts get a second row. */
const NARROW = 60;
/** Words of others go before the branch and the folder, and after what concerns the run. */
const WORD_RANK = 6.5;

/** The row of facts below the input; two rows when it is narrow. It is composed only when facts, width or theme change. */
export class StatusLine implements Component {
  readonly #themes: ThemeSource;
  #facts: StatusFacts;
  #words: readonly string[] = [];
  #reduced = false;
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

  /** Words of others among the facts: painted, safe, on one line each. */
  setWords(words: readonly string[]): void {
    this.#words = words;
    this.#cache = undefined;
  }

  /** Another component tells the facts; what a person must not miss stays. */
  setReduced(reduced: boolean): void {
    this.#reduced = reduced;
    this.#cache = undefined;
  }

  invalidate(): void {
    this.#cache = undefined;
  }

  render(width: number): readonly string[] {
    const theme = this.#themes.current;
    if (this.#cache?.width === width && this.#cache.theme === theme) return this.#cache.lines;
    const facts = statusSegments(this.#facts, theme);
    const segments = this.#reduced
      ? facts.filter(({ rank }) => rank <= NEVER_LEFT_OUT)
      : [...facts, ...this.#words.map((word): Segment => ({ rank: WORD_RANK, forms: [word] }))];
    const lines = fitSegments(segments, width, width < NARROW ? 2 : 1);
    this.#cache = { width, theme, lines };
    return lines;
  }
}
