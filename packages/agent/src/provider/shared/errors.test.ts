import { expect, test } from "bun:test";
import type { ModelErrorCode } from "../../contract/model.ts";
import { parseBody } from "./error-body.ts";
import { serviceError } from "./errors.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const context = { provider: "acme", secrets: ["topsecret"], now };
const refused = (status: number | undefined, body: unknown, headers: Record<string, string> = {}) =>
  serviceError({ status, body, headers: new Headers(headers) }, context);
const error = (fields: object) => ({ error: fields });
const quotaFailure = (quotaId: string) =>
  error({
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: "You exceeded your current quota",
    details: [{ violations: [{ quotaId }] }],
  });

const table: [string, number | undefined, unknown, ModelErrorCode, boolean][] = [
  [
    "Anthropic's bad key",
    401,
    error({ type: "authentication_error", message: "invalid x-api-key" }),
    "auth",
    false,
  ],
  ["a forbidden model", 403, error({ type: "permission_error", message: "no access" }), "auth", false],
  [
    "Gemini's bad key",
    400,
    error({
      code: 400,
      message: "API key not valid. Please pass a valid API key.",
      details: [{ reason: "API_KEY_INVALID" }],
    }),
    "auth",
    false,
  ],
  [
    "Anthropic's billing",
    402,
    error({ type: "billing_error", message: "Usage credits are required" }),
    "quota",
    false,
  ],
  [
    "Anthropic's monthly limit",
    429,
    error({
      type: "rate_limit_error",
      details: { error_code: "enforced_spend_limit_reached" },
      message: "limit",
    }),
    "quota",
    false,
  ],
  [
    "Anthropic's old low balance",
    400,
    error({ type: "invalid_request_error", message: "Your credit balance is too low to access the API" }),
    "quota",
    false,
  ],
  [
    "OpenAI's quota",
    429,
    error({
      type: "insufficient_quota",
      code: "insufficient_quota",
      message: "You exceeded your current quota",
    }),
    "quota",
    false,
  ],
  ["xAI's credits", 403, error({ message: "Your team has run out of credits" }), "quota", false],
  [
    "OpenRouter's free day",
    429,
    error({ code: 429, message: "Rate limit exceeded: free-models-per-day" }),
    "quota",
    false,
  ],
  ["Gemini's day", 429, quotaFailure("GenerateRequestsPerDayPerProjectPerModel"), "quota", false],
  ["Gemini's minute", 429, quotaFailure("GenerateRequestsPerMinutePerProjectPerModel"), "rate", true],
  [
    "DashScope's throttle",
    429,
    error({ message: "You exceeded your current quota, see …/error-code#token-limit" }),
    "rate",
    true,
  ],
  ["a burst", 429, error({ type: "rate_limit_error", message: "slow down" }), "rate", true],
  [
    "Anthropic's overload",
    529,
    error({ type: "overloaded_error", message: "Overloaded" }),
    "overloaded",
    true,
  ],
  [
    "an overload inside of a stream",
    undefined,
    { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    "overloaded",
    true,
  ],
  ["a gateway's page", 502, "<html><head><title>502 Bad Gateway</title></head></html>", "overloaded", true],
  [
    "a router's error inside of a stream",
    undefined,
    error({ code: 503, message: "no provider" }),
    "overloaded",
    true,
  ],
  ["Groq's flex capacity", 498, error({ message: "capacity" }), "overloaded", true],
  ["a request timeout", 408, "", "overloaded", true],
  [
    "Anthropic's overflow",
    400,
    error({ type: "invalid_request_error", message: "prompt is too long: 3 tokens > 2 maximum" }),
    "overflow",
    false,
  ],
  [
    "OpenAI's overflow",
    400,
    error({ code: "context_length_exceeded", message: "too long" }),
    "overflow",
    false,
  ],
  [
    "llama.cpp's overflow",
    400,
    error({ code: 400, type: "exceed_context_size_error", message: "no" }),
    "overflow",
    false,
  ],
  ["too many bytes", 413, "<html>Request Entity Too Large</html>", "overflow", false],
  [
    "a request over the minute's limit",
    429,
    error({ code: "rate_limit_exceeded", message: "Request too large for gpt-5 (TPM)" }),
    "overflow",
    false,
  ],
  ["a rate limit in words of tokens", 429, error({ message: "Rate limit: too many tokens" }), "rate", true],
  ["OpenAI's policy", 400, error({ code: "bio_policy", message: "no" }), "filtered", false],
  [
    "OpenRouter's moderation",
    403,
    error({ code: 403, message: "Your input was flagged by moderation" }),
    "filtered",
    false,
  ],
  ["an unknown model", 404, error({ type: "not_found_error", message: "model: nope" }), "not_found", false],
  [
    "a bad request",
    400,
    error({ type: "invalid_request_error", message: "messages: required" }),
    "invalid",
    false,
  ],
  ["an unprocessable one", 422, { detail: "bad" }, "invalid", false],
  ["a redirect", 302, "", "invalid", false],
  [
    "llama.cpp's parse failure",
    500,
    error({ code: 500, message: "Failed to parse tool call arguments as JSON" }),
    "invalid",
    false,
  ],
  [
    "Groq's failed call",
    400,
    error({ code: "tool_use_failed", message: "Failed to call a function" }),
    "unknown",
    true,
  ],
  [
    "vLLM's flat form",
    400,
    { object: "error", message: "bad", type: "BadRequestError", code: 400 },
    "invalid",
    false,
  ],
  ["Ollama's plain form", 404, { error: "model 'x' not found" }, "not_found", false],
  ["a list around the error", 503, [error({ status: "UNAVAILABLE", message: "busy" })], "overloaded", true],
  ["nothing that anyone knows", undefined, { odd: true }, "unknown", false],
  ["null", undefined, null, "unknown", false],
];

test.each(table)("%s is classified [P03][P04][P16]", (_name, status, body, code, retryable) => {
  expect(refused(status, body)).toMatchObject({ code, retryable });
});

test("the message tells who, the status and what was said", () => {
  expect(refused(429, error({ message: "slow down" })).message).toBe("acme answered 429: slow down");
  expect(refused(502, "<html><title>Bad Gateway</title></html>").message).toBe(
    "acme answered 502: an HTML page: Bad Gateway",
  );
});

test("an error that a router passes on as text inside of its own is read", () => {
  const raw = JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "inner words" } });
  expect(refused(400, error({ message: "Provider returned error", metadata: { raw } }))).toMatchObject({
    code: "overloaded",
    message: expect.stringContaining("inner words"),
  });
});

