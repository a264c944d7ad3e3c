import { normalized } from "../capture/recent-texts.ts";
import { MemoryEngine } from "../engine.ts";
import type { NewMemory } from "../memory/record.ts";
import { type MemoryScope, scopeKey } from "../memory/scope.ts";
import type { Clock } from "../ports/clock.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { CorrectionRecord } from "../ports/engine-state.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { applyCorrection, correctionScope } from "./apply-correction.ts";

/** What a replay needs. */
export interface ReplayParts {
  readonly store: MemoryStore;
  readonly clock: Clock;
  readonly host: string;
  /** An empty store that is gone when it is closed. */
  readonly openCopy: () => Promise<MemoryStore>;
  readonly embedder?: Embedder;
  /** Tokens one prompt may be shown. */
  readonly promptTokens: number;
}

/** The newest memories of a project that a copy holds. */
const MOST_COPIED = 5_000;
const COPIED_AT_ONCE = 200;
const ACTOR = { name: "", interactive: false } as const;

/** What is wrong with a correction, in words without any other memory's text; empty when it does what it should and breaks nothing. */
export async function replayCorrection(
  parts: ReplayParts,
  correction: CorrectionRecord,
  applied: readonly CorrectionRecord[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const copy = await parts.openCopy();
  try {
    const scopes = distinctScopes([correction, ...applied]);
    const copied = await copyMemories(parts.store, copy, scopes, signal);
    const engine = new MemoryEngine({
      store: copy,
      clock: parts.clock,
      ...(parts.embedder === undefined ? {} : { embedder: parts.embedder }),
    });
    const holds = (one: CorrectionRecord): Promise<boolean> =>
      surfaces(engine, one, parts.promptTokens, signal);
    // One that something newer has replaced is nobody's fault now.
    const held: CorrectionRecord[] = [];
    for (const other of applied) if (other.id !== correction.id && (await holds(other))) held.push(other);
    const entry = async (memory: NewMemory) => ({ memory });
    const disputed = correction.disputed.filter((id) => copied.has(id));
    await applyCorrection({ ...parts, store: copy, entry }, { ...correction, disputed }, ACTOR);
    const findings: string[] = [];
    if (disputed.length < correction.disputed.length)
      findings.push("a disputed memory was erased, or is too old to be looked at");
    if (!(await holds(correction)))
      findings.push("the prompt does not bring the statement up: use more of the prompt's words in it");
    for (const other of held)
      if (!(await holds(other))) findings.push(`the applied correction ${other.id} would no longer hold`);
    return findings;
  } finally {
    await copy.close();
  }
}

async function surfaces(
  engine: MemoryEngine,
  { prompt, statement, ...correction }: CorrectionRecord,
  budget: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const scopes: MemoryScope[] = [correctionScope(correction), { kind: "global" }];
  const { hits } = await engine.recall(prompt, {
    scopes,
    budget,
    ...(signal === undefined ? {} : { signal }),
  });
  return hits.some(({ record }) => normalized(record.text) === normalized(statement));
}

function distinctScopes(corrections: readonly CorrectionRecord[]): MemoryScope[] {
  const scopes: MemoryScope[] = [{ kind: "global" }, ...corrections.map(correctionScope)];
  return [...new Map(scopes.map((scope) => [scopeKey(scope), scope])).values()];
}

/** Copies what holds, ids included. */
async function copyMemories(
  from: MemoryStore,
  to: MemoryStore,
  scopes: readonly MemoryScope[],
  signal: AbortSignal | undefined,
): Promise<ReadonlySet<string>> {
  const copied = new Set<string>();
  for (const scope of scopes) {
    const records = (await from.list({ scope, states: ["active"] }, MOST_COPIED)).reverse();
    for (let start = 0; start < records.length; start += COPIED_AT_ONCE) {
      signal?.throwIfAborted();
      const batch = records.slice(start, start + COPIED_AT_ONCE);
      await to.restore(batch);
      for (const { id } of batch) copied.add(id);
    }
  }
  return copied;
}
