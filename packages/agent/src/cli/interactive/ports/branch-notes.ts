import type { BranchSummary } from "../../../agent/compaction/branch-summary.ts";
import type { BranchNotes } from "../../../commands/slash/shared/move-port.ts";
import type { Message } from "../../../contract/messages.ts";
import type { ConversationPortParts } from "./conversation-ports.ts";

/** Lets the model of this conversation write down what is left, as if that were an answer: Esc stops it. */
export async function branchNotes(
  { program, drive }: ConversationPortParts,
  messages: readonly Message[],
  focus: string | null,
  signal: AbortSignal,
): Promise<BranchNotes> {
  const branch = program.session?.branch ?? "main";
  let summary: BranchSummary | undefined;
  const ran = await drive(
    (app, stop) =>
      app.runner.summariseBranch(
        { branch, messages, ...(focus === null ? {} : { focus }) },
        AbortSignal.any([signal, stop]),
        (told) => {
          summary = told;
        },
      ),
    () => undefined,
  );
  // Assigned in a callback, which the compiler does not follow.
  const told = summary as BranchSummary | undefined;
  if (signal.aborted || told?.state === "stopped") return { state: "stopped" };
  if (!ran) return { state: "failed", why: "an answer is in progress" };
  if (told === undefined) return { state: "failed", why: "the model gave none" };
  return told.state === "failed" ? { state: "failed", why: told.reason } : told;
}
