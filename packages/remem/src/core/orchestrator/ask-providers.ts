import type { ProviderAttempt } from "../trace/recall-trace.ts";
import { type Timed, type TimeLimit, within } from "../within.ts";
import type { ProviderGap } from "./answers.ts";
import type { MemoryProvider } from "./memory-provider.ts";

/** What each provider answered, and how it went. */
export interface Asked<T> {
  readonly answers: readonly { readonly provider: MemoryProvider; readonly value: T }[];
  readonly attempts: readonly ProviderAttempt[];
  readonly gaps: readonly ProviderGap[];
  readonly aborted: boolean;
}

/** Asks all providers at once, each under the smaller of its own limit and what is left of the whole. Never rejects. */
export async function askProviders<T>(
  providers: readonly MemoryProvider[],
  limit: TimeLimit,
  question: (provider: MemoryProvider, signal: AbortSignal) => Promise<T>,
  count: (value: T) => number,
): Promise<Asked<T>> {
  const timed = await Promise.all(
    providers.map(async (provider): Promise<{ provider: MemoryProvider; timed: Timed<T> }> => {
      const milliseconds = Math.min(provider.timeoutMs, limit.milliseconds);
      return {
        provider,
        timed: await within({ ...limit, milliseconds }, (signal) => question(provider, signal)),
      };
    }),
  );
  return {
    answers: timed.flatMap(({ provider, timed: one }) =>
      one.outcome === "ok" ? [{ provider, value: one.value }] : [],
    ),
    attempts: timed.map(({ provider, timed: one }) => ({
      provider: provider.id,
      outcome: one.outcome,
      milliseconds: one.milliseconds,
      found: one.outcome === "ok" ? count(one.value) : 0,
      ...(one.outcome !== "ok" && one.error !== undefined ? { error: one.error } : {}),
    })),
    gaps: timed.flatMap(({ provider, timed: one }): ProviderGap[] =>
      one.outcome === "failed" || one.outcome === "timed_out"
        ? [{ provider: provider.id, reason: one.outcome }]
        : [],
    ),
    aborted: timed.some(({ timed: one }) => one.outcome === "aborted"),
  };
}
