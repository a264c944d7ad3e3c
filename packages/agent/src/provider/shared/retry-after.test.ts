import { expect, test } from "bun:test";
import { parseDuration, retryAfter } from "./retry-after.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const headers = (values: Record<string, string>) => new Headers(values);

test.each([
  ["12ms", 12],
  ["1s", 1_000],
  ["6m0s", 360_000],
  ["34.07s", 34_070],
  ["1h2m3.5s", 3_723_500],
  ["500us", 1],
])("the duration %s is %d ms [P03]", (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each(["", "1", "s", "1 s", "soon", "-1s"])("%j is no duration", (text) => {
  expect(parseDuration(text)).toBeUndefined();
});

test.each([
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "3600" }, 3_600_000],
  [{ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, 60_000],
  [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  [{ "retry-after": "30s" }, 30_000],
  [{ "retry-after-ms": "150", "retry-after": "9" }, 150],
  [
    {
      "anthropic-ratelimit-tokens-remaining": "0",
      "anthropic-ratelimit-tokens-reset": "2026-01-01T00:00:05Z",
    },
    5_000,
  ],
  [
    {
      "anthropic-ratelimit-unified-5h-status": "rejected",
      "anthropic-ratelimit-unified-5h-reset": String(now / 1_000 + 90),
    },
    90_000,
  ],
  [{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s" }, 360_000],
  [{ "x-ratelimit-reset": String(now + 7_000) }, 7_000],
])("the headers %j ask for %d ms [P03]", (values, expected) => {
  expect(retryAfter({ headers: headers(values as Record<string, string>) }, now)).toBe(expected);
});

test.each([
  [
    { error: { details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" }] } },
    34_070,
  ],
  [{ error: { type: "usage_limit_reached", resets_at: now / 1_000 + 60 } }, 60_000],
  [{ error: { resets_in_seconds: 12 } }, 12_000],
  [{ error: { metadata: { headers: { "X-RateLimit-Reset": String(now + 3_000) } } } }, 3_000],
])("the body %j asks for %d ms [P03]", (body, expected) => {
  expect(retryAfter({ body }, now)).toBe(expected);
});

test.each([
  ["Rate limit reached. Please try again in 1.2s. Visit…", 1_200],
  ["Please retry in 34.07s.", 34_070],
  ["Please try again in 6m0s.", 360_000],
  ["try again in 20 seconds", 20_000],
  ["try again in 2 minutes", 120_000],
  ["Please retry after 250ms", 250],
])("the text %j asks for %d ms [P03]", (text, expected) => {
  expect(retryAfter({ text }, now)).toBe(expected);
});

test("headers win over the body, and the body over the text [P03]", () => {
  const body = { error: { retryDelay: "5s" } };
  const text = "try again in 9s";
  expect(retryAfter({ headers: headers({ "retry-after": "1" }), body, text }, now)).toBe(1_000);
  expect(retryAfter({ body, text }, now)).toBe(5_000);
});

test("a bucket that is not exhausted asks for nothing", () => {
  const values = {
    "x-ratelimit-remaining-tokens": "90",
    "x-ratelimit-reset-tokens": "6m0s",
    "retry-after": "soon",
  };
  expect(retryAfter({ headers: headers(values) }, now)).toBeUndefined();
});

test.each([
  [{ "retry-after": "1e300" }],
  [{ "retry-after": "99999999999999999999d" }],
  [{ "retry-after-ms": "1e300" }],
  [{ "x-ratelimit-reset": "1e300" }],
])("a wait beyond all calendars (%j) is a hundred years, so that its date can be told [P03]", (values) => {
  const wait = retryAfter({ headers: headers(values) }, now)!;
  expect(wait / 86_400_000 / 365).toBe(100);
  expect(() => new Date(now + wait).toISOString()).not.toThrow();
});

test("of two waits in one header the longer one holds [P03]", () => {
  expect(retryAfter({ headers: headers({ "retry-after": "2, 5" }) }, now)).toBe(5_000);
});

test.each([
  [{ resets_in_seconds: -50 }, 0],
  [{ resets_in_seconds: null }, undefined],
  [{ retry_after: "" }, undefined],
  [{ retry_after: true }, undefined],
  [{ resets_in_seconds: 1e300 }, 100 * 365 * 86_400_000],
])("a wait in a body of %j is %p ms [P03]", (body, expected) => {
  expect(retryAfter({ body }, now)).toBe(expected as number);
});
