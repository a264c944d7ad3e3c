import type { Detector, Span } from "./span.ts";

const TAG = /<(\/?)private(?:\s[^<>]{0,200})?>/gi;

/**
 * `<private>` blocks with all that is in them, in any case, nested, and in code fences, too: who writes the tag means it. A block
 * without its end goes on to the end of the text. An end without its block is text.
 */
export const findPrivateBlocks: Detector = (text) => {
  const spans: Span[] = [];
  let depth = 0;
  let start = 0;
  for (const tag of text.matchAll(TAG)) {
    if (tag[1] === "") {
      if (depth === 0) start = tag.index;
      depth++;
    } else if (depth > 0 && --depth === 0) spans.push(block(start, tag.index + tag[0].length));
  }
  if (depth > 0) spans.push(block(start, text.length));
  return spans;
};

function block(start: number, end: number): Span {
  return { rule: "private-block", category: "private", start, end };
}
