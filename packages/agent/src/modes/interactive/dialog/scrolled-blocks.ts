import type { CommandBlock } from "../../../contract/command.ts";
import type { Theme } from "../theme/theme.ts";
import type { DialogEnvironment } from "./dialog-view.ts";
import { ScrollWindow } from "./scroll-window.ts";

/** Blocks in a window that scrolls; rendered again only when width or theme change. */
export class ScrolledBlocks {
  readonly window = new ScrollWindow();
  readonly #environment: DialogEnvironment;
  readonly #blocks: readonly CommandBlock[];
  #cache: { width: number; theme: Theme; lines: readonly string[] } | undefined;

  constructor(environment: DialogEnvironment, blocks: readonly CommandBlock[]) {
    this.#environment = environment;
    this.#blocks = blocks;
  }

  /** All rows. */
  lines(width: number): readonly string[] {
    const theme = this.#environment.themes.current;
    if (this.#cache?.width !== width || this.#cache.theme !== theme)
      this.#cache = { width, theme, lines: this.#environment.renderBlocks(this.#blocks, width, theme) };
    return this.#cache.lines;
  }

  /** The rows in view, at most `height`. */
  view(width: number, height: number): string[] {
    const lines = this.lines(width);
    const shown = Math.max(0, Math.min(height, lines.length));
    this.window.resize(lines.length, shown);
    return lines.slice(this.window.top, this.window.top + shown);
  }
}
