import type { FileChange, FileState } from "../../contract/checkpoint.ts";
import { errorMessage } from "../../contract/errors.ts";
import { type FileStates, sameState } from "./file-states.ts";
import type { FilePlan } from "./move-plan.ts";

export interface Restored {
  done: string[];
  failed: { path: string; why: string }[];
}

/**
 * Keeps what stands there now, so that it can be brought back. The plans whose present state cannot be kept are returned in `failed` and
 * must not be carried out.
 */
export function keepPresent(
  states: FileStates,
  plans: readonly FilePlan[],
): { replaced: FileChange[]; failed: Restored["failed"] } {
  const replaced: FileChange[] = [];
  const failed: Restored["failed"] = [];
  for (const { path, wanted } of plans) {
    const before = states.keep(path);
    if (before.kind === "unkept")
      failed.push({ path, why: `what stands there now cannot be kept: ${before.why}` });
    else replaced.push({ path, before, after: wanted });
  }
  return { replaced, failed };
}

/** Makes files be what `replaced` says. One that cannot be is told of and does not stop the others. */
export function restoreFiles(states: FileStates, replaced: readonly FileChange[]): Restored {
  const result: Restored = { done: [], failed: [] };
  // Deletions first: a file may stand where another one needs a folder.
  const ordered = [...replaced].sort(
    (a, b) => Number(b.after?.kind === "missing") - Number(a.after?.kind === "missing"),
  );
  for (const { path, before, after } of ordered) {
    if (before === undefined || after === undefined) continue;
    try {
      restore(states, path, before, after);
      result.done.push(path);
    } catch (thrown) {
      result.failed.push({ path, why: errorMessage(thrown) });
    }
  }
  return result;
}

function restore(states: FileStates, path: string, kept: FileState, wanted: FileState): void {
  const { places, blobs } = states;
  const now = states.look(path);
  if (sameState(now, wanted)) return;
  // The moment between keeping and replacing is short, but what came in it is nobody's to lose.
  if (!sameState(now, kept)) throw new Error("it was changed at this very moment");
  if (wanted.kind === "missing") places.remove(path, wanted.folders ?? 0);
  else if (wanted.kind === "link") places.link(path, wanted.target);
  else if (wanted.kind === "file" && now.kind === "file" && now.hash === wanted.hash)
    places.setMode(path, wanted.mode);
  else if (wanted.kind === "file") {
    const bytes = blobs.get(wanted.hash);
    if (bytes === null) throw new Error("its kept content is damaged");
    places.write(path, bytes, wanted.mode);
  }
}
