import type { MemoryRecord } from "../memory/record.ts";
import type { SessionSummary } from "../ports/memory-store.ts";
import { inertText } from "../recall/inert-text.ts";

const PARTS = ["request", "investigated", "learned", "completed", "nextSteps"] as const;
const LONGEST_TITLE = 100;

/** A session's summary as a model reads it: dated, inert, only the parts that are there. */
export function frameSummary(summary: SessionSummary): string {
  const date = new Date(summary.at).toISOString().slice(0, 10);
  const lines = PARTS.flatMap((part) => {
    const text = summary[part].trim();
    return text === "" ? [] : [`${part === "nextSteps" ? "next steps" : part}: ${inertText(text)}`];
  });
  return `<session-summary date="${date}">\n${lines.join("\n")}\n</session-summary>`;
}

/** Whether a summary says anything. */
export function hasContent(summary: SessionSummary): boolean {
  return PARTS.some((part) => summary[part].trim() !== "");
}

/** One line of a memory: enough to ask for the whole by its id. */
export function frameTitle(record: MemoryRecord): string {
  const date = new Date(record.at).toISOString().slice(0, 10);
  return `<title id="${inertText(record.id).replaceAll('"', "&quot;")}" kind="${record.kind}" date="${date}">${inertText(titleOf(record))}</title>`;
}

/** The title, or the first line of the text, cut to a hundred letters. */
export function titleOf(record: Pick<MemoryRecord, "title" | "text">): string {
  const line = (record.title === "" ? record.text : record.title).trim().split("\n", 1)[0] ?? "";
  const letters = [...line];
  return letters.length > LONGEST_TITLE ? `${letters.slice(0, LONGEST_TITLE - 1).join("")}…` : line;
}
