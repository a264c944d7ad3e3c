/** The stages of a compaction, each with its events. Loaded when one is due. */
import type { AgentEvent } from "../../contract/events.ts";
import { noUsage, type Usage } from "../../contract/messages.ts";
import type { CompactionKind } from "../../contract/session.ts";
import { compactionWish } from "../run-callbacks.ts";
import { contextTokens, type RunScope } from "../run-scope.ts";
import { askSummary } from "./ask-summary.ts";
import type { CompactionLimits } from "./limits.ts";
import { rewrite } from "./replace.ts";
import { makeRoom, planShed } from "./shed-history.ts";
import { SUMMARY_SYSTEM, summaryPrompt } from "./summary.prompt.ts";
import { SummaryPlan } from "./summary-plan.ts";

/** A summary must free this part of what a request takes, or nothing changes. */
const LEAST_FREED = 0.2;
/** The shortest summary that could be worth something, in tokens. */
const LEAST_SUMMARY = 150;
/** Shedding less than this part of the window is not worth a cold cache. */
const WORTH_SHARE = 0.03;

/** Leaves out what newer results have superseded. Silent when it is not worth it. */
export function* shedSuperseded(scope: RunScope, limits: CompactionLimits): Generator<AgentEvent> {
  const stored = scope.options.conversation.messages();
  const plan = planShed(scope, stored);
  if (!plan || plan.freed < limits.window * WORTH_SHARE) return;
  const before = contextTokens(scope);
  yield compaction("shed", "start", before, before);
  rewrite(scope, "shed", plan.apply(), stored.length);
  yield compaction("shed", "end", before, contextTokens(scope));
}

/** Makes room after an overflow: what is superseded and the longest results. Tells whether anything changed, and whether it is enough. */
export function* shedLongest(
  scope: RunScope,
  limits: CompactionLimits,
): Generator<AgentEvent, { changed: boolean; enough: boolean }> {
  const before = contextTokens(scope);
  yield compaction("shed", "start", before, before);
  const stored = scope.options.conversation.messages();
  const { history, enough } = makeRoom(scope, stored, before, limits.window);
  if (!history) {
    yield {
      ...compaction("shed", "failed", before, before),
      reason: "no long result is left to be cut",
    };
    return { changed: false, enough };
  }
  rewrite(scope, "shed", history, stored.length);
  yield compaction("shed", "end", before, contextTokens(scope));
  return { changed: true, enough };
}

/** What a summary came to: the reason why nothing changed, if so, and what was used either way. */
export interface SummaryOutcome {
  failed?: string;
  usage: Usage;
}

/** Lets a summary stand for all but the newest steps; `focus` is what a person wants kept above all. */
export async function* summarise(
  scope: RunScope,
  limits: CompactionLimits,
  focus: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, SummaryOutcome> {
  const before = contextTokens(scope);
  yield compaction("summary", "start", before, before);
  const about = { kind: "summary", tokens: before, ...(focus === undefined ? {} : { focus }) } as const;
  const { block, summary } = yield* compactionWish(scope, about, signal);
  const outcome =
    block === undefined
      ? yield* replaceBySummary(scope, limits, focus, signal, summary)
      : { failed: block, usage: noUsage() };
  const used = outcome.usage.total > 0 ? { usage: outcome.usage } : {};
  yield outcome.failed === undefined
    ? { ...compaction("summary", "end", before, contextTokens(scope)), ...used }
    : { ...compaction("summary", "failed", before, before), ...used, reason: outcome.failed };
  return outcome;
}

async function* replaceBySummary(
  scope: RunScope,
  limits: CompactionLimits,
  focus: string | undefined,
  signal: AbortSignal,
  given: string | undefined,
): AsyncGenerator<AgentEvent, SummaryOutcome> {
  const { options, meter, toolbox } = scope;
  const stored = [...options.conversation.messages()];
  const kindOf = (name: string) => toolbox.find(name)?.kind;
  const plan = new SummaryPlan(stored, { limits, meter, kindOf });
  const most = meter.estimate(stored) * (1 - LEAST_FREED);
  const nothing = (failed: string) => ({ failed, usage: noUsage() });
  if (plan.covered.length === 0) return nothing("there is nothing before the newest messages");
  if (meter.estimate(plan.history("", undefined)) + LEAST_SUMMARY > most)
    return nothing("the system text, the tools and the messages that have to stay take nearly all of it");
  const task = {
    system: SUMMARY_SYSTEM,
    messages: plan.request ? [...plan.covered, plan.request] : plan.covered,
    prompt: (transcript: string, words: number) => summaryPrompt(transcript, words, focus),
  };
  const { end, usage } =
    given === undefined
      ? yield* askSummary(scope, task, limits, signal)
      : { end: { kind: "text" as const, text: given }, usage: noUsage() };
  if (end.kind === "aborted" || signal.aborted) return { failed: "it was interrupted", usage };
  if (end.kind === "failed") return { failed: end.reason, usage };
  const next = plan.history(end.text, options.spill);
  if (meter.estimate(next) > most)
    return { failed: `the summary would free less than ${LEAST_FREED * 100} % of the context`, usage };
  rewrite(scope, "summary", next, stored.length);
  return { usage };
}

function compaction(
  kind: CompactionKind,
  phase: "start" | "end" | "failed",
  before: number,
  after: number,
): Extract<AgentEvent, { type: "compaction" }> {
  return { type: "compaction", kind, phase, tokens_before: before, tokens_after: after };
}
