import { findRepetitions } from "./open-repetitions.ts";
import type { Detector, Span } from "./span.ts";

/** A pattern of the user's that cannot be used, in words for people. */
export interface PatternProblem {
  readonly pattern: string;
  readonly problem: string;
  readonly hint: string;
}

export interface UserPatterns {
  readonly detect: Detector;
  readonly problems: readonly PatternProblem[];
}

/** Patterns see a line in pieces of this length that overlap by half, so that what is shorter than a half is found in any line. */
const PIECE = 1_024;
/** How long a probe may take, in milliseconds. An honest pattern takes a hundredth. */
const MOST_PROBE_MS = 20;
/** A busy machine may take the processor away for longer than that, but not each time: an honest pattern must not be left out by that. */
const TRIES = 4;
/** Small steps: where time grows with a power of the length, the step that shows it is soon over. */
const GROWTH = 1.25;
const LONGEST_PATTERN = 1_000;

/**
 * Compiles patterns (sources of regular expressions; `/source/i` ignores case). Those that are no expressions, or that a text could make
 * run for ever, are reported and left out; the others hold. `now` is a clock in milliseconds.
 */
export function compileUserPatterns(
  patterns: readonly string[],
  now: () => number = () => performance.now(),
): UserPatterns {
  const problems: PatternProblem[] = [];
  const usable: RegExp[] = [];
  for (const pattern of patterns) {
    const compiled = compile(pattern, now);
    if (compiled instanceof RegExp) usable.push(compiled);
    else problems.push({ pattern, ...compiled });
  }
  return {
    problems,
    detect: (text) => usable.flatMap((expression) => matches(expression, text)),
  };
}

function compile(pattern: string, now: () => number): RegExp | Omit<PatternProblem, "pattern"> {
  const delimited = /^\/([\s\S]+)\/([iu]{0,2})$/.exec(pattern);
  const source = delimited?.[1] ?? pattern;
  if (source === "" || source.length > LONGEST_PATTERN)
    return {
      problem: source === "" ? "the pattern is empty" : `the pattern has ${source.length} characters`,
      hint: `write one of 1 to ${LONGEST_PATTERN} characters`,
    };
  let expression: RegExp;
  try {
    expression = new RegExp(source, `g${(delimited?.[2] ?? "").replace("u", "")}u`);
  } catch (error) {
    return {
      problem: `the pattern is no regular expression: ${error instanceof Error ? error.message : String(error)}`,
      hint: "mend it; signs such as ( [ { . + * ? need a \\ before them to stand for themselves",
    };
  }
  const { nested, refersBack, loops } = findRepetitions(source);
  if (nested || refersBack || isSlow(expression, loops, now))
    return {
      problem: "a text could make this pattern run for minutes",
      hint: "repeat single characters or classes only, as in [a-z]+, and no two that take the same characters side by side",
    };
  if ("".match(expression) !== null)
    return {
      problem: "the pattern matches the empty text",
      hint: "let it ask for at least one character",
    };
  return expression;
}

/** Tries the pattern on texts made to be slow for it, growing, and stops as soon as one is. */
function isSlow(
  expression: RegExp,
  loops: readonly { readonly before: string; readonly character: string }[],
  now: () => number,
): boolean {
  for (const { before, character } of loops)
    for (let length = 16; length <= PIECE; length = Math.ceil(length * GROWTH)) {
      const probe = `${before}${character.repeat(length)}\0`;
      let late = 0;
      while (late < TRIES && takesLong(expression, probe, now)) late++;
      if (late === TRIES) return true;
    }
  return false;
}

function takesLong(expression: RegExp, probe: string, now: () => number): boolean {
  const start = now();
  for (const _ of probe.matchAll(expression)) if (now() - start > MOST_PROBE_MS) return true;
  return now() - start > MOST_PROBE_MS;
}

function matches(expression: RegExp, text: string): Span[] {
  const spans: Span[] = [];
  for (const line of text.matchAll(/[^\n]+/g))
    for (let from = 0; from < line[0].length; from += PIECE / 2) {
      const piece = line[0].slice(from, from + PIECE).toWellFormed();
      for (const { 0: found, index } of piece.matchAll(expression))
        if (found !== "") {
          const start = line.index + from + index;
          spans.push({ rule: "user-pattern", category: "private", start, end: start + found.length });
        }
      if (from + PIECE >= line[0].length) break;
    }
  return spans;
}
