import type { MemoryStore, SessionSummary } from "../core/ports/memory-store.ts";

const COMPARED = 50;

/** Stores the summary of a session that is over, once. */
export async function storeSummary(store: MemoryStore, summary: SessionSummary): Promise<void> {
  const { sessionId, project, at } = summary;
  const known = await store.summaries(project, COMPARED);
  if (!known.some((one) => one.sessionId === sessionId && one.at === at)) await store.addSummary(summary);
  await store.endSession(sessionId);
}
