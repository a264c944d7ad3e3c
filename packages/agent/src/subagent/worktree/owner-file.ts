import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../platform/atomic-file.ts";
import { lifeOf, type ProcessIdentity, processIdentity } from "../../platform/process-identity.ts";
import { readSmallFile } from "../../platform/read-small-file.ts";

/** What is known of a worktree beside it, so that another process can tell whether its owner lives. */
export interface WorktreeOwner {
  id: string;
  base: string;
  /** The worktree's own git folder: what the `.git` file inside of it says is not believed. */
  gitFolder: string;
  /** False until all files are there: nobody has worked in it by then. */
  ready: boolean;
  /** Its agent has ended; it stays for what no branch holds. */
  ended?: true;
  owner: ProcessIdentity;
}

/** Writes who owns the worktree of an id. */
export function writeOwner(folder: string, facts: Omit<WorktreeOwner, "owner">): void {
  const text = JSON.stringify({ ...facts, owner: processIdentity() } satisfies WorktreeOwner);
  writeFileAtomic(fileOf(folder, facts.id), text, { mode: 0o600, durable: false });
}

/** Says that nobody works in it any more, although the process that made it may live on. */
export function endOwner(folder: string, id: string): void {
  const facts = readOwner(folder, id);
  if (facts !== null) writeOwner(folder, { ...facts, ended: true });
}

export function removeOwner(folder: string, id: string): void {
  rmSync(fileOf(folder, id), { force: true });
}

/** The owner of an id's worktree; null when nothing that can be read says so. */
export function readOwner(folder: string, id: string): WorktreeOwner | null {
  try {
    const value = JSON.parse(readSmallFile(fileOf(folder, id))) as Partial<WorktreeOwner>;
    const { base, gitFolder, ready, ended, owner } = value;
    if (typeof base !== "string" || typeof gitFolder !== "string" || typeof owner?.pid !== "number")
      return null;
    return { id, base, gitFolder, ready: ready === true, owner, ...(ended === true ? { ended } : {}) };
  } catch {
    // there is none, or it was cut by a crash
    return null;
  }
}

/** False when its agent has ended, or the process that made it is surely gone. */
export function ownerLives({ owner, ended }: WorktreeOwner): boolean {
  return ended !== true && lifeOf(owner) !== "dead";
}

/** Ids of all worktrees in the folder, with or without their work still there. */
export function ownedIds(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -".json".length))
      .sort();
  } catch {
    // no subagent ever had a worktree here
    return [];
  }
}

function fileOf(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}
