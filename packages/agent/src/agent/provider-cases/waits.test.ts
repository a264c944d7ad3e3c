/** Rate limits, quotas and overload: what each service asks for, and what is waited. */
import { expect, test } from "bun:test";
import { fail, modelServer, say, streamError, type Wire } from "@pi-ts/testkit";
import type { JsonObject } from "../../contract/json.ts";
import { found, of, tool } from "../test-support/bench.ts";
import { runPatiently, shownText, stopReason, WIRES, wired } from "../test-support/wired.ts";

interface Refusal {
  headers?: Record<string, string>;
  body?: JsonObject;
  wires?: Wire[];
}

const OPENAI: Wire[] = ["openai-responses", "openai-chat"];
const retryInfo = (delay: string): JsonObject => ({
  error: {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: "Quota exceeded for requests per minute",
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        violations: [{ quotaId: "GenerateRequestsPerMinute" }],
      },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: delay },
    ],
  },
});

/** Each asks for 5 s. */
const FIVE_SECONDS: Record<string, Refusal> = {
  "retry-after in seconds": { headers: { "retry-after": "5" } },
  "retry-after-ms": { headers: { "retry-after-ms": "5000", "retry-after": "1" } },
  RetryInfo: { body: retryInfo("5s"), wires: ["gemini"] },
  "an exhausted bucket": {
    headers: { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "5s" },
    wires: OPENAI,
  },
  "words in the message": {
    body: { error: { message: "Rate limit reached. Please try again in 5s.", code: "rate_limit_exceeded" } },
    wires: OPENAI,
  },
};

/** Each asks for an hour. */
const AN_HOUR: Record<string, Refusal> = {
  "retry-after in seconds": { headers: { "retry-after": "3600" } },
  RetryInfo: { body: retryInfo("3600s"), wires: ["gemini"] },
};

function pairs(table: Record<string, Refusal>): [string, Wire][] {
  return Object.entries(table).flatMap(([form, { wires = WIRES }]) =>
    wires.map((wire): [string, Wire] => [form, wire]),
  );
}

function refusal({ headers = {}, body }: Refusal) {
  return fail(429, body === undefined ? { headers } : { headers, body });
}

test.each(pairs(FIVE_SECONDS))(
  "a wait asked for as %s is a lower bound with jitter on %s [P03]",
  async (form, wire) => {
    await using server = await modelServer();
    server.reply(refusal(FIVE_SECONDS[form]!));
    server.reply(say("at last"));
    const b = wired(server, wire);
    const before = b.clock.now();
    const events = await runPatiently(b);
    expect(shownText(events)).toBe("at last");
    const [retry] = of(events, "retry");
    expect(retry?.delay_ms).toBeGreaterThan(5_000);
    expect(retry?.delay_ms).toBeLessThanOrEqual(6_000);
    expect(b.clock.now() - before).toBe(retry?.delay_ms ?? 0);
  },
);

test.each(pairs(AN_HOUR))(
  "an hour asked for as %s is not waited for: %s fails at once and says when it resets [P03]",
  async (form, wire) => {
    await using server = await modelServer();
    server.reply(refusal(AN_HOUR[form]!));
    const b = wired(server, wire);
    const events = await b.run();
    expect(server.requests).toHaveLength(1);
    expect(of(events, "retry")).toEqual([]);
    const [error] = of(events, "error");
    expect(error?.hint).toMatch(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d/);
    // Where the loop decides, its clock says when: 2026-01-01 and an hour. A long wait at Gemini is a quota.
    if (wire !== "gemini")
      expect(error?.message).toContain("asks to wait 60 min, until 2026-01-01T01:00:00Z");
    expect(stopReason(events)).toBe("error");
  },
);

test.each(WIRES)("an HTTP date far ahead is read as a wait on %s [P03]", async (wire) => {
  await using server = await modelServer();
  server.reply(fail(429, { headers: { "retry-after": new Date(Date.now() + 7_200_000).toUTCString() } }));
  const events = await wired(server, wire).run();
  expect(server.requests).toHaveLength(1);
  const [error] = of(events, "error");
  if (wire === "gemini")
    expect(error).toMatchObject({ code: "quota", hint: expect.stringContaining("resets at") });
  else expect(error?.message).toMatch(/asks to wait (?:1 h 5\d min|2 h 0 min|1\d\d min)/);
});

