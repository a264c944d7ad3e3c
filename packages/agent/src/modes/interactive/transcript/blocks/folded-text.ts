import { formatCount } from "../../../../platform/format-count.ts";
import { Block, type DrawContext, type Extent } from "../document/block.ts";
import { Fold } from "../document/fold.ts";
import type { LazyDocument } from "../document/lazy-document.ts";
import { clip, gutter } from "../document/row.ts";
import { MarkdownBlock } from "../markdown/markdown-block.ts";
import type { Segment } from "../markdown/segmenter.ts";
import { StreamedText } from "../markdown/streamed-text.ts";

/** What the one line says before the number of lines, while the text comes and afterwards. */
interface FoldedWords {
  growing: string;
  ended: string;
  /** Said in place of all that, when it gives something. */
  instead?(): string | undefined;
}

/** What the pieces of one text share. */
class FoldedState {
  readonly words: FoldedWords;
  readonly fold = new Fold();
  lines = 0;
  #openLine = false;
  ended = false;

  constructor(words: FoldedWords) {
    this.words = words;
  }

  count(delta: string): void {
    for (const [index, part] of delta.split("\n").entries()) {
      if (index > 0) this.#openLine = false;
      if (this.#openLine || part.trim() === "") continue;
      this.#openLine = true;
      this.lines++;
    }
  }
}

/** A text that is folded to one line unless it is opened: reasoning of the model, a summary. */
export class FoldedText {
  readonly #document: LazyDocument;
  readonly #state: FoldedState;
  readonly #head: FoldedHead;
  readonly #text: StreamedText;
  readonly #bodies = new Set<FoldedBody>();

  constructor(document: LazyDocument, words: FoldedWords) {
    this.#document = document;
    this.#state = new FoldedState(words);
    this.#head = new FoldedHead(this.#state, () => {
      document.pin(this.#head);
      for (const body of this.#bodies) if (document.has(body)) body.refold();
    });
    document.append(this.#head);
    this.#text = new StreamedText(document, {
      head: this.#head,
      make: (segment) => {
        const body = new FoldedBody(segment, this.#state, () => this.#head.unfold());
        this.#bodies.add(body);
        return body;
      },
    });
  }

  append(delta: string): void {
    this.#state.count(delta);
    this.#head.refresh();
    this.#text.append(delta);
  }

  end(): void {
    this.#state.ended = true;
    this.#head.refresh();
    for (const body of this.#bodies) if (!this.#document.has(body)) this.#bodies.delete(body);
  }
}

class FoldedHead extends Block {
  override readonly dense = true;
  readonly #state: FoldedState;
  readonly #onFold: () => void;

  constructor(state: FoldedState, onFold: () => void) {
    super();
    this.#state = state;
    this.#onFold = onFold;
  }

  refresh(): void {
    this.touch();
  }

  unfold(): void {
    this.touch();
    this.#onFold();
  }

  override source(): string {
    return "";
  }

  override clickable(row: number): boolean {
    return row === 0;
  }

  override click(context: DrawContext): void {
    const { fold } = this.#state;
    fold.set(!fold.isOpen(context.thinking), context.thinking);
    this.touch();
    this.#onFold();
  }

  protected override draw({ width, theme, thinking }: DrawContext): string[] {
    const { lines, ended, fold, words } = this.#state;
    const count = `${formatCount(lines)} ${lines === 1 ? "line" : "lines"}`;
    const text = words.instead?.() ?? `${ended ? words.ended : words.growing} ${count}`;
    const mark = gutter(width) === 0 ? "" : "∴ ";
    return [theme.color.muted(clip(`${mark}${text}${fold.isOpen(thinking) ? ":" : "…"}`, width))];
  }

  protected override extent(): Extent {
    return { lines: 1, characters: 0 };
  }
}

class FoldedBody extends MarkdownBlock {
  override readonly dense = true;
  protected override readonly watchesNext = true;
  readonly #state: FoldedState;
  readonly #unfold: () => void;

  constructor(segment: Segment, state: FoldedState, unfold: () => void) {
    super(asProse(segment));
    this.#state = state;
    this.#unfold = unfold;
  }

  override set segment(segment: Segment) {
    super.segment = asProse(segment);
  }

  refold(): void {
    this.touch();
  }

  override reveal(context: DrawContext): void {
    if (this.#state.fold.isOpen(context.thinking)) return;
    this.#state.fold.set(true, context.thinking);
    this.#unfold();
  }

  override rows(context: DrawContext): string[] {
    if (this.#state.fold.isOpen(context.thinking)) return super.rows(context);
    return this.#closesFold() ? [""] : [];
  }

  override estimate(context: DrawContext): number {
    if (this.#state.fold.isOpen(context.thinking)) return super.estimate(context);
    return this.#closesFold() ? 1 : 0;
  }

  protected override textStyle(context: DrawContext) {
    return { color: context.theme.color.muted, italic: true };
  }

  protected override gapAfter(): boolean {
    return true;
  }

  /** Folded, the head's row is followed by a blank one, where its like would not follow it. */
  #closesFold(): boolean {
    const { next } = this;
    return !(next instanceof FoldedBody && next.#state === this.#state) && next?.dense !== true;
  }
}

/** Code in a folded text is shown as it was written, fences and all. */
function asProse(segment: Segment): Segment {
  if (segment.kind === "markdown") return { ...segment, glued: true };
  const open = segment.glued ? "" : `\`\`\`${segment.info ?? ""}\n`;
  return { kind: "markdown", glued: true, text: `${open}${segment.text}${segment.closed ? "\n```" : ""}` };
}
