import { StoreError } from "../core/errors.ts";
import type { ProviderAttempt } from "../core/trace/recall-trace.ts";
import type { MemoryNotice } from "./memory.ts";

/** What a person is told when a store does not answer: no memory's text, only what happened and what to do. */
export function storeTrouble(attempt: ProviderAttempt, failure: unknown): MemoryNotice {
  const name =
    attempt.provider === "*" || attempt.provider === "primary" ? "memory" : `memory of "${attempt.provider}"`;
  if (attempt.outcome === "timed_out")
    return {
      level: "info",
      code: `store_timed_out:${attempt.provider}`,
      message: `${name} did not answer in time; work goes on without it`,
    };
  const known = StoreError.is(failure) && failure.code === attempt.error ? failure : undefined;
  return {
    level: "warning",
    code: `store_${attempt.error ?? "failed"}:${attempt.provider}`,
    message:
      known === undefined
        ? `${name} failed (${attempt.error ?? "unknown reason"}); work goes on without it`
        : `${known.message}; work goes on without memory (${known.hint})`,
  };
}
