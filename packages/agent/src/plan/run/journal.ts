import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "../../contract/errors.ts";
import { fileFailure } from "../../platform/file-failure.ts";
import { encodeJsonLine } from "../../platform/json-lines.ts";
import type { RunOutcome, SliceResult } from "./run-ports.ts";

/** What a run writes down before or after each step, so that it can go on after it was killed at any point. */
export type RunRecord =
  | { type: "begin"; run: string; base: string; at: number }
  /** A worker of a slice was started. */
  | { type: "worker"; slice: number; agent: string }
  /** Its change is about to be put into the copy, which is at `head`. */
  | { type: "taking"; slice: number; title: string; agent: string; head: string }
  | { type: "slice"; result: SliceResult }
  /** A worker mends the whole. */
  | { type: "repair"; agent: string }
  /** The change is about to be brought into the user's files. */
  | { type: "delivering" }
  | { type: "end"; outcome: RunOutcome };

/** A run that did not come to its end. */
export interface UnfinishedRun {
  run: string;
  base: string;
  startedAt: number;
  /** The slices that are in its copy. */
  done: SliceResult[];
  /** A slice whose change was about to be put into the copy, and where that was then. */
  taking: Extract<RunRecord, { type: "taking" }> | null;
  /** It had begun to bring its change into the user's files. */
  delivering: boolean;
  /** Workers of slices that are not done, and those who mended the whole: they may have left something. */
  workers: string[];
}

/** The append-only journal of a spec's runs: JSON lines. A line that cannot be read costs that line only. */
export class RunJournal {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Written before it returns. Throws a PiError with a FileErrorCode. */
  append(record: RunRecord): void {
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      // A kill may have left half a line.
      appendFileSync(this.#file, `\n${encodeJsonLine(record)}`, { mode: 0o600 });
    } catch (thrown) {
      throw fileFailure("write", this.#file, thrown);
    }
  }

  /** The last run, if it is not over; a failed or stopped one is not. */
  unfinished(): UnfinishedRun | null {
    let run: UnfinishedRun | null = null;
    for (const record of this.#records()) run = after(run, record);
    return run;
  }

  #records(): RunRecord[] {
    let text: string;
    try {
      text = readFileSync(this.#file, "utf8");
    } catch (thrown) {
      if (systemCode(thrown) === "ENOENT") return [];
      throw fileFailure("read", this.#file, thrown);
    }
    return text.split("\n").flatMap((line) => {
      try {
        return line.trim() === "" ? [] : [JSON.parse(line) as RunRecord];
      } catch {
        // half a line
        return [];
      }
    });
  }
}

function after(run: UnfinishedRun | null, record: RunRecord): UnfinishedRun | null {
  if (record.type === "begin")
    return {
      run: record.run,
      base: record.base,
      startedAt: record.at,
      done: [],
      taking: null,
      delivering: false,
      workers: [],
    };
  if (run === null) return null;
  switch (record.type) {
    case "worker":
    case "repair":
      return { ...run, workers: [...run.workers, record.agent] };
    case "taking":
      return { ...run, taking: record };
    case "slice":
      return {
        ...run,
        taking: null,
        done: [...run.done.filter(({ number }) => number !== record.result.number), record.result],
        workers: run.workers.filter((agent) => agent !== record.result.agent),
      };
    case "delivering":
      return { ...run, delivering: true };
    case "end":
      return record.outcome === "merged" || record.outcome === "nothing"
        ? null
        : { ...run, delivering: false };
  }
}
