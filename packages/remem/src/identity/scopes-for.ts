import type { MemoryScope } from "../core/memory/scope.ts";
import type { ProjectResolution } from "../core/ports/engine-state.ts";

/** A session, and those it came from: the parent of a fork or a child first, then the parent's own. */
export interface SessionLineage {
  readonly sessionId: string;
  readonly ancestors?: readonly string[];
}

/** Where a session may read, and where what it learns goes. */
export interface SessionScopes {
  /** Everything that may be read: the user's own, the project's, the working tree's, the session's and its ancestors'. */
  readonly read: readonly MemoryScope[];
  /** The only scopes it may write. An ancestor's is none of them. */
  readonly write: {
    readonly project: MemoryScope;
    readonly session: MemoryScope;
    readonly workspace: MemoryScope | undefined;
  };
}

/** Forks of forks are read so far back. */
const MOST_ANCESTORS = 32;

/**
 * The scopes of a session in a project. `workspace` is the working tree it runs in, for what holds in one of a project's working trees
 * only. Throws a RangeError for an empty session id: a scope without an id would reach everybody.
 */
export function scopesFor(
  resolution: Pick<ProjectResolution, "project">,
  session: SessionLineage,
  workspace?: string,
): SessionScopes {
  if (session.sessionId === "")
    throw new RangeError("a session needs an id to have memories of its own, and it is empty");
  const project: MemoryScope = { kind: "project", id: resolution.project.key };
  const own: MemoryScope = { kind: "session", id: session.sessionId };
  const tree: MemoryScope | undefined =
    workspace === undefined || workspace === "" ? undefined : { kind: "workspace", id: workspace };
  const ancestors = [...new Set(session.ancestors ?? [])]
    .filter((id) => id !== "" && id !== session.sessionId)
    .slice(0, MOST_ANCESTORS)
    .map((id): MemoryScope => ({ kind: "session", id }));
  return {
    read: [{ kind: "global" }, project, ...(tree === undefined ? [] : [tree]), own, ...ancestors],
    write: { project, session: own, workspace: tree },
  };
}
