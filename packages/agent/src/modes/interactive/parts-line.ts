import type { Component } from "@earendil-works/pi-tui";
import type { StartPart } from "../../contract/interactive.ts";
import { partsSettled, partsSummary } from "./status/start-parts.ts";
import type { ThemeSource } from "./theme/theme.ts";

/** While the program starts behind a conversation that is shown already: what is still on its way. No row afterwards. */
export class PartsLine implements Component {
  readonly #themes: ThemeSource;
  readonly #parts: () => readonly StartPart[];

  constructor(themes: ThemeSource, parts: () => readonly StartPart[]) {
    this.#themes = themes;
    this.#parts = parts;
  }

  // nothing is kept between frames
  invalidate(): void {
    return;
  }

  render(width: number): readonly string[] {
    const parts = this.#parts();
    return partsSettled(parts) ? [] : partsSummary(parts, width, this.#themes.current);
  }
}
