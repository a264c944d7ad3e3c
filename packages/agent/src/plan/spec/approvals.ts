import { join } from "node:path";
import { isJsonObject } from "../../contract/json.ts";
import { writeFileAtomic } from "../../platform/atomic-file.ts";
import { ensurePrivateFolder } from "../../platform/private-folder.ts";
import { readSmallFile } from "../../platform/read-small-file.ts";

/** How many phases of each spec a person has approved. */
export interface Approvals {
  /** Null: nothing is recorded of this spec. */
  read(spec: string): number | null;
  /** Throws a PiError when the disk refuses. */
  write(spec: string, approved: number): void;
}

/** Kept in a folder of the program's own, outside of the project: what a person approved is not for tools of the model to write. */
export function keptApprovals(folder: string): Approvals {
  const fileOf = (spec: string) => join(folder, `${spec}.json`);
  return {
    read(spec) {
      try {
        const kept: unknown = JSON.parse(readSmallFile(fileOf(spec)));
        const approved = isJsonObject(kept) ? kept["approved"] : null;
        return Number.isInteger(approved) ? (approved as number) : null;
      } catch {
        // none, or cut by a crash: the artifacts tell
        return null;
      }
    },
    write(spec, approved) {
      ensurePrivateFolder(folder);
      writeFileAtomic(fileOf(spec), JSON.stringify({ approved }), { mode: 0o600 });
    },
  };
}

/** For a program that leaves nothing behind. */
export function passingApprovals(): Approvals {
  const kept = new Map<string, number>();
  return {
    read: (spec) => kept.get(spec) ?? null,
    write: (spec, approved) => void kept.set(spec, approved),
  };
}
