/** One table for all services: from status, body and headers to a {@link ModelError}. */
import type { ModelError, ModelErrorCode } from "../../contract/model.ts";
import { type ErrorFacts, errorFacts } from "./error-body.ts";
import { isOverflowText, windowIn } from "./overflow.ts";
import { publicMessage } from "./public-message.ts";
import { type HeaderReader, retryAfter } from "./retry-after.ts";

/** A refusal as it came in. `body` is parsed JSON or text; `text` is used where the body has no message. */
export interface ServiceFailure {
  status?: number | undefined;
  body?: unknown;
  headers?: HeaderReader | undefined;
  text?: string;
}

/** Who failed, what must not be shown, and the time (milliseconds since 1970) that dates in headers count from. */
export interface FailureContext {
  provider: string;
  /** Where the request went, without path and credentials, for failures below HTTP. */
  address?: string;
  secrets: readonly string[];
  now: number;
}

/** A daily or monthly limit in the clothes of a rate limit: a wait longer than this is no burst. */
const QUOTA_WAIT_MS = 5 * 60_000;

const quotaWords =
  /^(?:insufficient_quota|credit_balance_exhausted|(?:organization|project)_spend_limit_exceeded|organization_usage_limit_exceeded|(?:enforced|contract)_spend_limit_reached|(?:subscription_sharing_)?usage_limit_(?:reached|exceeded)|billing_error|quota_exhausted|insufficient_g1_credits_balance|1308|.*perday.*)$/;
const quotaText =
  /free-models-per-day|run out of credits|insufficient (?:balance|credits?|funds)|credit balance is too low|spend(?:ing)? limit|usage credits are required|available credits|limit: 0\b|exceeded your current quota/i;
const filterWords =
  /^(?:content_filter|content_policy_violation|invalid_prompt|moderation|.*_policy(?:_violation)?)$/;
const filterText = /content (?:management )?policy|flagged (?:as|for|by)|requires moderation/i;
const authWords =
  /^(?:authentication_error|permission_error|invalid_api_key|api_key_invalid|unauthenticated|permission_denied|unsupported_country_region_territory)$/;
const rateWords =
  /^(?:rate_limit_error|rate_limit_exceeded|slow_down|resource_exhausted|ramp_limit_exceeded|too_many_requests)$/;
const overloadedWords =
  /^(?:overloaded_error|api_error|server_error|internal_error|internal_server_error|server_is_overloaded|service_unavailable|timeout_error|unavailable|internal|deadline_exceeded|insufficient_system_resource|model_capacity_exhausted|engine_overloaded_error|vector_store_timeout)$/;
const overflowWords =
  /^(?:context_length_exceeded|exceed_context_size_error|1261|request_too_large|model_context_window_exceeded)$/;
const missingWords = /^(?:not_found_error|model_not_found|not_found)$/;
const invalidWords =
  /^(?:invalid_request_error|invalid_argument|badrequesterror|bad_request|failed_precondition|invalid_value|invalid_image)$/;
/** Failures that the same request would meet again although the status promises otherwise (llama.cpp answers 500). */
const deterministic = /failed to parse tool call arguments|parse_error\.101/i;
/** The model wrote a broken call and the service refused it (Groq): another try may do better. */
const modelFault = /^tool_use_failed$/;

/** A timeout, a conflict with another request, a request that came too early, Groq's "capacity": the vendors' own SDKs try these again. */
const passing: ReadonlySet<number> = new Set([408, 409, 425, 498]);

