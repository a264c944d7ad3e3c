import { isCutNote } from "./report-frame.ts";
import { isPassingLine } from "./stages/test-patterns.ts";

/** Stands for a line that was too long to be looked at (see pipeline.ts). */
const LONG_LINE = /^\0long line \d+\0$/;
const NOTHING =
  /\b(?:0|no|without) (?:errors?|failures?|failed|failing|warnings?|problems?|issues)\b|\b(?:failures|errors|failed|failing|fail|skipped|cancelled)\s*[:=]\s*0\b|\b0 fail\b/gi;
const ERROR =
  /\b(?:errors?|fail|fails|failed|failures?|failing|fatal|panic(?:ked)?|exceptions?|traceback|abort(?:ed|ing)?|assert(?:ion)?|undefined reference|unresolved|cannot|can't|could not|couldn't|unable to|not found|no such|denied|refused|unexpected|invalid|segfault|segmentation fault|core dumped|killed|timed ?out|critical|severe)\b|[A-Za-z](?:Error|Exception)\b|\bERR!|[✗✘✕✖❌⨯]|(?:^|\s)×\s|^\s*not ok\b|^E\s{2,}\S|^\s*[FE]\s*$/i;
const FRAME = /^\s+at\s.*[:(]|^\s+File "[^"]+", line \d+/;

/**
 * Whether a line tells of something that went wrong, or of a part that is missing. Such lines are never left out; a passing
 * test's name is none.
 */
export function isErrorLine(line: string): boolean {
  if (isCutNote(line) || LONG_LINE.test(line) || line.length > 2_000) return true;
  if (line.trim() === "" || FRAME.test(line) || isPassingLine(line)) return false;
  return ERROR.test(line.replace(NOTHING, ""));
}

/** The same for output that is data (a diff, matches, names): only what a program says of itself. */
export function isProgramError(line: string): boolean {
  if (LONG_LINE.test(line)) return true;
  return /^(?:fatal|error|warning|usage|[a-z][\w.-]{0,20}): .*(?:no such|denied|cannot|could not|not a |invalid|unknown|failed|ambiguous|bad |is a directory|too many|error|fatal)/i.test(
    line,
  );
}

/** The same for linters, whose messages are called "unexpected" or "invalid" whatever their weight. */
export function isLintError(line: string): boolean {
  return isErrorLine(line.replace(/\b(?:unexpected|invalid|unresolved|not found|critical)\b/gi, ""));
}
