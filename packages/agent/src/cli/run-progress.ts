import type { RunProgress } from "../plan/run/run-ports.ts";

/** Characters of a reason in a line of progress; the summary has all of it. */
const MOST_REASON = 300;

/** One line for people on what happened in a run; null: nothing worth a line. */
export function progressText(progress: RunProgress): { level: "info" | "warning"; text: string } | null {
  switch (progress.type) {
    case "run_begin": {
      const { spec, run, slices, done, resumed } = progress;
      const state = resumed ? "goes on with" : "begins";
      return info(`${spec}: ${run} ${state} ${slices - done} of ${slices} slices`);
    }
    case "slice_begin": {
      const again = progress.attempt === 1 ? "" : `, attempt ${progress.attempt}`;
      return info(`slice ${progress.slice} (${progress.title}): ${progress.agent} works on it${again}`);
    }
    case "slice_end": {
      const { slice, title, outcome, attempts, reason } = progress;
      if (outcome === "done") return info(`slice ${slice} (${title}) is done`);
      return warning(
        `slice ${slice} (${title}) was not done in ${attempts === 1 ? "one attempt" : `${attempts} attempts`}: ${short(reason ?? "")}`,
      );
    }
    case "check": {
      const { kind, slice, name, passed, how } = progress;
      const what = `${kind}${slice === undefined ? "" : ` of slice ${slice}`} ${name}`;
      return passed ? info(`${what} passed`) : warning(`${what} failed: ${how}`);
    }
    case "retry": {
      const what = progress.slice === undefined ? "the whole" : `slice ${progress.slice}`;
      return info(`${what} is given back to be mended (repair ${progress.attempt})`);
    }
    case "review":
      return progress.verdict === "pass"
        ? info("the reviewer says: pass")
        : warning(`the reviewer says: fail. ${short(progress.reasons)}`);
    case "merge":
      return progress.outcome === "joined" || progress.outcome === "nothing"
        ? info(progress.message)
        : warning(progress.message);
    case "note":
      return info(progress.message);
  }
}

function info(text: string) {
  return { level: "info", text } as const;
}

function warning(text: string) {
  return { level: "warning", text } as const;
}

function short(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > MOST_REASON ? `${line.slice(0, MOST_REASON).toWellFormed()}…` : line;
}
