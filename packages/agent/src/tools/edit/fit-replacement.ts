import { quotePattern, type Span } from "./find-spans.ts";
import type { TextForm } from "./text-form.ts";

/** What is put in place of a span: both arguments in the body's form, with line feeds. */
export interface Replacement {
  old: string;
  new: string;
  /** The span was found with quotes taken as equal. */
  lenient: boolean;
  endingAround(span: Span): string;
}

/**
 * The new text for one span, in the form of what it replaces: what both arguments share keeps the file's own line ends and
 * quotes; a new line gets the line end of the line before it. Never makes CR CR LF.
 */
export async function fitReplacement(form: TextForm, span: Span, replacement: Replacement): Promise<string> {
  if (!replacement.lenient && !replacement.new.includes("\n")) return replacement.new;
  const region = form.body.slice(span.start, span.end);
  const endings = new Set(region.match(/\r?\n/g) ?? []);
  if (!replacement.lenient && endings.size < 2) {
    const ending = [...endings][0] ?? replacement.endingAround(span);
    return ending === "\n" ? replacement.new : replacement.new.replaceAll("\n", ending);
  }
  return await alignedReplacement(form, span, replacement, region);
}

/** The line end of the line that a span lies in, else of the line before it. Ask for spans in their order. */
export function endingFinder(body: string): (span: Span) => string {
  let after = -2;
  return (span) => {
    // One line may hold a million spans: its end is looked for once.
    if (after !== -1 && after < span.end) after = body.indexOf("\n", span.end);
    const feed = after !== -1 ? after : body.lastIndexOf("\n", span.start - 1);
    return feed > 0 && body[feed - 1] === "\r" ? "\r\n" : "\n";
  };
}

async function alignedReplacement(
  form: TextForm,
  span: Span,
  replacement: Replacement,
  region: string,
): Promise<string> {
  const { diffArrays } = await import("diff");
  const pattern = new RegExp(`\\r?\\n|${quotePattern(form).source}|\\w+|[^]`, "g");
  const tokens = (text: string) => text.match(pattern) ?? [];
  const originals = tokens(region);
  let ending = originals.find((token) => token.endsWith("\n")) ?? replacement.endingAround(span);
  let at = 0;
  let text = "";
  for (const change of diffArrays(tokens(replacement.old), tokens(replacement.new))) {
    if (change.removed) at += change.value.length;
    else if (change.added) text += change.value.join("").replaceAll("\n", ending);
    else
      for (const token of change.value) {
        const original = originals[at++] ?? token;
        if (original.endsWith("\n")) ending = original;
        text += original;
      }
  }
  return text;
}
