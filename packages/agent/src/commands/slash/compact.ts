import type { SlashCommand } from "../../contract/slash-command.ts";
import { completeWords } from "./shared/complete-words.ts";
import { count, counted, percent } from "./shared/format.ts";
import { refused, said } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

export interface CompactPorts {
  compaction: {
    /** Compacts now; `focus` says what a summary must keep. Changes nothing when it is aborted (`nothing`). Throws the PiError of a failed request. */
    compact(focus: string | null, signal: AbortSignal): Promise<CompactionOutcome>;
    /** Takes the last compaction of this branch back. */
    undo(): Promise<CompactionUndo>;
  };
}

/** Tokens are those of the whole request, before and after. `why` is a whole sentence. */
export type CompactionOutcome =
  | { state: "done"; kind: "shed" | "summary"; before: number; after: number }
  | { state: "nothing"; why: string };

export type CompactionUndo =
  | { state: "done"; messages: number; before: number; after: number }
  | { state: "nothing"; why: string };

/** `/compact [focus]` makes room in the window and says honestly what came of it; `/compact undo` takes the last one back. */
export const compactCommand: SlashCommand<CompactPorts> = {
  ...slashInfo("compact"),
  complete: async (argument) => completeWords(argument, [["undo", "take the last compaction back"]]),
  async run(argument, { ports: { compaction }, signal }) {
    if (argument.toLowerCase() === "undo") {
      const undone = await compaction.undo();
      if (undone.state === "nothing") return refused(`Nothing was undone: ${undone.why}`);
      return said(
        `The last compaction is undone: ${counted(undone.messages, "message")} are there again, ${count(undone.before)} → ${count(undone.after)} tokens.`,
      );
    }
    const outcome = await compaction.compact(argument === "" ? null : argument, signal);
    if (signal.aborted && outcome.state === "nothing") return said("Stopped; nothing was compacted.");
    if (outcome.state === "nothing") return said(`Nothing was compacted: ${outcome.why}`);
    const { kind, before, after } = outcome;
    const how = kind === "summary" ? "What was said is a summary now" : "Old tool results were shortened";
    const freed = before > 0 ? ` (${percent(Math.max(0, before - after) / before)} freed)` : "";
    return said(
      `${how}: ${count(before)} → ${count(after)} tokens${freed}.`,
      "Nothing is lost on disk; /compact undo takes it back.",
    );
  },
};
