import type { Theme } from "../../theme/theme.ts";
import type { Highlighter } from "../highlight/highlighter.ts";
import type { CustomRenderers } from "./custom-renderers.ts";
import type { FoldAll } from "./fold.ts";

/** What a block is drawn with. Rows must fit `width` cells (the document cuts them if not) and hold no line break. */
export interface DrawContext {
  readonly width: number;
  readonly theme: Theme;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly highlighter: Highlighter;
  readonly tools: FoldAll;
  readonly thinking: FoldAll;
  /** Whether pictures are drawn. */
  readonly images: boolean;
  /** The project folder: paths below it are shown without it. */
  readonly cwd: string;
  /** Draws what extensions know how to draw. */
  readonly custom: CustomRenderers | undefined;
  /** Asks for a frame, for what changes between two of them. */
  readonly requestFrame: () => void;
}

/** Size of a text, from which heights are estimated without drawing. */
export interface Extent {
  lines: number;
  characters: number;
}

/**
 * A piece of the document: its source, and how it is drawn. Small by construction (a few hundred rows), so that drawing one is
 * bound; long texts are several blocks. Knows neither its place nor its height.
 */
export abstract class Block {
  /** Stands close to its like, without a blank row between. */
  readonly dense: boolean = false;
  /** Goes on what the block before it began, without a blank row between. */
  readonly glued: boolean = false;
  /** How it is drawn depends on what stands behind it. */
  protected readonly watchesNext: boolean = false;
  #version = 0;
  #next: Block | undefined;
  #listener: (() => void) | undefined;

  /** Changes whenever the rows may. */
  get version(): number {
    return this.#version;
  }

  /** Told by the document it stands in: called when its rows may have changed. */
  observe(listener: (() => void) | undefined): void {
    this.#listener = listener;
  }

  /** Told by the document. */
  set next(next: Block | undefined) {
    if (next === this.#next) return;
    const before = this.gapAfter();
    this.#next = next;
    if (this.watchesNext || this.gapAfter() !== before) this.touch();
  }

  get next(): Block | undefined {
    return this.#next;
  }

  /** Its own rows and the blank one after them. */
  rows(context: DrawContext): string[] {
    const rows = this.draw(context);
    if (rows.length > 0 && this.gapAfter()) rows.push("");
    return rows;
  }

  /** About how many rows it takes, without drawing: O(1). */
  estimate(context: DrawContext): number {
    const { lines, characters } = this.extent(context);
    if (lines === 0) return 0;
    return lines + Math.floor(characters / Math.max(8, context.width)) + (this.gapAfter() ? 1 : 0);
  }

  /** The text that is searched. */
  abstract source(): string;

  /** Whether a click on one of its rows does something: other rows stay selectable. */
  clickable(_row: number): boolean {
    return false;
  }

  /** A click on a clickable row. */
  click(_context: DrawContext): void {
    // Only blocks that open and close do something.
  }

  /** Opens what is folded, so that all of its source can be seen. */
  reveal(_context: DrawContext): void {
    // Most blocks show all of their source.
  }

  /** Its rows are far from view: what was only kept for drawing may go. */
  release(): void {
    // Most blocks keep nothing.
  }

  /** What of the time its rows depend on (whole seconds since it started); undefined when on none. */
  tick(_now: number): number | undefined {
    return undefined;
  }

  protected abstract draw(context: DrawContext): string[];

  protected abstract extent(context: DrawContext): Extent;

  protected gapAfter(): boolean {
    const next = this.#next;
    return next === undefined || !(next.glued || (this.dense && next.dense));
  }

  /** Rows have to be drawn anew. */
  protected touch(): void {
    this.#version++;
    this.#listener?.();
  }
}
