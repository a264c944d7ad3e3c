import type { MemoryStore, SessionSummary } from "../core/ports/memory-store.ts";

const COMPARED = 50;

/** Stores the summary of a session that is over, once. */
export async function storeSummary(store: MemoryStore, summary: SessionSummary): Promise<void> {
  const { sessionId, project, at } = summary;
  const known = await store.summaries(project, COMPARED);
  // A prompt that was erased does not come back as what its session was about.
  const [erased] = await store.forgotten([
    { scope: { kind: "project", id: project }, text: summary.request },
  ]);
  if (!erased && !known.some((one) => one.sessionId === sessionId && one.at === at))
    await store.addSummary(summary);
  await store.endSession(sessionId);
}
