import type { Block } from "./document/block.ts";
import type { LazyDocument } from "./document/lazy-document.ts";
import { markMatches } from "./document/mark-matches.ts";
import { plainRow } from "./document/row.ts";

/** Finds text in the sources of a document's blocks, and marks it where it is drawn. */
export class Finder {
  readonly #document: LazyDocument;
  #query = "";
  #current: Block | undefined;

  constructor(document: LazyDocument) {
    this.#document = document;
  }

  /** Shows the next block that holds `query`; from the one in view when the search begins. O(blocks). */
  find(query: string, direction: "next" | "previous" | "first"): { match: number; total: number } {
    const wanted = query.toLowerCase();
    if (wanted === "") {
      this.clear();
      return { match: 0, total: 0 };
    }
    const document = this.#document;
    const matches: number[] = [];
    for (let index = 0; index < document.length; index++)
      if (document.block(index)!.source().toLowerCase().includes(wanted)) matches.push(index);
    const from = this.#current === undefined ? -1 : document.indexOf(this.#current);
    const goesOn = direction !== "first" && wanted === this.#query && from !== -1;
    this.#query = wanted;
    if (matches.length === 0) {
      this.#current = undefined;
      this.#mark();
      return { match: 0, total: 0 };
    }
    const match = goesOn ? step(matches, from, direction) : start(matches, document.firstInView, direction);
    const block = document.block(matches[match]!)!;
    this.#current = block;
    block.reveal(document.drawContext);
    this.#mark();
    document.show(block, (rows) => rows.findIndex((row) => plainRow(row).toLowerCase().includes(wanted)));
    return { match: match + 1, total: matches.length };
  }

  clear(): void {
    this.#query = "";
    this.#current = undefined;
    this.#document.decorate = undefined;
  }

  #mark(): void {
    this.#document.decorate = (row, block) => {
      const { theme } = this.#document.drawContext;
      const { match } = theme.background;
      const paint = block === this.#current ? (text: string) => theme.inverse(theme.bold(text)) : match;
      return markMatches(row, this.#query, paint);
    };
  }
}

function start(matches: readonly number[], inView: number, direction: "next" | "previous" | "first"): number {
  if (direction === "previous") {
    const before = matches.findLastIndex((index) => index <= inView);
    return before === -1 ? matches.length - 1 : before;
  }
  const after = matches.findIndex((index) => index >= inView);
  return after === -1 ? 0 : after;
}

function step(matches: readonly number[], from: number, direction: "next" | "previous" | "first"): number {
  if (direction === "previous") {
    const before = matches.findLastIndex((index) => index < from);
    return before === -1 ? matches.length - 1 : before;
  }
  const after = matches.findIndex((index) => index > from);
  return after === -1 ? 0 : after;
}
