import type { MemoryRecord } from "../core/memory/record.ts";
import type { SessionSummary } from "../core/ports/memory-store.ts";
import type { Screen } from "../core/ports/screen.ts";

/** What was screened, and how many spans were taken out of it. */
export interface ScreenedItem<T> {
  readonly item: T;
  readonly redactions: number;
}

/** A record without what may not be stored, in every field that holds words. */
export async function screenRecord(
  screen: Screen,
  record: MemoryRecord,
): Promise<ScreenedItem<MemoryRecord>> {
  const counted = counting(screen);
  const files: string[] = [];
  for (const file of record.files) files.push(await counted.text(file));
  const item: MemoryRecord = {
    ...record,
    title: await counted.text(record.title),
    text: await counted.text(record.text),
    attachment: await counted.text(record.attachment),
    subject: record.subject === undefined ? undefined : await counted.text(record.subject),
    files,
  };
  return { item, redactions: counted.redactions() };
}

/** The same for a summary. */
export async function screenSummary(
  screen: Screen,
  summary: SessionSummary,
): Promise<ScreenedItem<SessionSummary>> {
  const counted = counting(screen);
  const item: SessionSummary = {
    ...summary,
    request: await counted.text(summary.request),
    investigated: await counted.text(summary.investigated),
    learned: await counted.text(summary.learned),
    completed: await counted.text(summary.completed),
    nextSteps: await counted.text(summary.nextSteps),
  };
  return { item, redactions: counted.redactions() };
}

function counting(screen: Screen): { text(value: string): Promise<string>; redactions(): number } {
  let redactions = 0;
  return {
    text: async (value) => {
      if (value === "") return value;
      const screened = await screen.screen(value);
      redactions += screened.findings.length;
      return screened.text;
    },
    redactions: () => redactions,
  };
}
