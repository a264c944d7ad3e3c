import { isErrorLine } from "../error-line.ts";
import { Pruner, type Stage } from "../stage.ts";
import { testLine } from "./test-patterns.ts";

/** Leaves out tests that passed, with the headings that hold nothing else; every failure stays as it is. */
export const testRuns: Stage = {
  name: "test-runs",
  lossless: false,
  run(lines, { kinds }) {
    if (!kinds.has("test")) return undefined;
    const what = lines.map((line) => (line.trim() === "" ? undefined : testLine(line)));
    const failed = failedNames(lines);
    const dropped = lines.map((line, index) => what[index] !== undefined && !isErrorLine(line));
    markTapDetails(lines, dropped, failed);
    markEmptyHeadings(lines, dropped);
    markSuites(lines, what);
    const pruner = new Pruner(isErrorLine);
    for (const [index, line] of lines.entries()) {
      if (!dropped[index]) pruner.keep(line);
      else if (what[index] === "passing test") pruner.drop(line, "passing test");
      else if (what[index] === "skipped test") pruner.drop(line, "skipped test");
      else pruner.drop(line, "line of progress", "lines of progress");
    }
    return pruner.result();
  },
};

/** The closing line of a suite of `node --test` looks like a test; it must not be counted as one. */
function markSuites(lines: readonly string[], what: ReturnType<typeof testLine>[]): void {
  const suites = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const opened = /^(\s*)▶ (.*)$/.exec(line);
    if (opened) suites.add(`${opened[1]}${opened[2]}`);
    const closed = /^(\s*)✔ (.*) \(\d[\d.]*m?s\)$/.exec(line);
    const isSuite = closed && suites.has(`${closed[1]}${closed[2]}`);
    const isTapSuite =
      /^\s*ok \d/.test(line) &&
      lines.slice(index + 1, index + 5).some((near) => /^\s+type: 'suite'$/.test(near));
    if (isSuite || isTapSuite) what[index] = "line of progress";
  }
}

/** Names behind `not ok N - `. */
function failedNames(lines: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const line of lines) {
    const name = /^\s*not ok \d+ (?:- )?(.*)$/.exec(line)?.[1];
    if (name !== undefined) names.add(name.trim());
  }
  return names;
}

const MOST_DETAILS = 60;

/** The block behind a passing TAP line, and the announcements of tests that did not fail. */
function markTapDetails(lines: readonly string[], dropped: boolean[], failed: ReadonlySet<string>): void {
  for (let index = 0; index < lines.length; index++) {
    const subtest = /^\s*# Subtest: (.*)$/.exec(lines[index]!)?.[1];
    if (subtest !== undefined && !failed.has(subtest.trim())) dropped[index] = true;
    if (!dropped[index] || !/^\s*ok \d/.test(lines[index]!) || !/^\s+---$/.test(lines[index + 1] ?? ""))
      continue;
    const closing = lines[index + 1]!.replace("---", "...");
    const length = lines.slice(index + 1, index + 1 + MOST_DETAILS).indexOf(closing);
    if (length === -1) continue;
    const end = index + 1 + length;
    for (let inside = index + 1; inside <= end; inside++) dropped[inside] = !isErrorLine(lines[inside]!);
  }
}

/** A heading goes when all that stands below it, deeper than itself, goes; so does a file's name before nothing. */
function markEmptyHeadings(lines: readonly string[], dropped: boolean[]): void {
  for (let index = lines.length - 2; index >= 0; index--) {
    const line = lines[index]!;
    if (dropped[index] || line.trim() === "" || isErrorLine(line)) continue;
    if (/^(?:stdout|stderr):$/.test(line)) continue;
    const isFile = /^\S+[._](?:test|spec)\.\w+:$|^\S+:$/.test(line);
    const depth = isFile ? -1 : indentOf(line);
    let inside = 0;
    let next = index + 1;
    for (; next < lines.length; next++) {
      const below = lines[next]!;
      if (isFile && below.trim() === "") break;
      if (below.trim() === "") continue;
      if (!isFile && indentOf(below) <= depth) break;
      if (!dropped[next]) {
        inside = -1;
        break;
      }
      inside++;
    }
    if (inside > 0 && (isFile || depth > 0 || /^[A-Za-z#▶]/.test(line))) dropped[index] = !isSummary(line);
  }
}

function isSummary(line: string): boolean {
  return /\d+ (?:pass|fail|test|total)/i.test(line);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
