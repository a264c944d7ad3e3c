import { errorMessage, PiError } from "../contract/errors.ts";
import { formatCount } from "../platform/format-count.ts";
import { localDay } from "../platform/local-day.ts";
import type { UsageFile } from "./usage-file.ts";

/** The day so far, for people and programs. */
export interface BudgetUsage {
  date: string;
  input_tokens: number;
  output_tokens: number;
  requests: number;
  /** Tokens held for requests that run right now, in any process. */
  reserved: number;
  /** 0: no limit. */
  limit: number;
  /** Null without a limit. */
  remaining: number | null;
  /** Percent of the limit that is used, 0 to 100 and more; null without a limit. */
  percent: number | null;
  /** One line for people. */
  summary: string;
}

export function describeUsage(usage: UsageFile, limit: number, now: number, broken: boolean): BudgetUsage {
  const { input_tokens, output_tokens, requests } = usage;
  const date = usage.date || localDay(now);
  const used = input_tokens + output_tokens;
  const reserved = usage.reserved.reduce((sum, one) => sum + one.tokens, 0);
  const remaining = limit > 0 ? Math.max(0, limit - used - reserved) : null;
  const percent = limit > 0 ? Math.round((used / limit) * 1_000) / 10 : null;
  const counted = `${formatCount(used)} tokens in ${formatCount(requests)} ${requests === 1 ? "request" : "requests"} on ${date}`;
  const summary = broken
    ? "usage.json is broken: today's tokens are not known"
    : limit > 0
      ? `${counted}: ${percent} % of ${formatCount(limit)}, ${formatCount(remaining!)} left, resets ${resetTime(now)}`
      : `${counted}, no limit`;
  return { date, input_tokens, output_tokens, requests, reserved, limit, remaining, percent, summary };
}

/** PiError `daily_limit`, exit code 3: what was asked, how much there is, and when it resets. */
export function limitReached(state: {
  limit: number;
  used: number;
  reserved: number;
  asked: number;
  now: number;
}): PiError {
  const { limit, used, reserved, asked, now } = state;
  const running = reserved > 0 ? `, ${formatCount(reserved)} held by running requests` : "";
  return new PiError({
    code: "daily_limit",
    message: `the daily limit of ${formatCount(limit)} tokens does not allow this request: ${formatCount(used)} used${running}, about ${formatCount(asked)} needed`,
    hint: `It resets ${resetTime(now)}. To go on now, raise guardrail.max_daily_tokens in your config.json (0 = no limit).`,
    exitCode: 3,
  });
}

/** PiError `daily_limit`, exit code 3: there is a limit, and nobody can tell what is left of it. */
export function limitUnknown(limit: number, file: string, thrown: unknown): PiError {
  return new PiError({
    code: "daily_limit",
    message: `the daily limit of ${formatCount(limit)} tokens cannot be kept: ${errorMessage(thrown)}`,
    hint: `Make ${file} writable, or set guardrail.max_daily_tokens to 0 in your config.json.`,
    exitCode: 3,
    cause: thrown,
  });
}

/** The next local midnight, e.g. `at 2026-07-25 00:00 (in 5 h 12 min)`. */
function resetTime(now: number): string {
  const today = new Date(now);
  const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1).getTime();
  const minutes = Math.ceil((midnight - now) / 60_000);
  return `at ${localDay(midnight)} 00:00 (in ${Math.floor(minutes / 60)} h ${minutes % 60} min)`;
}
