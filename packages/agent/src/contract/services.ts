/** Small ports that several features share. */

/** Time as a door, so that tests own it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The day's token budget, shared by all processes. */
export interface TokenBudget {
  /** Takes `tokens` out of the day before a request (a function is asked only where there is a limit); throws PiError `daily_limit` (exit code 3) when they are not there. */
  reserve(tokens: number | (() => number)): BudgetReservation;
}

export interface BudgetReservation {
  /** Replaces the reservation by what was really used (also when the request failed half way: what is known). */
  settle(used: { input: number; output: number; requests: number }): void;
}

/** The session log (JSON lines, redacted). Never throws. */
export interface Logger {
  log(entry: {
    type: "session_start" | "user" | "llm_text" | "tool_call" | "tool_result" | "error" | "info";
    [field: string]: unknown;
  }): void;
  close(): void;
}
