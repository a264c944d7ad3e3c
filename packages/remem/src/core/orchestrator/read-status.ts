import type { RecallTrace } from "../trace/recall-trace.ts";
import { within } from "../within.ts";
import type { ProviderStatus } from "./answers.ts";
import type { MemoryProvider } from "./memory-provider.ts";
import type { MemoryStatus } from "./memory-status.ts";
import type { OrchestratorParts } from "./orchestrator-parts.ts";

const MOST_PROVIDERS = 8;
const TRACE_HITS = 5;
const TRACE_TERMS = 12;
const TRACE_PROMPT = 200;
const DEADLINE_MS = 2_000;

/** How memory is; its size is bounded whatever the stores hold. Never rejects. */
export async function readStatus(
  parts: OrchestratorParts,
  lastTrace: RecallTrace | undefined,
  signal: AbortSignal | undefined,
): Promise<MemoryStatus> {
  const { clock, scheduler } = parts;
  const limit = { milliseconds: DEADLINE_MS, clock, scheduler, signal };
  const opened = await within(limit, () => parts.providers());
  const providers = opened.outcome === "ok" ? opened.value : [];
  return {
    providers:
      opened.outcome === "ok"
        ? await Promise.all(
            providers.slice(0, MOST_PROVIDERS).map((provider) => providerStatus(parts, provider, signal)),
          )
        : [
            {
              ...EMPTY,
              id: "*",
              primary: true,
              health: opened.outcome === "failed" ? "failed" : "timed_out",
              ...(opened.error === undefined ? {} : { error: opened.error }),
            },
          ],
    moreProviders: Math.max(0, providers.length - MOST_PROVIDERS),
    limits: parts.limits,
    lastTrace: lastTrace === undefined ? undefined : shortTrace(lastTrace),
    capture: parts.capture?.(),
  };
}

const EMPTY = { memories: 0, candidates: 0, sessions: 0, vectors: 0 } as const;

async function providerStatus(
  { clock, scheduler }: OrchestratorParts,
  { id, primary, store, timeoutMs }: MemoryProvider,
  signal: AbortSignal | undefined,
): Promise<ProviderStatus> {
  const found = await within({ milliseconds: timeoutMs, clock, scheduler, signal }, () => store.status());
  const about = { id: id.slice(0, 64), primary };
  if (found.outcome !== "ok")
    return {
      ...EMPTY,
      ...about,
      health: found.outcome === "failed" ? "failed" : "timed_out",
      ...(found.error === undefined ? {} : { error: found.error }),
    };
  const { memories, byState, sessions, vectors } = found.value;
  return {
    ...about,
    health: "ok",
    memories,
    candidates: byState.candidate ?? 0,
    sessions,
    vectors: Object.values(vectors).reduce((sum, count) => sum + count, 0),
  };
}

/** A trace cut to what a person or a model can read at a glance. */
function shortTrace(trace: RecallTrace): RecallTrace {
  return {
    ...trace,
    prompt: trace.prompt.slice(0, TRACE_PROMPT),
    terms: trace.terms.slice(0, TRACE_TERMS),
    attempts: trace.attempts.slice(0, MOST_PROVIDERS),
    hits: trace.hits.slice(0, TRACE_HITS),
  };
}
