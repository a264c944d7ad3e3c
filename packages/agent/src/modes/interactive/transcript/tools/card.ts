import { visibleWidth } from "@earendil-works/pi-tui";
import { safeLine } from "../../../shared/safe-text.ts";
import type { ColorRole } from "../../theme/theme.ts";
import { Block, type DrawContext, type Extent } from "../document/block.ts";
import { Fold } from "../document/fold.ts";
import { clip, gutter, indent } from "../document/row.ts";
import type { Fact } from "./headline.ts";

/** How a call stands. */
export type CardMark = "running" | "done" | "failed" | "nothing";

const marks: Readonly<Record<CardMark, { sign: string; role: ColorRole }>> = {
  running: { sign: "·", role: "accent" },
  done: { sign: "✓", role: "success" },
  failed: { sign: "✗", role: "error" },
  nothing: { sign: "·", role: "muted" },
};

/** Rows that a folded card may have below its first one. */
export const PREVIEW_ROWS = 12;
/** Rows an open card may have: what is beyond is told. */
export const MAX_ROWS = 600;

/** A card of one row with a mark, which opens to more; a few rows may stand below it when it is folded. */
export abstract class Card extends Block {
  override readonly dense = true;
  readonly #fold = new Fold();

  override clickable(row: number): boolean {
    return row === 0;
  }

  override click(context: DrawContext): void {
    this.#fold.set(!this.#fold.isOpen(context.tools), context.tools);
    this.touch();
  }

  override reveal(context: DrawContext): void {
    if (this.#fold.isOpen(context.tools)) return;
    this.#fold.set(true, context.tools);
    this.touch();
  }

  protected isOpen(context: DrawContext): boolean {
    return this.#fold.isOpen(context.tools);
  }

  protected abstract first(context: DrawContext): {
    mark: CardMark;
    name: string;
    argument: string;
    facts: readonly Fact[];
  };

  /** Rows below the first one, at most as wide as the context says. */
  protected abstract body(context: DrawContext, open: boolean): string[];

  protected abstract bodyExtent(open: boolean): Extent;

  protected override draw(context: DrawContext): string[] {
    const open = this.isOpen(context);
    const cells = gutter(context.width);
    const inner = cells === 0 ? 0 : 2;
    const head = this.head({ ...context, width: context.width - cells }, open);
    const body = this.body({ ...context, width: context.width - cells - inner }, open);
    const top = head ? this.#marked(head, context) : [this.#firstRow(context)];
    return [...top, ...indent(capped(body, open, context), cells + inner)];
  }

  /** Rows in place of the first one, at most as wide as the context says. */
  protected head(_context: DrawContext, _open: boolean): string[] | undefined {
    return undefined;
  }

  protected override extent(context: DrawContext): Extent {
    const open = this.isOpen(context);
    const { lines, characters } = this.bodyExtent(open);
    const most = open ? MAX_ROWS : PREVIEW_ROWS;
    return { lines: 1 + Math.min(lines, most), characters: Math.min(characters, most * context.width) };
  }

  #marked(rows: readonly string[], context: DrawContext): string[] {
    const cells = gutter(context.width);
    const { sign, role } = marks[this.first(context).mark];
    const [first = "", ...others] = indent(rows, cells);
    return cells === 0
      ? [first, ...others]
      : [`${context.theme.color[role](sign)} ${rows[0] ?? ""}`, ...others];
  }

  #firstRow(context: DrawContext): string {
    const { width, theme } = context;
    const { mark, name, argument, facts } = this.first(context);
    const { sign, role } = marks[mark];
    const lead = `${sign} ${safeLine(name)}`;
    const tail = facts.map((fact) => safeLine(fact.text));
    // Facts matter more than the end of a long argument, and the argument's start more than they.
    const tailWidth = tail.reduce((sum, text) => sum + visibleWidth(text) + 2, 0);
    const room = width - visibleWidth(lead) - 1;
    const shown = clip(safeLine(argument), Math.max(Math.min(room, 12), room - tailWidth));
    const paintedName = theme.bold(theme.color.tool(safeLine(name)));
    let row = `${theme.color[role](sign)} ${paintedName}`;
    if (shown !== "") row += ` ${theme.color.text(shown)}`;
    for (const [index, fact] of facts.entries()) row += `  ${theme.color[fact.role](tail[index]!)}`;
    return row;
  }
}

function capped(rows: string[], open: boolean, { theme }: DrawContext): string[] {
  const most = open ? MAX_ROWS : PREVIEW_ROWS;
  if (rows.length <= most) return rows;
  const note = `… ${rows.length - most + 1} more rows${open ? "" : " (open the card to see them)"}`;
  return [...rows.slice(0, most - 1), theme.color.muted(note)];
}
