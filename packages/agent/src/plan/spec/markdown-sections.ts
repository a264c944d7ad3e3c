/** A line of a document, counted from 1. */
export interface Line {
  number: number;
  text: string;
  /** It stands in fenced code, or is a fence: it is quoted and means nothing. */
  code: boolean;
}

/** A part of a document that could not be read as meant. */
export interface SpecProblem {
  /** From 1; absent: it is about the whole document. */
  line?: number;
  message: string;
}

/** The lines of a Markdown text. */
export function linesOf(text: string): Line[] {
  let fence: string | null = null;
  return text.split(/\r?\n/).map((line, index) => {
    const sign = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1];
    const code = fence !== null || sign !== undefined;
    if (fence === null) fence = sign ?? null;
    else if (sign?.startsWith(fence)) fence = null;
    return { number: index + 1, text: line, code };
  });
}

/** The lines below the heading `## TITLE` up to the next heading of its level or above; null without one. */
export function sectionOf(text: string, title: string): Line[] | null {
  const lines = linesOf(text);
  const start = lines.findIndex((line) => !line.code && headingOf(line.text) === title.toLowerCase());
  if (start < 0) return null;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => !line.code && /^#{1,2}\s/.test(line.text));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The same as text; null also when it is empty. */
export function sectionText(text: string, title: string): string | null {
  const lines = sectionOf(text, title) ?? [];
  const body = lines
    .map((line) => line.text)
    .join("\n")
    .trim();
  return body === "" ? null : body;
}

function headingOf(line: string): string | undefined {
  return /^##\s+(.*?)\s*#*\s*$/.exec(line)?.[1]?.toLowerCase();
}
