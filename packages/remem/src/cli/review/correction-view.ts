import type { CorrectionRecord } from "../../core/ports/engine-state.ts";
import type { Table } from "../output/block.ts";
import { day, isoTime } from "../output/memory-view.ts";

/** A correction as `--json` gives it. */
export function correctionData(correction: CorrectionRecord) {
  const { id, revision, state, project, sessionId, prompt, statement, disputed, findings, at } = correction;
  return {
    id,
    revision,
    state,
    project,
    session: sessionId,
    prompt,
    statement,
    disputed,
    findings,
    at: isoTime(at),
  };
}

/** Corrections as a table. */
export function correctionTable(corrections: readonly CorrectionRecord[]): Table {
  return {
    head: ["id", "said", "state", "what would have been right"],
    rows: corrections.map(({ id, at, state, statement }) => [
      id,
      day(at),
      state.replace("_", " "),
      statement,
    ]),
  };
}
