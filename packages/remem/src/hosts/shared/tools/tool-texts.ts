import type { MemoryRecord } from "../../../core/memory/record.ts";
import type { MemoryAnswer } from "../../../core/orchestrator/answers.ts";
import type { MemoryStatus } from "../../../core/orchestrator/memory-status.ts";
import { synthesize } from "../../../core/orchestrator/synthesis.ts";
import type { CorrectionRecord } from "../../../core/ports/engine-state.ts";
import { frameMemory } from "../../../core/recall/frame.ts";
import type { RecallTrace } from "../../../core/trace/recall-trace.ts";
import type { MemoryState } from "../../../runtime/memory.ts";

/** Most tokens that one search may cost. */
const SEARCH_TOKENS = 3_000;
/** Of one memory; the rest is named. */
const LONGEST_TEXT = 2_000;
const MOST_HITS = 20;
const MOST_CORRECTIONS = 20;

/** What a search found, framed as data. Nothing found and not looked are not the same. */
export function searchText(answer: MemoryAnswer): string {
  const gaps = answer.gaps.map(({ provider, reason }) => `${provider} (${reason.replaceAll("_", " ")})`);
  const missing = gaps.length === 0 ? "" : `\nThese gave no answer: ${gaps.join(", ")}.`;
  if (answer.outcome === "not_looked")
    return `Memory was not looked at: ${answer.reason ?? "no store answered"}. That says nothing about what is remembered.${missing}`;
  if (answer.memories.length === 0)
    return `Nothing was found. That does not prove that it never came up.${missing}`;
  const pieces = answer.memories.map(({ record }) => ({
    item: record,
    text: frameMemory(shortened(record)),
  }));
  const { text, omitted } = synthesize(pieces, SEARCH_TOKENS);
  const more = omitted.length === 0 ? "" : `\n${omitted.length} more did not fit; ask more narrowly.`;
  return `${text}${more}${missing}`;
}

/** How memory is: numbers and states, no memory's text. */
export function statusText(state: MemoryState, status: MemoryStatus, last: RecallTrace | undefined): string {
  const { providers, moreProviders, limits, capture } = status;
  return JSON.stringify({
    state,
    providers: providers.map((provider) => ({ ...provider })),
    ...(moreProviders === 0 ? {} : { moreProviders }),
    budgets: { promptTokens: limits.promptTokens, startTokens: limits.startTokens },
    capture:
      capture === undefined
        ? "unknown"
        : {
            enabled: capture.enabled,
            pending: capture.pending,
            stored: capture.stored,
            dropped: capture.dropped,
            excluded: capture.excluded,
          },
    lastDecision: last === undefined ? "none yet" : decisionOf(last),
  });
}

/** Why the last recall of a session came with these memories or with none. */
export function explainText(trace: RecallTrace | undefined): string {
  if (trace === undefined) return "Nothing was recalled or looked for in this session yet.";
  const { relevance, budget, tokens, milliseconds, attempts, hits } = trace;
  return JSON.stringify({
    ...decisionOf(trace),
    relevance: rounded(relevance),
    budget,
    tokens,
    milliseconds: Math.round(milliseconds),
    attempts: attempts.map(({ provider, outcome, found, error }) => ({
      provider,
      outcome,
      found,
      ...(error === undefined ? {} : { error }),
    })),
    memories: hits
      .slice(0, MOST_HITS)
      .map(({ id, provider, score, fate }) => ({ id, provider, score: rounded(score), fate })),
    ...(hits.length > MOST_HITS ? { more: hits.length - MOST_HITS } : {}),
  });
}

/** Corrections of a project, with what the check found and without their wording. */
export function correctionsText(corrections: readonly CorrectionRecord[]): string {
  if (corrections.length === 0) return "No correction waits or was decided in this project.";
  return JSON.stringify({
    corrections: corrections.slice(0, MOST_CORRECTIONS).map(({ id, state, at, disputed, findings }) => ({
      id,
      state,
      at: new Date(at).toISOString(),
      disputed: disputed.length,
      findings,
    })),
    decidedBy: "a person, with `remem review` in a terminal",
  });
}

function decisionOf({ kind, decision, at }: RecallTrace) {
  return { kind, decision, at: new Date(at).toISOString() };
}

function shortened(record: MemoryRecord): MemoryRecord {
  const { text } = record;
  if (text.length <= LONGEST_TEXT) return record;
  return {
    ...record,
    text: `${text.slice(0, LONGEST_TEXT).toWellFormed()}\n[${text.length - LONGEST_TEXT} more letters]`,
  };
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