function classify(
  failure: ServiceFailure,
  facts: ErrorFacts,
  waitMs: number | undefined,
  provider: string,
): ModelErrorCode {
  const status = failure.status ?? facts.status;
  const { message } = facts;
  const has = (pattern: RegExp) => [...facts.words].some((word) => pattern.test(word));
  const perMinute = has(/perminute/) || /#token-limit/.test(message);
  const rejected = ["5h", "7d"].some(
    (window) => failure.headers?.get(`anthropic-ratelimit-unified-${window}-status`) === "rejected",
  );
  if (has(overflowWords) || status === 413) return "overflow";
  if ((status === undefined || status >= 400) && isOverflowText(message)) return "overflow";
  if (status === 400 && message === "" && provider === "cerebras") return "overflow";
  if (status === 402 || has(quotaWords) || rejected) return "quota";
  if (!perMinute && (status === undefined || (status < 500 && status !== 401)) && quotaText.test(message))
    return "quota";
  if (status === 429 && waitMs !== undefined && waitMs > QUOTA_WAIT_MS && has(/^resource_exhausted$/))
    return "quota";
  if (has(filterWords) || ((status === 400 || status === 403) && filterText.test(message))) return "filtered";
  if (status === 401 || status === 403 || has(authWords) || /api key not valid/i.test(message)) return "auth";
  if (status === 429 || has(rateWords)) return "rate";
  if (has(modelFault)) return "unknown";
  if (deterministic.test(message)) return "invalid";
  if (status === 404 || has(missingWords)) return "not_found";
  if (status !== undefined && status >= 500) return "overloaded";
  if (passing.has(status ?? 0) || has(overloadedWords)) return "overloaded";
  if ((status !== undefined && status >= 300) || has(invalidWords)) return "invalid";
  return "unknown";
}

function hintFor(
  code: ModelErrorCode,
  failure: ServiceFailure,
  provider: string,
  waitMs: number | undefined,
  now: number,
): string | undefined {
  // A reset that is over, or is now, is no news.
  const resets =
    waitMs === undefined || waitMs < 1_000 ? "" : ` It resets at ${new Date(now + waitMs).toISOString()}.`;
  if (code === "auth")
    return `Check the API key for ${provider} and what it may use; \`pi login ${provider}\` takes another.`;
  if (code === "quota") return `The quota or credit of this ${provider} account is used up.${resets}`;
  if (code === "rate" && resets) return `The rate limit was reached.${resets}`;
  if (code === "not_found")
    return `Check the model name and the base URL; \`pi models\` lists what ${provider} offers.`;
  if (code === "overflow")
    return failure.status === 413
      ? "The request is too large: fewer or smaller images and results."
      : "The conversation is longer than the model's context.";
  if (code === "invalid" && failure.status !== undefined && failure.status < 400 && failure.status !== 304)
    return "The base URL answers with a redirect: set the final address.";
  return undefined;
}

/** Classes in which the same request may succeed later. */
const retryable: ReadonlySet<ModelErrorCode> = new Set(["rate", "overloaded", "network", "idle"]);

/** The error of a request that the service answered with a refusal, before or inside of the stream. Never throws. */
export function serviceError(failure: ServiceFailure, context: FailureContext): ModelError {
  const facts = errorFacts(failure.body);
  if (facts.message === "" && failure.text) facts.message = errorFacts(failure.text).message;
  const status = failure.status ?? facts.status;
  const waitMs = retryAfter(
    { ...(failure.headers && { headers: failure.headers }), body: failure.body, text: facts.message },
    context.now,
  );
  const code = classify(failure, facts, waitMs, context.provider);
  const said = facts.message || [...facts.words].join(" ") || "no message";
  const error: ModelError = {
    code,
    message: publicMessage(
      `${context.provider} answered${status === undefined ? "" : ` ${status}`}: ${said}`,
      context.secrets,
    ),
    retryable:
      (retryable.has(code) && failure.headers?.get("x-should-retry") !== "false") ||
      [...facts.words].some((word) => modelFault.test(word)),
  };
  const hint = hintFor(code, failure, context.provider, waitMs, context.now);
  if (hint !== undefined) error.hint = hint;
  if (status !== undefined) error.status = status;
  if (waitMs !== undefined) error.retryAfterMs = waitMs;
  const window = code === "overflow" ? windowIn(facts.message) : undefined;
  if (window !== undefined) error.contextWindow = window;
  return error;
}
