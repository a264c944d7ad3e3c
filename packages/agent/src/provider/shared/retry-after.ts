/** The wait that a service asks for, in all the forms in which services ask. */

/** A hundred years: still a date, and as good as never. */
const LONGEST_MS = 100 * 365 * 86_400_000;

/** Reads a header by its lower-case name. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** A Go or protobuf duration (`12ms`, `1s`, `6m0s`, `34.07s`, `1h2m3.5s`) in milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|us|µs|ns|[dhms]))+$/.test(text)) return undefined;
  const unit: Record<string, number> = {
    d: 86_400_000,
    h: 3_600_000,
    m: 60_000,
    s: 1_000,
    ms: 1,
    us: 0.001,
    µs: 0.001,
    ns: 1e-6,
  };
  let total = 0;
  for (const [, amount, name] of text.matchAll(/(\d+(?:\.\d+)?)(ms|us|µs|ns|[dhms])/g))
    total += Number(amount) * (unit[name as string] ?? 0);
  return Math.ceil(total);
}

/** A point in time (ISO 8601, HTTP date, epoch seconds or milliseconds) in milliseconds since 1970. */
function parseInstant(value: unknown): number | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  const number = Number(value);
  if (Number.isFinite(number)) return number > 1e11 ? number : number > 1e9 ? number * 1_000 : undefined;
  const time = Date.parse(String(value));
  return Number.isNaN(time) ? undefined : time;
}

function until(instant: number | undefined, now: number): number | undefined {
  return instant === undefined ? undefined : Math.max(0, Math.ceil(instant - now));
}

function fromRetryAfter(headers: HeaderReader, now: number): number | undefined {
  const milliseconds = headers.get("retry-after-ms");
  if (milliseconds && Number.isFinite(Number(milliseconds)))
    return Math.max(0, Math.ceil(Number(milliseconds)));
  const after = headers.get("retry-after")?.trim();
  if (!after) return undefined;
  // Given twice (a proxy adds its own): the longer one.
  const given = after.split(",").map(Number);
  if (given.every(Number.isFinite)) return Math.max(0, ...given.map((seconds) => Math.ceil(seconds * 1_000)));
  return parseDuration(after) ?? until(parseInstant(after), now);
}

function isNumber(value: unknown): boolean {
  if (typeof value === "string" && value.trim() === "") return false;
  return ["number", "string"].includes(typeof value) && Number.isFinite(Number(value));
}

function fromBody(body: unknown, now: number, depth = 0): number | undefined {
  if (typeof body !== "object" || body === null || depth > 5) return undefined;
  const fields = body as Record<string, unknown>;
  for (const [key, value] of Object.entries(fields)) {
    const name = key.toLowerCase();
    if ((name === "retrydelay" || name === "retry_delay") && typeof value === "string")
      return parseDuration(value);
    if ((name === "resets_in_seconds" || name === "retry_after") && isNumber(value))
      return Math.max(0, Math.ceil(Number(value) * 1_000));
    if (name === "resets_at" || name === "x-ratelimit-reset") {
      const wait = until(parseInstant(value), now);
      if (wait !== undefined) return wait;
    }
  }
  for (const value of Object.values(fields)) {
    const wait = fromBody(value, now, depth + 1);
    if (wait !== undefined) return wait;
  }
  return undefined;
}

const ANTHROPIC_BUCKETS = ["requests", "tokens", "input-tokens", "output-tokens"];

/** The longest reset among the exhausted buckets. */
function fromBuckets(headers: HeaderReader, now: number): number | undefined {
  const waits: (number | undefined)[] = [];
  for (const window of ["5h", "7d"])
    if (headers.get(`anthropic-ratelimit-unified-${window}-status`) === "rejected")
      waits.push(until(parseInstant(headers.get(`anthropic-ratelimit-unified-${window}-reset`)), now));
  for (const bucket of ANTHROPIC_BUCKETS)
    if (headers.get(`anthropic-ratelimit-${bucket}-remaining`) === "0")
      waits.push(until(parseInstant(headers.get(`anthropic-ratelimit-${bucket}-reset`)), now));
  for (const suffix of ["", "-requests", "-tokens"]) {
    const reset = headers.get(`x-ratelimit-reset${suffix}`)?.trim();
    const remaining = headers.get(`x-ratelimit-remaining${suffix}`);
    if (reset && (remaining === "0" || (suffix === "" && remaining === null)))
      waits.push(parseDuration(reset) ?? until(parseInstant(reset), now));
  }
  const known = waits.filter((wait) => wait !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function fromText(text: string): number | undefined {
  const found =
    /(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)?\s?(?:ms|milliseconds?|seconds?|minutes?|hours?|[hms])\s?)+)/i.exec(
      text,
    );
  const short = found?.[1]
    ?.replaceAll(/\s/g, "")
    .replaceAll(/milliseconds?/gi, "ms")
    .replaceAll(/(s|m|h)(?:econds?|inutes?|ours?)/gi, "$1")
    .toLowerCase();
  return short === undefined ? undefined : parseDuration(short);
}

/**
 * Milliseconds that the service asks to wait, the first of: `retry-after-ms`, `retry-after` (seconds, a duration or an
 * HTTP date), a delay or reset time in the body, the reset of an exhausted rate-limit bucket, "try again in 1.2s" in the
 * message. At most {@link LONGEST_MS}; undefined when it asks for nothing. `now` is in milliseconds since 1970.
 */
export function retryAfter(
  from: { headers?: HeaderReader; body?: unknown; text?: string },
  now: number,
): number | undefined {
  const wait =
    (from.headers && fromRetryAfter(from.headers, now)) ??
    fromBody(from.body, now) ??
    (from.headers && fromBuckets(from.headers, now)) ??
    fromText(from.text ?? "");
  return wait === undefined || Number.isNaN(wait) ? undefined : Math.min(wait, LONGEST_MS);
}
