import type { MemoryRecord } from "../memory/record.ts";
import type { SessionSummary } from "../ports/memory-store.ts";
import type { OrchestratorParts } from "./orchestrator-parts.ts";

type Parts = Pick<OrchestratorParts, "screen" | "missingFiles">;

const MOST_FILES = 20;

/**
 * Records as they may be shown: screened, for stores that other programs filled hold what nobody screened, and marked as stale where a
 * file they speak of is no longer there.
 */
export async function presentRecords(
  records: readonly MemoryRecord[],
  parts: Parts,
): Promise<MemoryRecord[]> {
  return Promise.all(records.map((record) => presentRecord(record, parts)));
}

/** A summary as it may be shown. */
export async function presentSummary(summary: SessionSummary, { screen }: Parts): Promise<SessionSummary> {
  const clean = async (part: string): Promise<string> =>
    part === "" ? part : (await screen.screen(part)).text;
  return {
    ...summary,
    request: await clean(summary.request),
    investigated: await clean(summary.investigated),
    learned: await clean(summary.learned),
    completed: await clean(summary.completed),
    nextSteps: await clean(summary.nextSteps),
  };
}

async function presentRecord(record: MemoryRecord, { screen, missingFiles }: Parts): Promise<MemoryRecord> {
  const gone = record.files.length === 0 ? [] : (missingFiles?.(record.files.slice(0, MOST_FILES)) ?? []);
  const note = gone.length === 0 ? "" : `no longer there: ${gone.join(", ")}`;
  const attached = [record.attachment, note].filter((part) => part !== "").join("; ");
  const [title, text, attachment] = await Promise.all(
    [record.title, record.text, attached].map(async (part) =>
      part === "" ? part : (await screen.screen(part)).text,
    ),
  );
  return {
    ...record,
    title: title!,
    text: text!,
    attachment: attachment!,
    ...(gone.length === 0 ? {} : { freshness: "stale" }),
  };
}
