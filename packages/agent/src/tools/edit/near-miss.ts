import { formatCount } from "../../platform/format-count.ts";
import { mostSimilarLine } from "./similar-lines.ts";

/** Why an argument was not found: the cause in words, and which lines (from 1) to show. */
export interface NearMiss {
  cause: string;
  from: number;
  to: number;
}

const SHOWN_LINES = 8;
/** Comparing every line in six forms takes about a second for this many characters. */
const COMPARED_LENGTH = 8_000_000;

const LOOKALIKES: readonly [RegExp, string][] = [
  [/[\u2018\u2019\u201a\u201b]/g, "'"],
  [/[\u201c\u201d\u201e\u201f]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " "],
  [/[\u200b-\u200d\u2060\ufeff]/g, ""],
];

function alike(line: string): string {
  let text = line.normalize("NFKC");
  for (const [pattern, plain] of LOOKALIKES) text = text.replace(pattern, plain);
  return text;
}

const squeezed = (line: string) => alike(line).replace(/\s+/g, "");

/** From the smallest to the largest difference; the first that makes the argument match is the cause. */
const FORMS: readonly [form: (line: string) => string, cause: (real: string, given: string) => string][] = [
  [(line) => line.trimEnd(), () => "The white space at the ends of lines differs"],
  [(line) => line.trim(), indentation],
  [(line) => line.replace(/\s+/g, " ").trim(), () => "The white space inside of lines differs"],
  [
    (line) => alike(line).replace(/\s+/g, " ").trim(),
    () => "Characters that look alike differ (quotes, dashes, special spaces, accents)",
  ],
  [squeezed, () => "The white space inside of lines differs"],
  [(line) => squeezed(line).toLowerCase(), () => "Upper and lower case differ"],
];

function indentation(real: string, given: string): string {
  const kind = (line: string) => {
    const white = /^[ \t]*/.exec(line)?.[0] ?? "";
    if (white === "") return "no indentation";
    if (!white.includes(" ")) return white.length === 1 ? "1 tab" : `${white.length} tabs`;
    if (!white.includes("\t")) return white.length === 1 ? "1 space" : `${white.length} spaces`;
    return "tabs and spaces mixed";
  };
  return `The indentation differs: the file has ${kind(real)}, old_string ${kind(given)}`;
}

/**
 * Explains why `old` is not in `text` (both with line feeds only). Never null: if nothing is near it says so. `replacement`
 * tells whether the edit may have been made already.
 */
export function explainMiss(text: string, old: string, replacement: string): NearMiss {
  const lines = text.split("\n");
  const wanted = old.split("\n");
  if (text.length > COMPARED_LENGTH) {
    const cause = "The file is too large to look for similar lines: use grep, then read the lines";
    return missingFinalNewline(text, old, lines) ?? { cause, from: 0, to: 0 };
  }
  return (
    missingFinalNewline(text, old, lines) ??
    copiedNumbers(text, old, lines) ??
    literalEscapes(text, old) ??
    differentForm(lines, wanted) ??
    alreadyDone(text, replacement) ??
    partlyThere(lines, wanted) ??
    similar(lines, wanted)
  );
}

function lineOf(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}

function place(text: string, needle: string, cause: string): NearMiss | null {
  const at = needle === "" ? -1 : text.indexOf(needle);
  if (at === -1) return null;
  const from = lineOf(text, at);
  return { cause, from, to: from + Math.min(SHOWN_LINES, needle.split("\n").length) - 1 };
}

function missingFinalNewline(text: string, old: string, lines: readonly string[]): NearMiss | null {
  if (!old.endsWith("\n") || text.endsWith("\n") || !text.endsWith(old.slice(0, -1))) return null;
  const cause = `old_string ends with a newline, but the file has no final newline (line ${lines.length} is its last). Leave the newline out of old_string and new_string`;
  return { cause, from: lines.length, to: lines.length };
}

