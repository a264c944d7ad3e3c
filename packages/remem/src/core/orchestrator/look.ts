import type { MemoryKind, MemoryRecord } from "../memory/record.ts";
import { within } from "../within.ts";
import { ScopeGuard } from "./allowed-records.ts";
import type { FoundMemory, MemoryAnswer } from "./answers.ts";
import { type Asked, askProviders } from "./ask-providers.ts";
import type { MemoryContext } from "./memory-context.ts";
import type { MemoryProvider } from "./memory-provider.ts";
import { mergeResults } from "./merge.ts";
import type { OrchestratorParts } from "./orchestrator-parts.ts";
import { presentRecords } from "./present-records.ts";

export interface ExplicitOptions {
  /** Default 10, at most 50. */
  readonly limit?: number;
  readonly kinds?: readonly MemoryKind[];
  /** Only this provider. */
  readonly provider?: string;
  readonly signal?: AbortSignal;
}

const DEFAULT_LIMIT = 10;
const MOST = 50;
const LONGEST_QUERY = 4_000;
/** Who asks waits; a provider's own limit is shorter as a rule. */
const DEADLINE_MS = 5_000;

/** An answer and how the providers did. */
export interface Look {
  readonly answer: MemoryAnswer;
  readonly attempts: Asked<unknown>["attempts"];
}

/** Searches without a floor: whoever asks judges by himself. */
export async function lookFor(
  parts: OrchestratorParts,
  query: string,
  context: MemoryContext,
  options: ExplicitOptions,
): Promise<Look> {
  const limit = Math.max(1, Math.min(MOST, Math.trunc(options.limit ?? DEFAULT_LIMIT)));
  const guard = new ScopeGuard(context.scopes);
  return lookWith(
    parts,
    options,
    guard,
    ({ engine }, signal) =>
      engine.search(query.slice(0, LONGEST_QUERY), {
        scopes: context.scopes,
        limit,
        signal,
        ...(options.kinds === undefined ? {} : { kinds: options.kinds }),
      }),
    ({ hits }) => hits.length,
    (answers) => mergeResults(answers, guard).slice(0, limit),
  );
}

/** Reads records in their own order from the first provider that has any. */
export async function readRecords(
  parts: OrchestratorParts,
  context: MemoryContext,
  options: Pick<ExplicitOptions, "provider" | "signal">,
  read: (provider: MemoryProvider) => Promise<MemoryRecord[]>,
): Promise<MemoryAnswer> {
  const guard = new ScopeGuard(context.scopes);
  const { answer } = await lookWith(
    parts,
    options,
    guard,
    (provider) => read(provider),
    (records) => records.length,
    (answers) => {
      const seen = new Set<string>();
      return answers.flatMap(({ provider, value }) =>
        value
          .filter((record) => guard.admits(record) && !seen.has(record.id) && seen.add(record.id))
          .map(
            (record): FoundMemory => ({
              record,
              provider: provider.id,
              score: 1,
              alone: 1,
              parts: {},
              duplicates: [],
            }),
          ),
      );
    },
  );
  return answer;
}

async function lookWith<T>(
  parts: OrchestratorParts,
  options: Pick<ExplicitOptions, "provider" | "signal">,
  guard: ScopeGuard,
  question: (provider: MemoryProvider, signal: AbortSignal) => Promise<T>,
  count: (value: T) => number,
  collect: (answers: Asked<T>["answers"]) => FoundMemory[],
): Promise<Look> {
  const { clock, scheduler } = parts;
  const limit = { milliseconds: DEADLINE_MS, clock, scheduler, signal: options.signal };
  const opened = await within(limit, () => parts.providers());
  if (opened.outcome !== "ok")
    return notLooked(
      opened.outcome === "failed"
        ? `memory cannot be opened (${opened.error ?? "unknown reason"})`
        : `memory did not open in time (${opened.outcome})`,
    );
  const asked =
    options.provider === undefined ? opened.value : opened.value.filter(({ id }) => id === options.provider);
  if (asked.length === 0 && options.provider !== undefined)
    return notLooked(
      `there is no provider "${options.provider}"; there ${opened.value.length === 1 ? "is" : "are"}: ${opened.value.map(({ id }) => id).join(", ") || "none"}`,
    );
  const result = await askProviders(asked, limit, question, count);
  for (const attempt of result.attempts) if (attempt.outcome !== "ok") parts.onTrouble?.(attempt);
  const memories = collect(result.answers);
  const screened = await presentRecords(
    memories.map(({ record }) => record),
    parts,
  );
  const failed = result.attempts.length > 0 && result.answers.length === 0;
  return {
    attempts: result.attempts,
    answer: {
      outcome: memories.length > 0 ? "found" : failed ? "not_looked" : "nothing_found",
      memories: memories.map((memory, index) => ({ ...memory, record: screened[index]! })),
      gaps: result.gaps,
      outOfScope: guard.dropped,
      ...(failed && memories.length === 0
        ? { reason: `no provider answered (${result.attempts.map(({ outcome }) => outcome).join(", ")})` }
        : {}),
    },
  };
}

function notLooked(reason: string): Look {
  return {
    attempts: [],
    answer: { outcome: "not_looked", memories: [], gaps: [], outOfScope: 0, reason },
  };
}
