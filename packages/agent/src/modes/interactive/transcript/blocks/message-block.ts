import { safeText } from "../../../shared/safe-text.ts";
import type { ColorRole } from "../../theme/theme.ts";
import { Block, type DrawContext, type Extent } from "../document/block.ts";
import { expandTabs, gutter, indent, wrap } from "../document/row.ts";
import { extentOf } from "../markdown/markdown-block.ts";

/** What the program tells: short texts with a mark in front. */
export interface ProgramMessage {
  mark: string;
  role: ColorRole;
  text: string;
  /** What to do about it; on lines of its own. */
  hint?: string | undefined;
}

const MAX_CHARACTERS = 20_000;

/** A notice, an error, a compaction, the mark of an interrupted answer. */
export class MessageBlock extends Block {
  #message: ProgramMessage;

  constructor(message: ProgramMessage) {
    super();
    this.#message = message;
  }

  set message(message: ProgramMessage) {
    this.#message = message;
    this.touch();
  }

  override source(): string {
    const { text, hint } = this.#message;
    return hint === undefined ? text : `${text}\n${hint}`;
  }

  protected override draw({ width, theme }: DrawContext): string[] {
    const { mark, role, text, hint } = this.#message;
    const cells = gutter(width);
    const paint = theme.color[role];
    const rows = indent(textRows(text, width - cells, paint), cells);
    if (cells > 0) rows[0] = `${paint(mark)} ${(rows[0] ?? "").slice(cells)}`;
    if (hint !== undefined && hint !== "")
      rows.push(...indent(textRows(hint, width - cells, theme.color.muted), cells));
    return rows;
  }

  protected override extent(): Extent {
    return extentOf(this.source());
  }
}

/** Rows of safe text, broken at words. */
export function textRows(text: string, width: number, paint: (text: string) => string): string[] {
  const kept = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
  return safeText(kept)
    .split("\n")
    .flatMap((line) => (line.trim() === "" ? [""] : wrap(paint(expandTabs(line)), width)));
}
