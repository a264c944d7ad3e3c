import type { NewMemory } from "../core/memory/record.ts";
import type { MemoryContext } from "../core/orchestrator/memory-context.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { EngineState, ProjectRecord } from "../core/ports/engine-state.ts";
import { scopesFor } from "../identity/scopes-for.ts";
import { type FolderIdentity, HERE } from "./folder-identity.ts";
import type { SessionOptions } from "./memory.ts";

/** Which project a folder is, as the store says. */
export class ProjectKeys {
  readonly #clock: Clock;
  readonly #access: "read" | "write";
  readonly #known = new WeakMap<FolderIdentity, string>();

  constructor(clock: Clock, access: "read" | "write") {
    this.#clock = clock;
    this.#access = access;
  }

  /** The key of a folder's project, given to it when it is first met; undefined for a reader when nobody has met it. */
  async keyOf(identity: FolderIdentity, state: EngineState): Promise<string | undefined> {
    const known = this.#known.get(identity);
    if (known !== undefined) return known;
    const key = await (this.#access === "write"
      ? state
          .resolveProject(identity.aliases, identity.evidence, this.#clock.now())
          .then(({ project }) => project.key)
      : findProject(await state.projects(), identity));
    if (key !== undefined) this.#known.set(identity, key);
    return key;
  }

  /** After projects were linked or renamed. */
  forget(identity: FolderIdentity): void {
    this.#known.delete(identity);
  }
}

function findProject(projects: readonly ProjectRecord[], { aliases }: FolderIdentity): string | undefined {
  for (const { kind, value } of aliases)
    for (const project of projects)
      if (project.aliases.some((alias) => alias.kind === kind && alias.value === value)) return project.key;
  return undefined;
}

/** What a session of a project may read and write; without a key only what holds everywhere and its own. */
export function readingContext(session: SessionOptions, key: string | undefined): MemoryContext {
  const { id, parents } = session;
  const lineage = { sessionId: id, ...(parents === undefined ? {} : { ancestors: parents }) };
  const { read, write } = scopesFor(
    { project: { key: key ?? HERE, aliases: [], evidence: {}, seenAt: 0 } },
    lineage,
  );
  return {
    sessionId: id,
    project: key ?? "",
    scopes: key === undefined ? read.filter(({ kind }) => kind !== "project") : read,
    writes: write.project,
  };
}

/** Where captured entries go before a store has said which project this is. */
export function capturingContext(session: SessionOptions): MemoryContext {
  return readingContext(session, undefined);
}

/** A memory of the project that stood as `HERE`, in the project of this key. */
export function placed(memory: NewMemory, key: string): NewMemory {
  const { scope } = memory;
  return scope.kind === "project" && scope.id === HERE
    ? { ...memory, scope: { kind: "project", id: key } }
    : memory;
}
