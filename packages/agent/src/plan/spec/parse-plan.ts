import { type Line, linesOf, type SpecProblem, unclosedCode } from "./markdown-sections.ts";

/** A vertical slice of a plan: something that works when it is done. */
export interface Slice {
  number: number;
  title: string;
  /** Its box is ticked. */
  done: boolean;
  /** The files that it changes, as the plan says. */
  files: readonly string[];
  /** Command lines that must succeed. */
  verify: readonly string[];
  /** Numbers of slices that come before it. */
  depends: readonly number[];
  /** It may be worked on beside other slices of which this is said. */
  parallelSafe: boolean;
  /** Everything else that stands below its title. */
  notes: string;
  /** The line of its title. */
  line: number;
}

export interface ParsedPlan {
  slices: readonly Slice[];
  problems: readonly SpecProblem[];
}

const TITLE = /^[-*]\s+\[([ xX])\]\s+Slice\s+(\d+)\s*[:.—-]\s*(.*\S)\s*$/i;
/** A line that was meant to be the title of a slice. */
const NEARLY = /^(?:[-*+]|\d+[.)])\s+(?:\[.{0,3}\]\s*)?\**Slice\b/i;
const FIELD =
  /^\s+[-*]\s+\**(files?|verify|depends(?:\s+on)?|dependencies|parallel[- ]?safe)\**\s*:\**\s*(.*?)\s*$/i;

type Draft = {
  -readonly [Key in keyof Slice]: Slice[Key] extends readonly (infer Item)[] ? Item[] : Slice[Key];
};

/**
 * Reads the slices of a `plan.md`: `- [ ] Slice N: title`, and below it, indented, `- files: a, b`, one or more `` - verify: `command` ``,
 * `- depends: 1, 2` (or `none`) and `- parallel-safe: yes` (or `no`, the default). Never throws: what is not understood is a problem.
 */
export function parsePlan(text: string): ParsedPlan {
  const slices: Draft[] = [];
  const problems = unclosedCode(text);
  for (const line of linesOf(text)) {
    const title = line.code ? null : TITLE.exec(line.text);
    const slice = slices.at(-1);
    if (title !== null) slices.push(draft(title, line));
    else if (line.code && slice !== undefined) slice.notes += `${line.text}\n`;
    else if (NEARLY.test(line.text))
      problems.push(at(line, `a slice is written "- [ ] Slice 1: title", not "${shown(line.text)}"`));
    else if (/^#{1,6}\s/.test(line.text)) continue;
    else if (slice !== undefined) read(line, slice, problems);
  }
  for (const slice of slices) slice.notes = slice.notes.trim();
  return { slices, problems };
}

function draft([, box = " ", number = "", title = ""]: RegExpExecArray, { number: line }: Line): Draft {
  const lists = { files: [], verify: [], depends: [] };
  return { number: Number(number), title, done: box !== " ", ...lists, parallelSafe: false, notes: "", line };
}

function read(line: Line, slice: Draft, problems: SpecProblem[]): void {
  const [, name, value = ""] = FIELD.exec(line.text) ?? [];
  if (name === undefined) {
    slice.notes += `${line.text.replace(/^ {2}/, "")}\n`;
    return;
  }
  const problem = FIELDS[name.toLowerCase().charAt(0)]!(value, slice);
  if (problem !== undefined) problems.push(at(line, problem));
}

/** By the first letter of a field's name; gives what is wrong with its value. */
const FIELDS: Readonly<Record<string, (value: string, slice: Draft) => string | undefined>> = {
  f(value, slice) {
    const files = value.split(",").map((file) => file.trim().replace(/^`(.*)`$/, "$1"));
    slice.files.push(...files.filter((file) => file !== ""));
    return undefined;
  },
  v(value, slice) {
    const command = commandIn(value);
    if (command === null) return `verify needs one command in backticks, not "${shown(value)}"`;
    slice.verify.push(command);
    return undefined;
  },
  d(value, slice) {
    if (/^(none|nothing|-|—)?\.?$/i.test(value)) return undefined;
    const words = value.split(/[,\s]+|\band\b/i).filter((word) => word !== "" && !/^slices?$/i.test(word));
    const numbers = words.map((word) => Number(word.replace(/^#/, "")));
    if (numbers.some((number) => !Number.isInteger(number)))
      return `depends needs numbers of slices or "none", not "${shown(value)}"`;
    slice.depends.push(...numbers);
    return undefined;
  },
  p(value, slice) {
    const [answer] = /^(yes|true|no|false)\b/i.exec(value) ?? [];
    if (answer === undefined) return `parallel-safe is yes or no, not "${shown(value)}"`;
    slice.parallelSafe = /^[yt]/i.test(answer);
    return undefined;
  },
};

/** The command line in a value that is all code (`` `npm test` ``, or with more backticks around it); null for anything else. */
export function commandIn(value: string): string | null {
  const [, ticks = "", inner = ""] = /^(`+)(.+)\1$/.exec(value) ?? [];
  const command = inner.trim();
  return command === "" || inner.includes(ticks) ? null : command;
}

function at({ number }: Line, message: string): SpecProblem {
  return { line: number, message };
}

function shown(text: string): string {
  const line = text.trim();
  return line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line;
}

/** The text of a `plan.md` with the boxes of these slices ticked; nothing else of it changes. */
export function tickSlices(text: string, done: ReadonlySet<number>): string {
  const titles = new Map(parsePlan(text).slices.map(({ line, number }) => [line, number]));
  return text
    .split("\n")
    .map((line, index) => {
      const number = titles.get(index + 1);
      return number !== undefined && done.has(number) ? line.replace("[ ]", "[x]") : line;
    })
    .join("\n");
}
