import { safeLine, safeText } from "../../../shared/safe-text.ts";
import { Block, type DrawContext, type Extent } from "../document/block.ts";
import { clip, expandTabs, gutter, indent } from "../document/row.ts";
import { wrapRuns } from "../document/runs.ts";
import { extentOf } from "./markdown-block.ts";
import type { Segment } from "./segmenter.ts";

/** A part of a fenced code block: up to a hundred lines, with the fence's first or last line where it is the first or last part. */
export class CodeBlock extends Block {
  override readonly glued: boolean;
  #segment: Segment;
  readonly #before: CodeBlock | undefined;

  /** `before` is the part above of the same fence. */
  constructor(segment: Segment, before: CodeBlock | undefined) {
    super();
    this.glued = segment.glued;
    this.#segment = segment;
    this.#before = segment.glued ? before : undefined;
  }

  set segment(segment: Segment) {
    this.#segment = segment;
    this.touch();
  }

  override source(): string {
    return this.#segment.text;
  }

  protected override draw(context: DrawContext): string[] {
    const { width, theme, highlighter } = context;
    const { text, info, closed, glued } = this.#segment;
    const cells = gutter(width);
    const inner = cells === 0 ? 0 : 2;
    const rows: string[] = [];
    if (!glued) rows.push(theme.color.muted(clip(`\`\`\`${safeLine(info ?? "")}`, width - cells)));
    if (text !== "" || !closed) {
      // What a comment or a string above began is known with the part before this one.
      const above = this.#before === undefined ? "" : codeLines(this.#before.source());
      const room = width - cells - inner;
      for (const runs of highlighter.runs(codeLines(text), info, theme, above))
        rows.push(...indent(wrapRuns(runs, room), inner));
    }
    if (closed) rows.push(theme.color.muted(clip("```", width - cells)));
    return indent(rows, cells);
  }

  protected override extent(): Extent {
    const { lines, characters } = extentOf(this.#segment.text);
    return { lines: lines + (this.glued ? 0 : 1) + (this.#segment.closed ? 1 : 0), characters };
  }
}

function codeLines(text: string): string {
  const safe = safeText(text);
  return safe.includes("\t") ? safe.split("\n").map(expandTabs).join("\n") : safe;
}
