import { analyzeQuery } from "../query/analyze-query.ts";
import type { RecallTrace } from "../trace/recall-trace.ts";
import { within } from "../within.ts";
import type { MemoryContext } from "./memory-context.ts";
import type { OrchestratorParts } from "./orchestrator-parts.ts";
import type { PromptRecall } from "./recall-prompt.ts";

const LONGEST_PROMPT = 300;
const READ_OF_PROMPT = 2_000;
const MOST_TERMS = 32;
const MOST_HITS = 50;
const SCREEN_MS = 500;

/** The trace of one decision. The prompt is screened and cut; one that cannot be screened in time is left out. */
export async function makeTrace(
  { clock, newId, screen, scheduler }: OrchestratorParts,
  about: {
    readonly context: MemoryContext;
    readonly kind: RecallTrace["kind"];
    readonly prompt: string;
    readonly budget: number;
    readonly turnId?: string;
    readonly recall: PromptRecall;
  },
): Promise<RecallTrace> {
  const { context, kind, budget, turnId, recall } = about;
  const limit = { milliseconds: SCREEN_MS, clock, scheduler, signal: undefined };
  const screened = await within(limit, () => screen.screen(about.prompt.slice(0, READ_OF_PROMPT)));
  const prompt = screened.outcome === "ok" ? screened.value.text : "";
  return {
    id: newId(),
    sessionId: context.sessionId,
    ...(turnId === undefined ? {} : { turnId }),
    at: clock.now(),
    kind,
    prompt: [...prompt.slice(0, 2 * LONGEST_PROMPT)].slice(0, LONGEST_PROMPT).join(""),
    terms: analyzeQuery(prompt).terms.slice(0, MOST_TERMS),
    decision: recall.decision,
    relevance: recall.relevance,
    budget,
    tokens: recall.tokens,
    milliseconds: Math.max(0, ...recall.attempts.map(({ milliseconds }) => milliseconds)),
    attempts: recall.attempts,
    hits: recall.hits.slice(0, MOST_HITS),
  };
}
