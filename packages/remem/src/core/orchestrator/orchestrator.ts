import { VERBATIM_KINDS } from "../memory/record.ts";
import { FRAME_INSTRUCTION } from "../recall/frame.ts";
import type { RecallTrace } from "../trace/recall-trace.ts";
import { errorName } from "../within.ts";
import type { MemoryAnswer, MemoryInjection } from "./answers.ts";
import { type ExplicitOptions, lookFor, readRecords } from "./look.ts";
import { makeTrace } from "./make-trace.ts";
import type { MemoryContext } from "./memory-context.ts";
import type { MemoryStatus } from "./memory-status.ts";
import type { OrchestratorParts } from "./orchestrator-parts.ts";
import { planRecall } from "./planning.ts";
import { readStatus } from "./read-status.ts";
import { type PromptRecall, recallPrompt } from "./recall-prompt.ts";
import { compactionText, recallStart } from "./recall-start.ts";
import { recognize } from "./recognition.ts";

interface Signalled {
  readonly signal?: AbortSignal;
}

/** Turns whose injection is remembered. */
const MEMO_TURNS = 32;
const MOST_AROUND = 50;
const MOST_IDS = 50;
const TRACES_READ = 50;

/**
 * Memory as a host sees it, over any number of providers. Nothing it does throws: a host goes on without memory. What it gives
 * is never of a scope that was not asked for.
 */
export class MemoryOrchestrator {
  readonly #parts: OrchestratorParts;
  readonly #memo = new Map<string, Promise<MemoryInjection>>();

  constructor(parts: OrchestratorParts) {
    const { providers } = parts;
    this.#parts = { ...parts, providers: async () => distinct(await providers()) };
  }

  /** What to put before the model for a prompt; silence when nothing qualifies. Asked again in the same turn it gives the same bytes. */
  async processPrompt(
    prompt: string,
    context: MemoryContext,
    { turnId, signal }: { readonly turnId: string; readonly signal?: AbortSignal },
  ): Promise<MemoryInjection> {
    const key = JSON.stringify([context.sessionId, turnId, prompt]);
    const known = this.#memo.get(key);
    if (known !== undefined) return known;
    const made = this.#recall(prompt, context, turnId, signal);
    this.#memo.set(key, made);
    const oldest = this.#memo.keys().next().value;
    if (this.#memo.size > MEMO_TURNS && oldest !== undefined) this.#memo.delete(oldest);
    const { trace } = await made;
    // Asked again, a provider that was down may be up.
    if (signal?.aborted === true || trace.decision === "failed") this.#memo.delete(key);
    return made;
  }

  /** For the first message of a session: pinned memories, preferences, decisions, what was last, recent titles. */
  async sessionStart(
    context: MemoryContext,
    options: { readonly budget?: number; readonly lookbackHours?: number } & Signalled = {},
  ): Promise<MemoryInjection> {
    const { limits } = this.#parts;
    const budget = options.budget ?? limits.startTokens;
    const lookbackHours = options.lookbackHours ?? limits.lookbackHours;
    const recall = await orFailed(() =>
      recallStart(this.#parts, context, { budget, lookbackHours, signal: options.signal }),
    );
    return this.#injection(recall, { context, kind: "start", prompt: "", budget });
  }

  /** The memories that answer a question, statements and verbatim pieces; no floor. */
  search(query: string, context: MemoryContext, options: ExplicitOptions = {}): Promise<MemoryAnswer> {
    return this.#look("search", query, context, options);
  }

  /** The same among what was said and done in sessions, word for word. */
  history(query: string, context: MemoryContext, options: ExplicitOptions = {}): Promise<MemoryAnswer> {
    return this.#look("history", query, context, { kinds: [...VERBATIM_KINDS], ...options });
  }

  /** What is before and after a memory in its session, in order of time. */
  async timeline(
    anchor: string,
    context: MemoryContext,
    options: { readonly before?: number; readonly after?: number } & Signalled = {},
  ): Promise<MemoryAnswer> {
    const reach = (asked: number | undefined): number =>
      Math.max(0, Math.min(MOST_AROUND, Math.trunc(asked ?? 5)));
    return this.#shown(
      await readRecords(this.#parts, context, options, ({ store }) =>
        store.timeline(anchor, reach(options.before), reach(options.after)),
      ),
    );
  }

  /** Chosen memories in full, in the order asked. */
  async get(ids: readonly string[], context: MemoryContext, options: Signalled = {}): Promise<MemoryAnswer> {
    return this.#shown(
      await readRecords(this.#parts, context, options, ({ store }) =>
        store.get(ids.slice(0, MOST_IDS), context.scopes),
      ),
    );
  }

