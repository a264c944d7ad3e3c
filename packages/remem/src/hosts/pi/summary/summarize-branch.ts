import type { MemorySession } from "../../../runtime/memory.ts";
import type { PiBeforeTree, PiContext } from "../host-types.ts";
import { completeSummary } from "./complete-summary.ts";
import { entryText } from "./conversation-text.ts";
import { branchInstructions } from "./summary-instructions.ts";

/** The summary of a branch that is left, with standing memories behind it; undefined leaves it to Pi. */
export async function summarizeBranch(
  { preparation, signal }: PiBeforeTree,
  context: PiContext,
  session: MemorySession,
): Promise<{ summary: { summary: string; usage?: unknown } } | undefined> {
  const { entriesToSummarize, customInstructions, replaceInstructions = false } = preparation;
  const task = {
    pieces: entriesToSummarize.map(entryText),
    instructions: branchInstructions(customInstructions, replaceInstructions),
  };
  const summary = await completeSummary(task, context, session, signal);
  if (summary === undefined) return undefined;
  const { text, usage } = summary;
  return { summary: { summary: text, ...(usage === undefined ? {} : { usage }) } };
}
