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
  return walk(text).lines;
}

/** Code that begins and never ends: all that follows is quoted, and would count as not there. */
export function unclosedCode(text: string): SpecProblem[] {
  const { open } = walk(text);
  if (open === null) return [];
  return [
    { line: open, message: "the code that begins here is never closed, so that nothing below it is read" },
  ];
}

/** `open`: the line of a fence that is not closed. */
function walk(text: string): { lines: Line[]; open: number | null } {
  let fence: { sign: string; line: number } | null = null;
  const lines = text.split(/\r?\n/).map((line, index) => {
    const number = index + 1;
    const [, sign, rest = ""] = /^\s{0,3}(```+|~~~+)(.*)$/.exec(line) ?? [];
    // Code in one line (```` ```x``` ````) is no fence.
    const opens = sign !== undefined && !(sign.startsWith("`") && rest.includes("`"));
    const code = fence !== null || opens;
    if (fence === null) fence = opens ? { sign, line: number } : null;
    else if (sign?.startsWith(fence.sign) && rest.trim() === "") fence = null;
    return { number, text: line, code };
  });
  return { lines, open: (fence as { line: number } | null)?.line ?? null };
}

/** The lines below the heading TITLE up to the next heading of its level or above; null without one. */
export function sectionOf(text: string, title: string): Line[] | null {
  const lines = linesOf(text);
  const levels = lines.map((line) => (line.code ? null : headingOf(line.text)));
  const start = levels.findIndex((heading) => heading?.title === title.toLowerCase());
  const level = levels[start]?.level;
  if (level === undefined) return null;
  const rest = lines.slice(start + 1);
  const end = levels.slice(start + 1).findIndex((heading) => heading !== null && heading.level <= level);
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

/** A heading without what people put around its words (`## 4. **Gates:**`); null for any other line. */
function headingOf(line: string): { level: number; title: string } | null {
  const [, signs, words = ""] = /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line) ?? [];
  if (signs === undefined) return null;
  const title = words.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "").toLowerCase();
  return { level: signs.length, title };
}
