import type { Block } from "../document/block.ts";
import type { LazyDocument } from "../document/lazy-document.ts";
import { CodeBlock } from "./code-block.ts";
import { MarkdownBlock } from "./markdown-block.ts";
import { type Segment, Segmenter } from "./segmenter.ts";

type PieceBlock = MarkdownBlock | CodeBlock;

/** A Markdown text in the document that may still grow. Only its last piece changes, the earlier ones are never drawn again. */
export class StreamedText {
  readonly #document: LazyDocument;
  readonly #make: (segment: Segment, before: CodeBlock | undefined) => PieceBlock;
  readonly #segmenter = new Segmenter();
  readonly #blocks: { segment: Segment; block: PieceBlock }[] = [];
  #last: Block | undefined;

  /** Its blocks go behind `head`, or at the end of the document. */
  constructor(
    document: LazyDocument,
    options: { head?: Block; make?: (segment: Segment, before: CodeBlock | undefined) => PieceBlock } = {},
  ) {
    this.#document = document;
    this.#last = options.head;
    this.#make = options.make ?? pieceBlock;
  }

  append(delta: string): void {
    if (delta === "") return;
    let at = this.#segmenter.append(delta);
    const { segments } = this.#segmenter;
    while (this.#blocks.length > segments.length) this.#document.remove(this.#blocks.pop()!.block);
    for (; at < segments.length; at++) this.#put(at, segments[at]!);
  }

  #put(at: number, segment: Segment): void {
    const old = this.#blocks[at];
    if (old?.segment === segment) return;
    if (old && old.segment.kind === segment.kind && old.segment.glued === segment.glued) {
      old.block.segment = segment;
      old.segment = segment;
      return;
    }
    const above = at === 0 ? this.#last : this.#blocks[at - 1]!.block;
    const block = this.#make(segment, above instanceof CodeBlock ? above : undefined);
    if (old) this.#document.remove(old.block);
    if (above !== undefined && this.#document.has(above)) this.#document.insertAfter(above, block);
    else this.#document.append(block);
    this.#blocks[at] = { segment, block };
  }
}

/** The block of a piece of an answer. */
function pieceBlock(segment: Segment, before: CodeBlock | undefined): PieceBlock {
  return segment.kind === "code" ? new CodeBlock(segment, before) : new MarkdownBlock(segment);
}
