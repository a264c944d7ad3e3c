import type { MemoryRecord } from "../memory/record.ts";
import { frameMemory } from "../recall/frame.ts";
import type { ProviderAttempt, RecallTrace, TraceHit } from "../trace/recall-trace.ts";
import { type TimeLimit, within } from "../within.ts";
import { ScopeGuard } from "./allowed-records.ts";
import type { FoundMemory } from "./answers.ts";
import { askProviders } from "./ask-providers.ts";
import { newestFirst } from "./compose-start.ts";
import { frameSummary, hasContent } from "./frame-summary.ts";
import type { MemoryContext } from "./memory-context.ts";
import type { MemoryProvider } from "./memory-provider.ts";
import { mergeResults } from "./merge.ts";
import type { OrchestratorParts } from "./orchestrator-parts.ts";
import type { RecallPlan } from "./planning.ts";
import { presentRecords, presentSummary } from "./present-records.ts";
import { type LastSession, readLastSession } from "./read-session-parts.ts";
import { type Piece, synthesize } from "./synthesis.ts";

/** What became of one prompt's plan. */
export interface PromptRecall {
  readonly text: string;
  readonly tokens: number;
  readonly shown: readonly MemoryRecord[];
  readonly decision: RecallTrace["decision"];
  readonly relevance: number;
  readonly attempts: readonly ProviderAttempt[];
  readonly hits: readonly TraceHit[];
}

/** A memory far below the best one is not worth its tokens. */
const LEAST_SHARE = 0.25;

/** Asks the providers for what the plan says and makes one text of it. Rejects only for an error of programming. */
export async function recallPrompt(
  parts: OrchestratorParts,
  prompt: string,
  context: MemoryContext,
  plan: RecallPlan,
  signal: AbortSignal | undefined,
): Promise<PromptRecall> {
  const deadline = parts.clock.now() + parts.limits.promptDeadlineMs;
  const limit = (): TimeLimit => ({
    milliseconds: Math.max(1, deadline - parts.clock.now()),
    clock: parts.clock,
    scheduler: parts.scheduler,
    signal,
  });
  const opened = await within(limit(), () => parts.providers());
  if (opened.outcome !== "ok")
    return nothing(opened.outcome === "aborted" ? "off" : "failed", 0, [
      { provider: "*", found: 0, ...opened },
    ]);
  const guard = new ScopeGuard(context.scopes);
  const [searched, last] = await Promise.all([
    askProviders(
      plan.searches ? opened.value : [],
      limit(),
      ({ engine }, stop) =>
        engine.search(prompt, {
          scopes: context.scopes,
          states: plan.states,
          limit: plan.hits,
          signal: stop,
        }),
      ({ hits }) => hits.length,
    ),
    askProviders(
      plan.readsLastSession ? opened.value : [],
      limit(),
      (provider) => readLastSession(provider, context),
      ({ records }) => records.length,
    ),
  ]);
  const attempts = [...searched.attempts, ...last.attempts];
  const relevance = Math.max(0, ...searched.answers.map(({ value }) => value.relevance.value));
  const qualified = searched.answers.filter(({ value }) => value.relevance.qualifies);
  const merged = mergeResults(qualified, guard);
  const left = newestSession(last.answers, guard);
  const decision = emptyDecision(attempts, searched.answers);
  if (merged.length === 0 && left === undefined) return nothing(decision, relevance, attempts);
  return compose(parts, { merged, left, plan, relevance, attempts, decision });
}

interface Gathered {
  readonly merged: readonly FoundMemory[];
  readonly left: LastSession | undefined;
  readonly plan: RecallPlan;
  readonly relevance: number;
  readonly attempts: readonly ProviderAttempt[];
  readonly decision: RecallTrace["decision"];
}

async function compose(
  parts: OrchestratorParts,
  { merged, left, plan, relevance, attempts, decision }: Gathered,
): Promise<PromptRecall> {
  const top = merged[0]?.score ?? 0;
  const leftIds = new Set(left?.records.map(({ id }) => id));
  const worth = merged
    .filter(({ alone, record }) => alone >= LEAST_SHARE * top && !leftIds.has(record.id))
    .slice(0, parts.limits.promptMemories);
  const before = await presentRecords(left?.records ?? [], parts);
  const found = await presentRecords(
    worth.map(({ record }) => record),
    parts,
  );
  const pieces: Piece<MemoryRecord | undefined>[] = [];
  if (left?.summary !== undefined && hasContent(left.summary)) {
    const summary = await presentSummary(left.summary, parts);
    pieces.push({ item: undefined, text: frameSummary(summary) });
  }
  pieces.push(...[...before, ...found].map((item) => ({ item, text: frameMemory(item) })));
  const { text, tokens, shown } = synthesize(pieces, plan.budget);
  const records = shown.filter((item) => item !== undefined);
  const ids = new Set(records.map(({ id }) => id));
  const chosen = new Set(worth.map(({ record }) => record.id));
  const fate = (id: string, worthIt: boolean): TraceHit["fate"] =>
    ids.has(id) ? "injected" : worthIt ? "over_budget" : "below_share";
  const hits: TraceHit[] = [
    ...before.map(({ id }) => ({
      id,
      provider: "last-session",
      score: 1,
      parts: {},
      fate: fate(id, true),
    })),
    ...merged.flatMap(({ record, provider, score, parts: scores, duplicates }) =>
      leftIds.has(record.id)
        ? []
        : [
            { id: record.id, provider, score, parts: scores, fate: fate(record.id, chosen.has(record.id)) },
            ...duplicates.map((name) => duplicateHit(name)),
          ],
    ),
  ];
  return {
    text,
    tokens,
    shown: records,
    decision: text === "" ? decision : "injected",
    relevance,
    attempts,
    hits,
  };
}

function duplicateHit(name: string): TraceHit {
  const colon = name.indexOf(":");
  return {
    id: name.slice(colon + 1),
    provider: name.slice(0, colon),
    score: 0,
    parts: {},
    fate: "duplicate",
  };
}

/** Of what all providers know, the session that was last. */
function newestSession(
  answers: readonly { readonly provider: MemoryProvider; readonly value: LastSession }[],
  guard: ScopeGuard,
): LastSession | undefined {
  const sessions = answers
    .map(({ value }) => ({ ...value, records: value.records.filter((record) => guard.admits(record)) }))
    .filter(({ records, summary }) => records.length > 0 || summary !== undefined);
  const latest = ({ records, summary }: LastSession): number =>
    Math.max([...records].sort(newestFirst)[0]?.at ?? 0, summary?.at ?? 0);
  return sessions.sort((one, other) => latest(other) - latest(one))[0];
}

function emptyDecision(
  attempts: readonly ProviderAttempt[],
  answers: readonly { readonly value: { readonly hits: readonly unknown[] } }[],
): RecallTrace["decision"] {
  if (attempts.length > 0 && attempts.every(({ outcome }) => outcome !== "ok")) return "failed";
  return answers.some(({ value }) => value.hits.length > 0) ? "not_relevant" : "nothing_found";
}

function nothing(
  decision: RecallTrace["decision"],
  relevance: number,
  attempts: readonly ProviderAttempt[],
): PromptRecall {
  return { text: "", tokens: 0, shown: [], decision, relevance, attempts, hits: [] };
}
