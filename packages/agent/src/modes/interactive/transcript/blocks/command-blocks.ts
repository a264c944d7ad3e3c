import type { CommandBlock } from "../../../../contract/command.ts";
import { safeLine } from "../../../shared/safe-text.ts";
import type { DiffLine } from "../diff/diff-line.ts";
import { diffRows } from "../diff/diff-rows.ts";
import { parseUnifiedDiff } from "../diff/unified-diff.ts";
import { Block, type DrawContext, type Extent } from "../document/block.ts";
import type { LazyDocument } from "../document/lazy-document.ts";
import { clip, gutter, indent } from "../document/row.ts";
import { extentOf } from "../markdown/markdown-block.ts";
import { StreamedText } from "../markdown/streamed-text.ts";
import { textRows } from "./message-block.ts";
import { Table, TableBlock } from "./table.ts";

/** Long results are several blocks of so many lines. */
const PART = 100;

/** Puts what a slash command gave back into the document: the line that was typed, then its blocks. */
export function appendCommand(
  document: LazyDocument,
  line: string,
  blocks: readonly CommandBlock[],
  failed: boolean,
): void {
  document.append(new CommandLine(line, failed));
  for (const [index, block] of blocks.entries()) appendBlock(document, block, failed, index === 0);
}

function appendBlock(document: LazyDocument, block: CommandBlock, failed: boolean, first: boolean): void {
  switch (block.kind) {
    case "text": {
      const lines = block.text.replace(/\n$/, "").split("\n");
      for (let from = 0; from < lines.length; from += PART)
        document.append(new TextPart(lines.slice(from, from + PART).join("\n"), failed, first || from > 0));
      return;
    }
    case "table": {
      const table = new Table(block.head, block.rows);
      const count = Math.max(1, block.rows.length);
      for (let from = 0; from < count; from += PART)
        document.append(new TableBlock(table, from, Math.min(count, from + PART)));
      return;
    }
    case "markdown":
      new StreamedText(document).append(block.text);
      return;
    case "diff": {
      const lines = parseUnifiedDiff(block.text);
      for (let from = 0; from < lines.length; from += PART)
        document.append(new DiffPart(lines.slice(from, from + PART), first || from > 0));
    }
  }
}

class CommandLine extends Block {
  readonly #line: string;
  readonly #failed: boolean;

  constructor(line: string, failed: boolean) {
    super();
    this.#line = line;
    this.#failed = failed;
  }

  override source(): string {
    return this.#line;
  }

  protected override draw({ width, theme }: DrawContext): string[] {
    const paint = this.#failed ? theme.color.error : theme.color.accent;
    return [theme.bold(paint(clip(safeLine(this.#line), width)))];
  }

  protected override extent(): Extent {
    return { lines: 1, characters: 0 };
  }
}

class TextPart extends Block {
  override readonly glued: boolean;
  readonly #text: string;
  readonly #failed: boolean;

  constructor(text: string, failed: boolean, glued: boolean) {
    super();
    this.glued = glued;
    this.#text = text;
    this.#failed = failed;
  }

  override source(): string {
    return this.#text;
  }

  protected override draw({ width, theme }: DrawContext): string[] {
    const cells = gutter(width);
    const paint = this.#failed ? theme.color.error : theme.color.text;
    return indent(textRows(this.#text, width - cells, paint), cells);
  }

  protected override extent(): Extent {
    return extentOf(this.#text);
  }
}

class DiffPart extends Block {
  override readonly glued: boolean;
  readonly #lines: readonly DiffLine[];

  constructor(lines: readonly DiffLine[], glued: boolean) {
    super();
    this.glued = glued;
    this.#lines = lines;
  }

  override source(): string {
    return this.#lines.map((line) => line.text).join("\n");
  }

  protected override draw({ width, theme }: DrawContext): string[] {
    const cells = gutter(width);
    return indent(diffRows(this.#lines, width - cells, theme), cells);
  }

  protected override extent(): Extent {
    return { lines: this.#lines.length, characters: 0 };
  }
}