  async status(context: MemoryContext, options: Signalled = {}): Promise<MemoryStatus> {
    return readStatus(this.#parts, await this.explain(context.sessionId), options.signal);
  }

  /** The last decision of a session; also one of before a restart. */
  async explain(sessionId: string): Promise<RecallTrace | undefined> {
    return (await this.#parts.traces.of(sessionId, 1))[0];
  }

  /** The decision of the turn before the last one: prompts only, searches do not count. */
  async explainPreviousTurn(sessionId: string): Promise<RecallTrace | undefined> {
    const prompts = (await this.#parts.traces.of(sessionId, TRACES_READ)).filter(
      ({ kind }) => kind === "prompt",
    );
    const [last] = prompts;
    return prompts.find(
      ({ id, turnId }) => id !== last?.id && (turnId === undefined || turnId !== last?.turnId),
    );
  }

  /** A few standing memories to put beside a real summary; empty when there are none. Never a summary by itself. */
  async compactionContext(context: MemoryContext, signal?: AbortSignal): Promise<string> {
    const recall = await orFailed(() => compactionText(this.#parts, context, signal));
    if (signal?.aborted === true) return "";
    this.#parts.onShown?.(recall.shown);
    return recall.text;
  }

  /** After a memory was changed or erased: no turn repeats what it was. */
  forgetTurns(): void {
    this.#memo.clear();
  }

  async #recall(
    prompt: string,
    context: MemoryContext,
    turnId: string,
    signal: AbortSignal | undefined,
  ): Promise<MemoryInjection> {
    const { limits } = this.#parts;
    const recall = await orFailed(async () => {
      const plan = planRecall(recognize(prompt), limits);
      return plan === null ? SILENT : recallPrompt(this.#parts, prompt, context, plan, signal);
    });
    const heard = signal?.aborted === true ? { ...recall, text: "", tokens: 0, shown: [] } : recall;
    return this.#injection(heard, { context, kind: "prompt", prompt, budget: limits.promptTokens, turnId });
  }

  async #look(
    kind: "search" | "history",
    query: string,
    context: MemoryContext,
    options: ExplicitOptions,
  ): Promise<MemoryAnswer> {
    try {
      const { answer, attempts } = await lookFor(this.#parts, query, context, options);
      const trace = await makeTrace(this.#parts, {
        context,
        kind,
        prompt: query,
        budget: 0,
        recall: {
          ...SILENT,
          decision: answer.outcome === "found" ? "listed" : "nothing_found",
          attempts,
          hits: answer.memories.map(({ record, provider, score, parts }) => ({
            id: record.id,
            provider,
            score,
            parts,
            fate: "listed",
          })),
        },
      });
      this.#parts.traces.add(trace);
      return this.#shown(answer);
    } catch (error) {
      return {
        outcome: "not_looked",
        memories: [],
        gaps: [],
        outOfScope: 0,
        reason: `memory failed (${errorName(error)})`,
      };
    }
  }

  /** Everything that reaches a model is remembered as shown. */
  #shown(answer: MemoryAnswer): MemoryAnswer {
    this.#parts.onShown?.(answer.memories.map(({ record }) => record));
    return answer;
  }

  async #injection(
    recall: PromptRecall,
    about: {
      readonly context: MemoryContext;
      readonly kind: "prompt" | "start";
      readonly prompt: string;
      readonly budget: number;
      readonly turnId?: string;
    },
  ): Promise<MemoryInjection> {
    for (const attempt of recall.attempts)
      if (attempt.outcome !== "ok" && attempt.outcome !== "aborted") this.#parts.onTrouble?.(attempt);
    this.#parts.onShown?.(recall.shown);
    const trace = await makeTrace(this.#parts, { ...about, recall });
    this.#parts.traces.add(trace);
    const { text, tokens } = recall;
    return text === "" ? { text, tokens: 0, trace } : { text, instruction: FRAME_INSTRUCTION, tokens, trace };
  }
}

const SILENT: PromptRecall = {
  text: "",
  tokens: 0,
  shown: [],
  decision: "nothing_found",
  relevance: 0,
  attempts: [],
  hits: [],
};

async function orFailed(work: () => Promise<PromptRecall>): Promise<PromptRecall> {
  try {
    return await work();
  } catch (error) {
    const attempt = { provider: "*", outcome: "failed", milliseconds: 0, found: 0 } as const;
    return { ...SILENT, decision: "failed", attempts: [{ ...attempt, error: errorName(error) }] };
  }
}

function distinct<T extends { readonly id: string }>(providers: readonly T[]): T[] {
  const seen = new Set<string>();
  return providers.filter(({ id }) => !seen.has(id) && seen.add(id));
}