test("a quota tells when it resets [P03]", () => {
  const quota = refused(
    429,
    error({ type: "usage_limit_reached", message: "used up", resets_at: now / 1_000 + 3_600 }),
  );
  expect(quota).toMatchObject({
    code: "quota",
    retryAfterMs: 3_600_000,
    hint: expect.stringContaining("2026-01-01T01:00:00.000Z"),
  });
});

test("a delay over five minutes on an exhausted resource is a quota [P03]", () => {
  const delayed = (retryDelay: string) =>
    refused(429, error({ status: "RESOURCE_EXHAUSTED", message: "no", details: [{ retryDelay }] }));
  expect(delayed("34s")).toMatchObject({ code: "rate", retryAfterMs: 34_000 });
  expect(delayed("3000s").code).toBe("quota");
});

test("a service that says not to retry is believed", () => {
  expect(refused(500, error({ message: "x" }), { "x-should-retry": "false" }).retryable).toBe(false);
});

test("secrets are removed and the message is at most 2,000 characters", () => {
  const { message } = refused(
    400,
    error({ message: `topsecret and Bearer abcdefghijk1 ${"x".repeat(9_000)}` }),
  );
  expect(message).toContain("[redacted] and Bearer [redacted]");
  expect(message.length).toBeLessThanOrEqual(2_000);
});

test("a body that is no JSON is read as text", () => {
  expect(parseBody("{broken")).toBe("{broken");
  expect(parseBody('{"a":1}')).toEqual({ a: 1 });
});

test.each([
  ["FastAPI", { detail: [{ loc: ["body", "x"], msg: "field required", type: "missing" }] }, "field required"],
  ["RFC 9457", { title: "Out of credit", status: 400 }, "Out of credit"],
  ["a list of texts", { errors: ["first", "second"] }, "first: second"],
  [
    "OAuth",
    { error: "invalid_grant", error_description: "the token is over" },
    "invalid_grant: the token is over",
  ],
])("the words of %s are found [H03]", (_, body, words) => {
  expect(refused(422, body).message).toBe(`acme answered 422: ${words}`);
});

test("timeouts, conflicts and what came too early pass, and a reset that is now is no news [P03]", () => {
  for (const status of [408, 409, 425])
    expect(refused(status, {})).toMatchObject({ code: "overloaded", retryable: true });
  expect(refused(429, error({ message: "slow" }), { "retry-after": "0" }).hint).toBeUndefined();
  expect(refused(429, error({ message: "slow" }), { "retry-after": "1e300" })).toMatchObject({
    code: "rate",
  });
});
