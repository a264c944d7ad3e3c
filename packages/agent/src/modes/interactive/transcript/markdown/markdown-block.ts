import { Markdown } from "@earendil-works/pi-tui";
import { safeText } from "../../../shared/safe-text.ts";
import type { Theme } from "../../theme/theme.ts";
import { Block, type DrawContext, type Extent } from "../document/block.ts";
import { gutter, indent } from "../document/row.ts";
import { markdownTheme } from "./markdown-theme.ts";
import type { Segment } from "./segmenter.ts";

/** Deeper quotes and lists than this are drawn as plain text: each level costs. */
const MAX_DEPTH = 40;

/** One piece of an answer, drawn as Markdown. */
export class MarkdownBlock extends Block {
  override readonly glued: boolean;
  #segment: Segment;
  #drawn: { markdown: Markdown; theme: Theme; text: string } | undefined;

  constructor(segment: Segment) {
    super();
    this.glued = segment.glued;
    this.#segment = segment;
  }

  set segment(segment: Segment) {
    this.#segment = segment;
    this.touch();
  }

  override source(): string {
    return this.#segment.text;
  }

  override release(): void {
    this.#drawn = undefined;
  }

  protected override draw(context: DrawContext): string[] {
    const { text, tableHead } = this.#segment;
    const safe = safeText(tableHead === undefined ? text : `${tableHead}\n${text}`);
    const cells = gutter(context.width);
    return indent(this.#markdown(safe, context).render(context.width - cells), cells);
  }

  protected override extent(): Extent {
    return extentOf(this.#segment.text);
  }

  /** How text without marks is painted. */
  protected textStyle(context: DrawContext): { color: (text: string) => string; italic?: boolean } {
    return { color: context.theme.color.text };
  }

  #markdown(text: string, context: DrawContext): Markdown {
    const drawn = this.#drawn;
    if (drawn && drawn.theme === context.theme) {
      // The same text again: something it was drawn with is new (code can be coloured now).
      if (drawn.text === text) drawn.markdown.invalidate();
      else drawn.markdown.setText(text);
      drawn.text = text;
      return drawn.markdown;
    }
    const markdown = new Markdown(flatten(text), 0, 0, markdownTheme(context), this.textStyle(context), {
      preserveOrderedListMarkers: true,
    });
    this.#drawn = { markdown, theme: context.theme, text };
    return markdown;
  }
}

/** Lines that open more quotes than anybody writes would take time without end. */
function flatten(text: string): string {
  return text.replace(/^(?:[ \t]*>){40,}/gm, (marks) => marks.slice(0, MAX_DEPTH));
}

export function extentOf(text: string): Extent {
  if (text === "") return { lines: 0, characters: 0 };
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return { lines, characters: text.length };
}
