import { MEMORY_KINDS, type MemoryKind, type MemoryRecord, VERBATIM_KINDS } from "../memory/record.ts";
import type { SessionSummary } from "../ports/memory-store.ts";
import type { MemoryContext } from "./memory-context.ts";
import type { MemoryProvider } from "./memory-provider.ts";

/** What the start of a session is made of, newest first each. */
export interface StartParts {
  readonly pinned: readonly MemoryRecord[];
  readonly preferences: readonly MemoryRecord[];
  readonly decisions: readonly MemoryRecord[];
  readonly recent: readonly MemoryRecord[];
  /** Of the last other session. */
  readonly summary: SessionSummary | undefined;
}

export const MOST = { pinned: 50, preferences: 20, decisions: 10, recent: 10 } as const;
/** Statements that have no part of their own. */
const LISTED: readonly MemoryKind[] = MEMORY_KINDS.filter(
  (kind) => !VERBATIM_KINDS.has(kind) && kind !== "preference" && kind !== "decision",
);
const SUMMARIES_READ = 5;

/** Reads one provider's part of a session's start. */
export async function readStartParts(
  { store }: MemoryProvider,
  context: MemoryContext,
  from: number,
): Promise<StartParts> {
  const states = ["active"] as const;
  const list = async (
    kinds: readonly MemoryKind[] | undefined,
    limit: number,
    more: { readonly pinned?: true; readonly from?: number } = {},
  ): Promise<MemoryRecord[]> => {
    const lists = await Promise.all(
      context.scopes.map((scope) =>
        store.list({ scope, states, ...more, ...(kinds === undefined ? {} : { kinds }) }, limit),
      ),
    );
    return lists.flat();
  };
  return {
    pinned: await list(undefined, MOST.pinned, { pinned: true }),
    preferences: await list(["preference"], MOST.preferences),
    decisions: await list(["decision"], MOST.decisions),
    recent: await list(LISTED, MOST.recent, { from }),
    summary: await lastSummary(store, context),
  };
}

/** The newest summary of another session of the project. */
async function lastSummary(
  store: MemoryProvider["store"],
  { project, sessionId }: MemoryContext,
): Promise<SessionSummary | undefined> {
  if (project === "") return undefined;
  const summaries = await store.summaries(project, SUMMARIES_READ);
  return summaries.find((summary) => summary.sessionId !== sessionId && summary.project === project);
}

/** What the last other session came to: its summary, and its last pieces in order of time. */
export interface LastSession {
  readonly summary: SessionSummary | undefined;
  readonly records: readonly MemoryRecord[];
}

const LOOKED_AT = 60;
const LAST_PIECES = 6;

/** Reads one provider's part of where the work was left. */
export async function readLastSession(
  { store }: MemoryProvider,
  context: MemoryContext,
): Promise<LastSession> {
  const lists = await Promise.all(
    context.scopes.map((scope) => store.list({ scope, states: ["active"] }, LOOKED_AT)),
  );
  const others = lists
    .flat()
    .filter(({ provenance }) => provenance.sessionId !== context.sessionId)
    .sort((one, other) => other.at - one.at);
  const last = others[0]?.provenance.sessionId;
  const records = others.filter(({ provenance }) => provenance.sessionId === last).slice(0, LAST_PIECES);
  return { summary: await lastSummary(store, context), records: records.reverse() };
}