function copiedNumbers(text: string, old: string, lines: readonly string[]): NearMiss | null {
  const number = /^\s*\d+\t/;
  const wanted = old.split("\n");
  if (!wanted.every((line) => line === "" || number.test(line))) return null;
  const bare = wanted.map((line) => line.replace(number, ""));
  const cause = "old_string holds the line numbers that read puts before each line: leave number and tab out";
  return place(text, bare.join("\n"), cause) ?? differentForm(lines, bare, cause);
}

function literalEscapes(text: string, old: string): NearMiss | null {
  const plain: Record<string, string> = { n: "\n", t: "\t", r: "", '"': '"', "'": "'", "\\": "\\" };
  const unescaped = old.replace(/\\([ntr"'\\])/g, (_, letter: string) => plain[letter] ?? letter);
  if (unescaped === old) return null;
  const cause =
    'old_string was escaped twice: it holds backslashes (\\n, \\t, \\") where the file has the characters themselves';
  return place(text, unescaped, cause);
}

function differentForm(lines: readonly string[], wanted: readonly string[], cause?: string): NearMiss | null {
  for (const [form, name] of FORMS) {
    const goal = wanted.map(form);
    if (goal.every((line) => line === "")) continue;
    const file = lines.map(form);
    for (let at = 0; at + goal.length <= file.length + 1; at++) {
      if (!windowMatches(file, goal, at)) continue;
      const differs = wanted.findIndex((line, index) => line.trim() !== "" && line !== lines[at + index]);
      const where = at + Math.max(0, differs);
      const text =
        cause ?? `${name(lines[where] ?? "", wanted[Math.max(0, differs)] ?? "")} (line ${where + 1})`;
      return { cause: text, from: at + 1, to: at + Math.min(SHOWN_LINES, goal.length) };
    }
  }
  return null;
}

/** The first and the last line of an argument may be parts of a line. */
function windowMatches(file: readonly string[], goal: readonly string[], at: number): boolean {
  const last = goal.length - 1;
  if (last === 0) return (file[at] ?? "").includes(goal[0] ?? "");
  for (let index = 0; index <= last; index++) {
    const line = file[at + index] ?? "";
    const part = goal[index] ?? "";
    const same = index === 0 ? line.endsWith(part) : index === last ? line.startsWith(part) : line === part;
    if (!same) return false;
  }
  return true;
}

function alreadyDone(text: string, replacement: string): NearMiss | null {
  if (replacement.trim().length < 4) return null;
  return place(text, replacement, "new_string is already in the file: this edit seems to be done");
}

function partlyThere(lines: readonly string[], wanted: readonly string[]): NearMiss | null {
  if (wanted.length < 2) return null;
  let best = { at: -1, run: 0 };
  for (let at = 0; at < lines.length; at++) {
    if (!(lines[at] ?? "").endsWith(wanted[0] ?? "") || wanted[0]?.trim() === "") continue;
    let run = 1;
    while (run < wanted.length && lines[at + run] === wanted[run]) run++;
    if (run > best.run) best = { at, run };
  }
  if (best.at === -1) return null;
  const differs = best.at + best.run + 1;
  const equal = best.run === 1 ? "Its first line is" : `Its first ${best.run} lines are`;
  const cause =
    differs > lines.length
      ? `${equal} at line ${best.at + 1}, but there the file ends`
      : `${equal} at line ${best.at + 1}, but line ${differs} differs from ${JSON.stringify((wanted[best.run] ?? "").slice(0, 200))}`;
  const from = Math.max(best.at + 1, differs - 2);
  return { cause, from, to: Math.min(from + SHOWN_LINES, differs + 2) };
}

function similar(lines: readonly string[], wanted: readonly string[]): NearMiss {
  const longest = wanted.reduce((a, b) => (b.trim().length > a.trim().length ? b : a), "");
  const found = mostSimilarLine(lines, longest);
  const total = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  if (found === -1)
    return {
      cause: `Nothing in its ${total === 1 ? "1 line" : `${formatCount(total)} lines`} is like it: read the file again`,
      from: 0,
      to: 0,
    };
  const first = Math.max(0, found - wanted.indexOf(longest));
  return {
    cause: "The most similar lines are",
    from: first + 1,
    to: first + Math.min(SHOWN_LINES, wanted.length),
  };
}
