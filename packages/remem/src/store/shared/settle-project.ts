import type { ProjectAlias, ProjectEvidence } from "../../core/ports/engine-state.ts";
import { sha256 } from "./sha256.ts";

/** Kinds of aliases, the one that decides first. */
const ORDER: readonly ProjectAlias["kind"][] = ["git-dir", "host", "remote", "path"];
/** A place can hold another repository tomorrow; a remote or a host's id stays what it is. */
const PLACES: ReadonlySet<ProjectAlias["kind"]> = new Set(["git-dir", "path"]);
const KEY_LENGTH = 24;

/** A project as far as it matters for which one a folder belongs to. */
export interface KnownProject {
  readonly key: string;
  readonly rootCommit: string | undefined;
}

export interface SettledProject {
  /** Undefined: a new project. */
  readonly chosen: KnownProject | undefined;
  /** Aliases that are to name the project from now on. */
  readonly named: readonly ProjectAlias[];
  readonly proposals: readonly { readonly key: string; readonly because: string }[];
}

/** Which project aliases belong to. `owner` gives the project an alias names; `sameRoot` the projects with the evidence's root commit. */
export function settleProject(
  aliases: readonly ProjectAlias[],
  evidence: ProjectEvidence,
  owner: (alias: ProjectAlias) => KnownProject | undefined,
  sameRoot: readonly KnownProject[],
): SettledProject {
  const sorted = [...aliases].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  const owned = sorted.map((alias) => {
    const project = owner(alias);
    const differs =
      project?.rootCommit !== undefined &&
      evidence.rootCommit !== undefined &&
      project.rootCommit !== evidence.rootCommit;
    return { alias, project, differs };
  });
  const chosen = owned.find(({ project, differs }) => project !== undefined && !differs)?.project;
  const named = owned
    .filter(({ alias, project, differs }) => project === undefined || (differs && PLACES.has(alias.kind)))
    .map(({ alias }) => alias);
  const proposals = new Map<string, string>();
  for (const { alias, project, differs } of owned) {
    if (project === undefined || project.key === chosen?.key || proposals.has(project.key)) continue;
    if (!differs) proposals.set(project.key, `it has the same ${alias.kind}: ${alias.value}`);
    // Anybody can write a remote into a configuration; a history that begins otherwise is another project until a person says no.
    else if (!PLACES.has(alias.kind))
      proposals.set(
        project.key,
        `it has the same ${alias.kind}, but begins with another commit: ${alias.value}`,
      );
  }
  for (const { key } of sameRoot)
    if (key !== chosen?.key && !proposals.has(key)) proposals.set(key, "it begins with the same commit");
  return { chosen, named, proposals: [...proposals].map(([key, because]) => ({ key, because })) };
}

/** The key of a new project: the same for the same first alias, so that two stores on one machine agree on it. */
export function projectKey(aliases: readonly ProjectAlias[]): string {
  const first = ORDER.flatMap((kind) => aliases.filter((alias) => alias.kind === kind))[0];
  if (first === undefined)
    throw new RangeError(
      "a project needs a name it is known by: give its git folder, its remote or its path",
    );
  return sha256(`${first.kind}\n${first.value}`).slice(0, KEY_LENGTH);
}
