const ERROR =
  /\b(error|exception|failed|failure|fatal|panic|cannot|can't|not found|no such|denied|undefined|unexpected|traceback|assert(ion)?|expected|refused|timed? ?out)\b|✗|✘|^E\s/iu;
const QUIET = /\b(0 (errors?|failed|failures)|no errors?|without errors?|errors?: 0|fail(ed|ures)?: 0)\b/iu;
/** How much of an output is looked at, from its beginning and from its end: errors stand at either. */
const LOOKED_AT = 64_000;
const LONGEST = 160;

/** The first line of an output that speaks of an error, cut; undefined when none does. */
export function firstErrorLine(output: string): string | undefined {
  for (const line of outputEnds(output).split("\n")) {
    if (line.length > 2_000 || !ERROR.test(line) || QUIET.test(line)) continue;
    return shorten(line.trim(), LONGEST);
  }
  return undefined;
}

/** One line, cut at whole characters. */
export function shorten(text: string, longest: number): string {
  const line = text.replace(/\s+/gu, " ").trim();
  if (line.length <= longest) return line;
  return `${line
    .slice(0, longest - 1)
    .toWellFormed()
    .replace(/\uFFFD$/u, "")}…`;
}

/** The part of a long output that is looked at. */
export function outputEnds(output: string): string {
  return output.length <= 2 * LOOKED_AT
    ? output
    : `${output.slice(0, LOOKED_AT)}\n${output.slice(-LOOKED_AT)}`;
}
