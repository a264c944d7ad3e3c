/** When a failed request is sent again, and after what wait. Decided by data of the error, never by its prose. */
import type { ModelError, ModelErrorCode } from "../contract/model.ts";

/** Retries after the first request of a turn. */
const RETRIES = 3;
const FIRST_WAIT_MS = 1_000;
const JITTER = 0.2;

/** Sending these again cannot help, whatever the client's flag says. */
const PERMANENT: ReadonlySet<ModelErrorCode> = new Set<ModelErrorCode>([
  "auth",
  "quota",
  "overflow",
  "invalid",
  "not_found",
  "filtered",
]);

export type RetryDecision =
  | { kind: "wait"; delayMs: number }
  /** The service asks for a wait longer than the user allows. */
  | { kind: "too_long"; askedMs: number }
  | { kind: "give_up" };

/**
 * Decides what follows the `failures`-th failure (from 1) of one turn: 1, 2 and 4 s ± 20 %, at least what the service
 * asked for, at most `maxDelayMs`.
 */
export function decideRetry(
  error: ModelError,
  failures: number,
  maxDelayMs: number,
  random: () => number,
): RetryDecision {
  if (!error.retryable || PERMANENT.has(error.code)) return { kind: "give_up" };
  const asked = error.retryAfterMs ?? 0;
  if (asked > maxDelayMs) return { kind: "too_long", askedMs: asked };
  if (failures > RETRIES) return { kind: "give_up" };
  const backOff = FIRST_WAIT_MS * 2 ** (failures - 1) * (1 + JITTER * (2 * random() - 1));
  // What the service asks for is a lower bound: jitter only ever adds to it, so that waiting agents do not come back as one.
  const lower = asked * (1 + JITTER * random());
  return {
    kind: "wait",
    delayMs: Math.round(Math.max(asked, Math.min(maxDelayMs, Math.max(backOff, lower)))),
  };
}

/** The error as it is told when the service wants a longer wait than allowed: with the time at which it resets. */
export function tooLongToWait(error: ModelError, askedMs: number, nowMs: number): ModelError {
  const until = new Date(nowMs + askedMs).toISOString().replace(/\.\d+Z$/, "Z");
  return {
    ...error,
    message: `${error.message} (the service asks to wait ${duration(askedMs)}, until ${until})`,
    hint: `Try again after ${until}, or choose another model. The longest wait is set by retry.maxDelay.`,
  };
}

function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
