import type { ProjectAlias, ProjectEvidence } from "../core/ports/engine-state.ts";

/** How a folder is known, before a store says which project that is. */
export interface FolderIdentity {
  readonly aliases: readonly ProjectAlias[];
  readonly evidence: ProjectEvidence;
  /** The project's top folder. */
  readonly root: string;
}

/** Stands for the project of this folder in entries that were captured before a store said which one it is. */
export const HERE = "@here";
