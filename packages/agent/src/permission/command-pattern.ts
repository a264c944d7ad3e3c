import { parseShellLine } from "../platform/shell-syntax/parse-line.ts";
import { programName } from "../platform/shell-syntax/programs-run.ts";
import type { ShellAssignment, ShellCommand, ShellWord } from "../platform/shell-syntax/shell-line.ts";
import { harmlessVariable, hasOption, looksLikeOption, risksMore } from "./command-words.ts";
import { wildcard } from "./wildcard.ts";

export interface PatternWord {
  text: string;
  /** Of a word with `*`: what it must match as a whole. */
  expression?: RegExp;
}

/** The pattern of a `bash(…)` rule. */
export interface CommandPattern {
  assignments: ShellAssignment[];
  words: PatternWord[];
  /** Whether more words may follow. */
  prefix: boolean;
}

/** `maybe`: it depends on something that is known only when the command runs. */
export type MatchResult = "yes" | "maybe" | "no";

/**
 * Reads the pattern of a `bash(…)` rule: the words of one command, quoted as in a shell. `:*` at its end (or a last word `*`)
 * stands for any further words, `*` in a word for any characters of that word, and a word `*` for one word. Without `:*` the
 * command has these words and no more. Throws an Error that says what is wrong.
 */
export function parseCommandPattern(text: string): CommandPattern {
  const prefix = /(?::\*|(?:^|\s)\*)$/.test(text);
  const plain = prefix ? text.replace(/:?\*$/, "").trim() : text;
  if (plain === "") return { assignments: [], words: [], prefix: true };
  const { commands, problems } = parseShellLine(plain);
  if (problems.length > 0) throw new Error(`its command is not understood: ${problems[0]!.message}`);
  const [command, more] = commands;
  if (!command || more || command.words.length === 0 || command.redirections.length > 0)
    throw new Error("a rule names one command without redirections; write one rule for each command");
  if (command.words.some((word) => word.kind === "dynamic"))
    throw new Error("a rule cannot hold expansions such as $x or {a,b}");
  return { assignments: command.assignments, words: command.words.map(patternWord), prefix };
}

function patternWord(word: ShellWord): PatternWord {
  if (word.kind !== "pattern" || !word.text.includes("*")) return { text: word.text };
  return { text: word.text, expression: wildcard(word.text) };
}

function fits(pattern: PatternWord, word: string): boolean {
  return pattern.expression ? pattern.expression.test(word) : pattern.text === word;
}

/**
 * Whether an allow rule covers a command: word for word, nothing that is known only when it runs, no variable that could
 * change what the program does, and behind a prefix no option that is known to run or write something else.
 */
export function covers(pattern: CommandPattern, command: ShellCommand): boolean {
  const { words } = command;
  if (words.some((word) => word.kind === "dynamic" || (word.kind === "pattern" && !hasSafeStart(word))))
    return false;
  for (const assignment of command.assignments)
    if (
      !harmlessVariable(assignment) &&
      !pattern.assignments.some((known) => sameAssignment(known, assignment))
    )
      return false;
  if (pattern.words.length > words.length) return false;
  if (!pattern.prefix && pattern.words.length !== words.length) return false;
  for (const [index, expected] of pattern.words.entries()) {
    const word = words[index]!;
    if (word.kind !== "literal" || !fits(expected, word.text)) return false;
  }
  const named = pattern.words.map((word) => word.text);
  return !risksMore(words, named);
}

/** A pattern that becomes file names must not be able to become an option. */
function hasSafeStart(word: ShellWord): boolean {
  return word.fixed !== "" && !looksLikeOption(word.fixed);
}

function sameAssignment(a: ShellAssignment, b: ShellAssignment): boolean {
  return a.name === b.name && b.value.kind === "literal" && a.value.text === b.value.text;
}

/**
 * Whether a deny or ask rule catches a command. Programs are compared by name, whatever their folder; options of the command
 * may stand anywhere and may each take a word; options of the rule count wherever they stand, also joined (`-fr` for `-rf`).
 */
export function catches(pattern: CommandPattern, command: ShellCommand): MatchResult {
  const [program, ...words] = command.words;
  const [wanted, ...rest] = pattern.words;
  if (wanted === undefined) return "yes";
  if (program === undefined) return "no";
  const name = programName({ text: wanted.text, fixed: wanted.text, kind: "literal", quoted: false });
  const expression = wanted.expression ? wildcard(name) : undefined;
  if (!fits(expression ? { text: name, expression } : { text: name }, programName(program))) return "no";
  const operands = rest.filter((word) => !looksLikeOption(word.text));
  const options = rest.filter((word) => looksLikeOption(word.text));
  const unknown = words.some((word) => word.kind !== "literal" && !hasSafeStart(word));
  let result: MatchResult = "yes";
  for (const option of options)
    if (!hasOption(words, option.text)) {
      if (!unknown) return "no";
      result = "maybe";
    }
  const found = operandsMatch(operands, 0, words, 0, pattern.prefix || options.length > 0);
  return found === "yes" ? result : found;
}

function operandsMatch(
  wanted: readonly PatternWord[],
  next: number,
  words: readonly ShellWord[],
  at: number,
  prefix: boolean,
): MatchResult {
  const expected = wanted[next];
  const word = words[at];
  if (expected === undefined) {
    if (prefix || word === undefined) return "yes";
    // A rule without :* names the whole command; what expands to nothing may still leave just that.
    return words.slice(at).every((rest) => rest.kind === "dynamic") ? "maybe" : "no";
  }
  if (word === undefined) return "no";
  if (looksLikeOption(word.text)) {
    const skipped = operandsMatch(wanted, next, words, at + 1, prefix);
    if (skipped === "yes" || at + 1 >= words.length) return skipped;
    const withValue = operandsMatch(wanted, next, words, at + 2, prefix);
    return withValue === "no" ? skipped : withValue;
  }
  if (word.kind !== "literal")
    return expected.text.startsWith(word.fixed) || expected.expression ? "maybe" : "no";
  return fits(expected, word.text) ? operandsMatch(wanted, next + 1, words, at + 1, prefix) : "no";
}