const QUOTAS: Record<string, { wire: Wire; status: number; body: JsonObject }> = {
  "Anthropic's credit": {
    wire: "anthropic",
    status: 400,
    body: {
      type: "error",
      error: {
        type: "invalid_request_error",
        message: "Your credit balance is too low to access the Anthropic API.",
      },
    },
  },
  "OpenAI's quota (Responses)": {
    wire: "openai-responses",
    status: 429,
    body: {
      error: {
        message: "You exceeded your current quota",
        type: "insufficient_quota",
        code: "insufficient_quota",
      },
    },
  },
  "OpenAI's quota (Chat)": {
    wire: "openai-chat",
    status: 429,
    body: {
      error: {
        message: "You exceeded your current quota",
        type: "insufficient_quota",
        code: "insufficient_quota",
      },
    },
  },
  "Gemini's daily quota": {
    wire: "gemini",
    status: 429,
    body: {
      error: {
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "You exceeded your current quota",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.QuotaFailure",
            violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }],
          },
          { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "12s" },
        ],
      },
    },
  },
  "Ollama's weekly limit": {
    wire: "ollama",
    status: 402,
    body: { error: "you have reached your weekly usage limit" },
  },
};

test.each(Object.keys(QUOTAS))("%s, once used up, is never asked for again [P03]", async (name) => {
  const { wire, status, body } = QUOTAS[name]!;
  await using server = await modelServer();
  server.reply(fail(status, { body }));
  const events = await wired(server, wire).run();
  expect(server.requests).toHaveLength(1);
  expect(of(events, "error")[0]).toMatchObject({ code: "quota", retryable: false });
});

test.each(WIRES)("an interrupt ends the wait for %s at once [P03]", async (wire) => {
  await using server = await modelServer();
  server.reply(fail(429, { headers: { "retry-after": "20" } }));
  const b = wired(server, wire);
  const events = await b.run("go", (event) => {
    if (event.type === "retry") void b.clock.sleeping(event.delay_ms).then(() => b.stop.abort());
  });
  expect(stopReason(events)).toBe("aborted");
  expect(server.requests).toHaveLength(1);
});

const OVERLOADED: Record<Wire, number> = {
  anthropic: 529,
  "openai-responses": 503,
  "openai-chat": 503,
  gemini: 503,
  ollama: 503,
};

test.each(WIRES)(
  "five agents in an overload of %s make at most four requests each, none in step, and end clearly [P04]",
  async (wire) => {
    await using server = await modelServer();
    server.otherwise(() => [fail(OVERLOADED[wire])]);
    const delays: number[] = [];
    for (let agent = 0; agent < 5; agent++) {
      const events = await runPatiently(wired(server, wire, { random: () => agent / 5 }));
      delays.push(...of(events, "retry").map((retry) => retry.delay_ms));
      expect(of(events, "error")[0]).toMatchObject({ code: "overloaded", retryable: true });
      expect(stopReason(events)).toBe("error");
    }
    expect(server.requests).toHaveLength(20);
    expect(new Set(delays).size).toBe(15);
  },
);

const IN_STREAM: Record<Wire, [type: string, message: string]> = {
  anthropic: ["overloaded_error", "Overloaded"],
  "openai-responses": ["server_is_overloaded", "Our servers are overloaded"],
  "openai-chat": ["server_error", "The server is overloaded"],
  gemini: ["UNAVAILABLE", "The model is overloaded."],
  ollama: ["", "an error was encountered while running the model: unexpected EOF"],
};

test.each(WIRES)(
  "an overload that %s tells inside of a good stream is tried again while nothing was shown [P04][P14]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(streamError(...IN_STREAM[wire]));
    server.reply(say("at last"));
    const events = await runPatiently(wired(server, wire));
    expect(shownText(events)).toBe("at last");
    expect(of(events, "retry")).toHaveLength(1);
  },
);

test.each(WIRES)(
  "the same after shown text keeps the text, asks nothing again and says how to go on on %s [P14]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(say("half"), streamError(...IN_STREAM[wire]));
    const b = wired(server, wire, { tools: [tool("step", { run: () => Promise.resolve(found("x")) })] });
    const events = await runPatiently(b);
    expect(server.requests).toHaveLength(1);
    expect(of(events, "error")[0]).toMatchObject({
      retryable: true,
      hint: expect.stringContaining("continue"),
    });
    expect(b.conversation.list.at(-1)).toMatchObject({ partial: true, parts: [{ text: "half" }] });
  },
);
