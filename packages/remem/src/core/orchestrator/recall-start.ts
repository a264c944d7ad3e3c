import type { MemoryRecord } from "../memory/record.ts";
import type { RecallTrace } from "../trace/recall-trace.ts";
import { within } from "../within.ts";
import { ScopeGuard } from "./allowed-records.ts";
import { askProviders } from "./ask-providers.ts";
import { composeStart, type StartItem } from "./compose-start.ts";
import type { MemoryContext } from "./memory-context.ts";
import type { OrchestratorParts } from "./orchestrator-parts.ts";
import { presentRecords, presentSummary } from "./present-records.ts";
import { readStartParts, type StartParts } from "./read-session-parts.ts";
import type { PromptRecall } from "./recall-prompt.ts";

interface StartOptions {
  readonly budget: number;
  readonly lookbackHours: number;
  readonly signal: AbortSignal | undefined;
}

const HOUR_MS = 3_600_000;
/** Beside a real summary a few standing memories are enough. */
const COMPACTION_TOKENS = 400;
const COMPACTION_MS = 1_000;

/** Reads and composes the start of a session within its deadline. */
export function recallStart(
  parts: OrchestratorParts,
  context: MemoryContext,
  options: StartOptions,
): Promise<PromptRecall> {
  return recallParts(parts, context, options, parts.limits.startDeadlineMs, (found) => found);
}

/** Pinned memories, preferences and decisions only. */
export function compactionText(
  parts: OrchestratorParts,
  context: MemoryContext,
  signal: AbortSignal | undefined,
): Promise<PromptRecall> {
  const options = { budget: COMPACTION_TOKENS, lookbackHours: 0, signal };
  return recallParts(parts, context, options, COMPACTION_MS, (found) => ({
    ...found,
    recent: [],
    summary: undefined,
  }));
}

async function recallParts(
  parts: OrchestratorParts,
  context: MemoryContext,
  { budget, lookbackHours, signal }: StartOptions,
  milliseconds: number,
  choose: (found: StartParts) => StartParts,
): Promise<PromptRecall> {
  const { clock, scheduler } = parts;
  const started = clock.now();
  const limit = { milliseconds, clock, scheduler, signal };
  const opened = await within(limit, () => parts.providers());
  if (opened.outcome !== "ok") return empty("failed", [{ provider: "*", found: 0, ...opened }]);
  const left = Math.max(1, milliseconds - (clock.now() - started));
  const { answers, attempts } = await askProviders(
    opened.value,
    { ...limit, milliseconds: left },
    (provider) => readStartParts(provider, context, started - lookbackHours * HOUR_MS),
    ({ pinned, preferences, decisions, recent }) =>
      pinned.length + preferences.length + decisions.length + recent.length,
  );
  if (attempts.length > 0 && answers.length === 0) return empty("failed", attempts);
  const guard = new ScopeGuard(context.scopes);
  const admitted = async (name: "pinned" | "preferences" | "decisions" | "recent"): Promise<MemoryRecord[]> =>
    presentRecords(
      answers.flatMap(({ value }) => value[name]).filter((record) => guard.admits(record)),
      parts,
    );
  const [summary] = answers
    .flatMap(({ value }) => value.summary ?? [])
    .sort((one, other) => other.at - one.at);
  const { text, tokens, shown, omitted } = composeStart(
    choose({
      pinned: await admitted("pinned"),
      preferences: await admitted("preferences"),
      decisions: await admitted("decisions"),
      recent: await admitted("recent"),
      summary: summary === undefined ? undefined : await presentSummary(summary, parts),
    }),
    budget,
  );
  const primary = answers[0]?.provider.id ?? "";
  const traced = (items: readonly StartItem[], fate: "injected" | "over_budget"): RecallTrace["hits"] =>
    items.filter(isRecord).map(({ id }) => ({ id, provider: primary, score: 1, parts: {}, fate }));
  return {
    text,
    tokens,
    shown: shown.filter(isRecord),
    decision: text === "" ? "nothing_found" : "injected",
    relevance: 0,
    attempts,
    hits: [...traced(shown, "injected"), ...traced(omitted, "over_budget")],
  };
}

function isRecord(item: StartItem): item is MemoryRecord {
  return "id" in item;
}

function empty(decision: RecallTrace["decision"], attempts: PromptRecall["attempts"]): PromptRecall {
  return { text: "", tokens: 0, shown: [], decision, relevance: 0, attempts, hits: [] };
}
