import type { MemorySession } from "../../../runtime/memory.ts";
import type { PiBeforeCompact, PiCompaction, PiContext } from "../host-types.ts";
import { completeSummary } from "./complete-summary.ts";
import { messageText } from "./conversation-text.ts";
import { compactionInstructions } from "./summary-instructions.ts";

/** The summary that takes the place of a conversation's older part, with standing memories behind it; undefined leaves it to Pi. */
export async function summarizeCompaction(
  { preparation, customInstructions, signal }: PiBeforeCompact,
  context: PiContext,
  session: MemorySession,
): Promise<{ compaction: PiCompaction } | undefined> {
  const { messagesToSummarize, turnPrefixMessages, previousSummary, firstKeptEntryId, tokensBefore } =
    preparation;
  const pieces = [
    messageText({
      role: "compactionSummary",
      ...(previousSummary === undefined ? {} : { summary: previousSummary }),
    }),
    ...[...messagesToSummarize, ...turnPrefixMessages].map(messageText),
  ];
  const task = { pieces, instructions: compactionInstructions(customInstructions) };
  const summary = await completeSummary(task, context, session, signal);
  if (summary === undefined) return undefined;
  const { text, details } = filesOf(preparation.fileOps);
  const { usage } = summary;
  return {
    compaction: {
      summary: `${summary.text}${text}`,
      firstKeptEntryId,
      tokensBefore,
      details,
      ...(usage === undefined ? {} : { usage }),
    },
  };
}

/** The files that were read and changed, as Pi's own summaries end with them and keep them. */
function filesOf({ read, written, edited }: PiBeforeCompact["preparation"]["fileOps"]) {
  const modifiedFiles = [...new Set([...written, ...edited])].sort();
  const readFiles = [...read].filter((file) => !modifiedFiles.includes(file)).sort();
  const list = (name: string, files: readonly string[]): string =>
    files.length === 0 ? "" : `\n\n<${name}>\n${files.join("\n")}\n</${name}>`;
  return {
    text: list("read-files", readFiles) + list("modified-files", modifiedFiles),
    details: { readFiles, modifiedFiles },
  };
}
