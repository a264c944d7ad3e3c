/** Notes of a way of the conversation that a person leaves, to be taken along to another place of it. */
import type { AgentEvent } from "../../contract/events.ts";
import type { Message, UserMessage } from "../../contract/messages.ts";
import type { RunScope } from "../run-scope.ts";
import { askSummary } from "./ask-summary.ts";
import { BRANCH_SUMMARY_SYSTEM, branchSummaryHeading, branchSummaryPrompt } from "./branch-summary.prompt.ts";
import { fileListText, filesIn } from "./file-list.ts";
import { CHARACTERS_A_TOKEN, shortened } from "./kept-text.ts";
import type { CompactionLimits } from "./limits.ts";

/** Notes longer than this many times what was asked for are cut in their middle. */
const MOST_TIMES = 2;

/** What is left. */
export interface LeftBranch {
  /** Its name. */
  branch: string;
  /** What was said there since the two ways parted. */
  messages: readonly Message[];
  /** What the notes should keep above all. */
  focus?: string;
}

/** `message` is to be appended at the place that is gone to. `reason` is a part of a sentence. */
export type BranchSummary =
  | { state: "done"; message: UserMessage }
  | { state: "failed"; reason: string }
  | { state: "stopped" };

/** Asks a model for the notes. Changes nothing in the conversation. Yields retries; never throws. */
export async function* summariseBranch(
  scope: RunScope,
  limits: CompactionLimits,
  { branch, messages, focus }: LeftBranch,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, BranchSummary> {
  if (messages.length === 0) return { state: "failed", reason: "nothing was said there" };
  const task = {
    system: BRANCH_SUMMARY_SYSTEM,
    messages,
    prompt: (transcript: string, words: number) => branchSummaryPrompt(transcript, words, focus),
  };
  const { end } = yield* askSummary(scope, task, limits, signal);
  if (end.kind === "aborted" || signal.aborted) return { state: "stopped" };
  if (end.kind === "failed") return { state: "failed", reason: end.reason };
  const most = limits.summary * MOST_TIMES * CHARACTERS_A_TOKEN;
  const notes = shortened(end.text, most, (left) => `[… ${left} characters left out …]`);
  const { meter, toolbox } = scope;
  const files = filesIn(messages, (name) => toolbox.find(name)?.kind);
  const list = fileListText(files, limits.files, (text) => meter.ofText(text));
  const text = `${branchSummaryHeading(branch)}\n\n${notes}`;
  return {
    state: "done",
    message: {
      role: "user",
      origin: "branch_summary",
      parts: [{ type: "text", text }, ...(list === "" ? [] : [{ type: "text" as const, text: list }])],
    },
  };
}
