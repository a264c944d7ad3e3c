import type { ExtensionMessage } from "../../../../contract/extension-surface.ts";
import { safeLine } from "../../../shared/safe-text.ts";
import { Block, type DrawContext, type Extent } from "../document/block.ts";
import { Fold } from "../document/fold.ts";
import { clip, gutter, indent } from "../document/row.ts";
import { extentOf } from "../markdown/markdown-block.ts";
import { textRows } from "./message-block.ts";

/** Rows of a folded message, and of an open one. */
const FOLDED_ROWS = 20;
const MOST_ROWS = 600;

/** A message that an extension sent, or an entry it keeps; an entry that nobody draws has no rows. */
export class ExtensionBlock extends Block {
  readonly #message: ExtensionMessage;
  readonly #fold = new Fold();

  constructor(message: ExtensionMessage) {
    super();
    this.#message = message;
  }

  override source(): string {
    return this.#message.text;
  }

  override clickable(row: number): boolean {
    return row === 0;
  }

  override click({ tools }: DrawContext): void {
    this.#fold.set(!this.#fold.isOpen(tools), tools);
    this.touch();
  }

  override reveal({ tools }: DrawContext): void {
    this.#fold.set(true, tools);
    this.touch();
  }

  protected override draw(context: DrawContext): string[] {
    const cells = gutter(context.width);
    const open = this.#fold.isOpen(context.tools);
    const width = context.width - cells;
    const rows = open ? MOST_ROWS : FOLDED_ROWS;
    const custom = context.custom?.message(this.#message, {
      width,
      open,
      rows,
      images: context.images,
      cwd: context.cwd,
      changed: () => {
        this.touch();
        context.requestFrame();
      },
    });
    return indent(custom ?? this.#plain(context, width, rows), cells);
  }

  protected override extent({ custom }: DrawContext): Extent {
    if (this.#message.kind === "entry" && custom?.knows(this.#message) !== true)
      return { lines: 0, characters: 0 };
    const { lines, characters } = extentOf(this.#message.text);
    return { lines: Math.min(lines, FOLDED_ROWS) + 1, characters: Math.min(characters, 2_000) };
  }

  #plain({ theme }: DrawContext, width: number, most: number): string[] {
    const { customType, kind, text } = this.#message;
    if (kind === "entry") return [];
    const { color } = theme;
    const rows = textRows(text, width, color.text);
    const label = theme.bold(color.secondary(clip(`[${safeLine(customType)}]`, width)));
    if (rows.length < most) return [label, ...rows];
    const hidden = rows.length - most + 2;
    return [label, ...rows.slice(0, most - 2), color.muted(clip(`… ${hidden} more rows`, width))];
  }
}
