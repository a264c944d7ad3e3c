/** One summary of some messages, bounded to the window of the model that writes it. */
import type { AgentEvent } from "../../contract/events.ts";
import type { Message, Usage } from "../../contract/messages.ts";
import { ContextMeter } from "../context-meter.ts";
import type { RunScope } from "../run-scope.ts";
import { type CompactionLimits, summaryLimits } from "./limits.ts";
import { type SummaryEnd, SummaryRequest } from "./summary-request.ts";
import { transcriptOf } from "./transcript.ts";

const WORDS_A_TOKEN = 0.6;

/** What is to be summarised, and in which words the model is asked to. */
export interface SummaryTask {
  system: string;
  messages: readonly Message[];
  /** `words`: about how long the summary may be. */
  prompt(transcript: string, words: number): string;
}

/** Asks for a summary; what does not fit the window is cut or left out, the oldest first. Yields retries. Never throws. */
export async function* askSummary(
  scope: RunScope,
  { system, messages, prompt }: SummaryTask,
  limits: CompactionLimits,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, { end: SummaryEnd; usage: Usage }> {
  const { options, meter } = scope;
  const by = options.compaction?.summaryModel ?? options;
  const own = by.model === options.model;
  const estimates = own ? meter : new ContextMeter(by.model, "");
  const tokensOf = (text: string) => estimates.ofText(text);
  const window = own ? limits.window : by.model.contextWindow;
  const { input, output } = summaryLimits(by.model, window, limits.summary);
  const words = Math.floor(limits.summary * WORDS_A_TOKEN);
  const room = input - tokensOf(prompt("", words));
  const request = new SummaryRequest(scope, { by, system, tokensOf });
  const end = yield* request.run(prompt(transcriptOf(messages, room, tokensOf), words), output, signal);
  return { end, usage: request.usage };
}
