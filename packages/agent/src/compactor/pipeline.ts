import { errorMessage } from "../contract/errors.ts";
import { isErrorLine, isLintError, isProgramError } from "./error-line.ts";
import type { LeftOut, OutputKind, Stage, StageContext } from "./stage.ts";
import { diffsStage } from "./stages/diffs.ts";
import { focusStage } from "./stages/focus.ts";
import { gitLog, gitStatus } from "./stages/git-reports.ts";
import { lintBlocks, lintersStage } from "./stages/linters.ts";
import { groupPaths } from "./stages/listings.ts";
import { noiseStage } from "./stages/noise.ts";
import { repeatedLines } from "./stages/repeated-lines.ts";
import { capMatches, groupMatches } from "./stages/searches.ts";
import { stackTraces } from "./stages/stack-traces.ts";
import { terminalRemains } from "./stages/terminal-remains.ts";
import { testRuns } from "./stages/test-runs.ts";
import { warningsStage } from "./stages/warnings.ts";

/** In the order in which they run: each sees what the one before left. */
export const STAGES: readonly Stage[] = [
  terminalRemains,
  testRuns,
  noiseStage,
  warningsStage,
  lintersStage,
  lintBlocks,
  stackTraces,
  diffsStage,
  gitLog,
  gitStatus,
  groupMatches,
  capMatches,
  groupPaths,
  repeatedLines,
  focusStage,
];

const DATA: readonly OutputKind[] = ["diff", "log", "status", "search", "listing", "matches"];

export interface PipelineResult {
  lines: readonly string[];
  /** What each stage that did something took and gave, in characters. */
  applied: { stage: string; before: number; after: number }[];
  leftOut: LeftOut[];
  /** Stages that failed; their input was kept. */
  failures: { stage: string; message: string }[];
}

/**
 * Runs the stages, the lossy ones only where `lossy`. A stage that throws, makes the text longer, or loses a line that tells of
 * an error counts as failed and its input is kept.
 */
export function runStages(
  lines: readonly string[],
  given: Omit<StageContext, "mustStay">,
  lossy: boolean,
  stages: readonly Stage[] = STAGES,
): PipelineResult {
  const result: PipelineResult = { lines, applied: [], leftOut: [], failures: [] };
  const context: StageContext = { ...given, mustStay: errorsOf(given.kinds) };
  const long = new LongLines();
  for (const stage of stages) {
    // From here on no expression sees a line of any length: some would take quadratic time.
    if (stage !== terminalRemains) result.lines = long.hide(result.lines);
    if (!stage.lossless && !lossy) continue;
    try {
      const shortened = stage.run(result.lines, context);
      if (!shortened) continue;
      const before = lengthOf(result.lines);
      const after = lengthOf(shortened.lines);
      if (after >= before) continue;
      const lost =
        stage === terminalRemains ? undefined : lostLine(result.lines, shortened.lines, context.mustStay);
      if (lost !== undefined)
        throw new Error(`it would have lost the line ${JSON.stringify(lost.slice(0, 200))}`);
      result.applied.push({ stage: stage.name, before, after });
      result.leftOut.push(...(shortened.leftOut ?? []));
      result.lines = shortened.lines;
    } catch (thrown) {
      result.failures.push({ stage: stage.name, message: errorMessage(thrown) });
    }
  }
  result.lines = long.restore(result.lines);
  return result;
}

const LONGEST = 2_000;

/** Stands in for lines too long to be looked into; they are never left out. */
class LongLines {
  readonly #texts: string[] = [];
  readonly #marks = new Map<string, string>();

  hide(lines: readonly string[]): readonly string[] {
    if (!lines.some((line) => line.length > LONGEST)) return lines;
    return lines.map((line) => (line.length > LONGEST ? this.#mark(line) : line));
  }

  restore(lines: readonly string[]): readonly string[] {
    if (this.#texts.length === 0) return lines;
    return lines.map((line) => {
      const number = LONG_MARK.exec(line)?.[1];
      return number === undefined ? line : (this.#texts[Number(number)] ?? line);
    });
  }

  #mark(line: string): string {
    let mark = this.#marks.get(line);
    if (mark === undefined) {
      mark = `\0long line ${this.#texts.length}\0`;
      this.#texts.push(line);
      this.#marks.set(line, mark);
    }
    return mark;
  }
}

/** A text with a NUL of its own has lost it before: {@link terminalRemains} runs first. */
const LONG_MARK = /^\0long line (\d+)\0$/;

function errorsOf(kinds: ReadonlySet<OutputKind>): (line: string) => boolean {
  const isData = DATA.some((kind) => kinds.has(kind));
  const isError = isData ? isProgramError : kinds.size === 1 && kinds.has("lint") ? isLintError : isErrorLine;
  return isError;
}

/** Length of the lines as one text. */
function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, -1);
}

function lostLine(
  before: readonly string[],
  after: readonly string[],
  mustStay: (line: string) => boolean,
): string | undefined {
  const kept = new Set(after);
  return before.find((line) => !kept.has(line) && mustStay(line));
}
