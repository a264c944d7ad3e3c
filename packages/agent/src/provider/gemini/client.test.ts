import { describe, expect, test } from "bun:test";
import { bytes, cut, end, fail, hold, modelServer, say, streamError } from "@pi-ts/testkit";
import { answerOf, modelOf, requestOf, run, settingsFor } from "../shared/test-support/wire-run.ts";
import { geminiWire } from "./client.ts";

const model = modelOf("gemini", { id: "gemini-3-pro" });
const request = requestOf(model);
const signal = new AbortController().signal;
const event = (fields: object) => bytes(`data: ${JSON.stringify(fields)}\r\n\r\n`);

describe("requests", () => {
  test("a request goes to v1beta with our key and nothing from the environment [A-PROV-03][A-PROV-06]", async () => {
    await using server = await modelServer();
    server.reply(say("hi"));
    const settings = settingsFor(server, "gemini", { headers: { "x-team": "a" } });
    const message = await answerOf(geminiWire.open(settings), requestOf(model, { thinking: "high" }));
    const sent = server.request(1);
    expect(sent.path).toBe("/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse");
    expect(sent.headers).toMatchObject({
      "x-goog-api-key": "test-key",
      "x-team": "a",
      "user-agent": "pi-ts",
    });
    expect(sent.headers["x-goog-api-client"]).toBeUndefined();
    expect(sent.system).toBe("Be brief.");
    expect(sent.tools[0]).toMatchObject({ name: "bash", schema: { required: ["command"] } });
    expect(sent.field("generationConfig")).toEqual({
      maxOutputTokens: 8_000,
      thinkingConfig: { includeThoughts: true, thinkingLevel: "HIGH" },
    });
    expect(message).toMatchObject({ parts: [{ type: "text", text: "hi" }], stop: "end" });
  });

  test.each([
    ["gemini-2.5-flash", "off", { includeThoughts: false, thinkingBudget: 0 }],
    ["gemini-2.5-pro", "off", { includeThoughts: false, thinkingBudget: 128 }],
    ["gemini-2.5-flash", "low", { includeThoughts: true, thinkingBudget: 2_048 }],
    ["gemini-3.5-flash", "off", { includeThoughts: false, thinkingLevel: "MINIMAL" }],
    ["gemini-3.5-flash", "xhigh", { includeThoughts: true, thinkingLevel: "HIGH" }],
    ["gemini-pro-latest", "low", { includeThoughts: true, thinkingLevel: "LOW" }],
  ] as const)("%s at level %s thinks by %p", async (id, thinking, config) => {
    await using server = await modelServer();
    server.reply(say("ok"));
    await run(
      geminiWire.open(settingsFor(server, "gemini")),
      requestOf(modelOf("gemini", { id }), { thinking }),
    );
    expect(server.request(1).field("generationConfig", "thinkingConfig") as unknown).toEqual(config);
  });

  test("a level that a model does not offer becomes the nearest one that it does", async () => {
    await using server = await modelServer();
    server.otherwise(() => [say("ok")]);
    const levels = {
      off: null,
      minimal: null,
      low: "low",
      medium: null,
      high: "high",
      xhigh: "xhigh",
      max: null,
    };
    const client = geminiWire.open(settingsFor(server, "gemini"));
    for (const thinking of ["off", "medium", "max"] as const)
      await run(client, requestOf(modelOf("gemini", { id: "gemini-4-neon", levels }), { thinking }));
    const words = server.requests.map((sent) =>
      sent.field("generationConfig", "thinkingConfig", "thinkingLevel"),
    );
    expect(words).toEqual(["LOW", "LOW", "XHIGH"]);
  });

  test("a refused thinking setting is left out, once for all", async () => {
    await using server = await modelServer();
    const message = "Thinking level is not supported for this model.";
    server
      .when(/thinkingConfig/)
      .reply(fail(400, { body: { error: { code: 400, status: "INVALID_ARGUMENT", message } } }));
    server.otherwise(() => [say("ok")]);
    const client = geminiWire.open(settingsFor(server, "gemini"));
    for (const _ of [1, 2]) await answerOf(client, request);
    expect(server.requests.length).toBe(3);
  });

  test("a constant in a schema is sent as a list of one value", async () => {
    await using server = await modelServer();
    server.reply(say("ok"));
    const parameters = {
      $schema: "x",
      type: "object",
      properties: { const: { const: "a" }, k: { type: "string" } },
    };
    await run(
      geminiWire.open(settingsFor(server, "gemini")),
      requestOf(model, { tools: [{ name: "t", description: "", parameters }] }),
    );
    expect(server.request(1).tools[0]?.schema).toEqual({
      type: "object",
      properties: { const: { enum: ["a"] }, k: { type: "string" } },
    });
  });

  test("a key or an address in the environment has no effect [A-PROV-06]", async () => {
    await using server = await modelServer();
    server.reply(say("hi"));
    const before = { ...process.env };
    Object.assign(process.env, {
      GOOGLE_API_KEY: "wrong",
      GEMINI_API_KEY: "wrong",
      GOOGLE_GENAI_USE_VERTEXAI: "true",
    });
    try {
      await answerOf(geminiWire.open(settingsFor(server, "gemini")), request);
    } finally {
      for (const name of ["GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI"])
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
    }
    expect(server.request(1).headers["x-goog-api-key"]).toBe("test-key");
  });
});

describe("failures", () => {
  test("a blocked prompt is filtered and says why", async () => {
    await using server = await modelServer();
    server.reply(event({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }), end());
    const { error } = await run(geminiWire.open(settingsFor(server, "gemini")), request);
    expect(error).toMatchObject({ code: "filtered", retryable: false });
    expect(error?.message).toContain("PROHIBITED_CONTENT");
  });

  test.each([
    ["ends", end()],
    ["is reset", cut()],
  ])(
    "a stream that %s without a finish reason is a retryable network error with what had come [P14]",
    async (_, fault) => {
      await using server = await modelServer();
      const shown = Promise.withResolvers<void>();
      // A reset may overtake what was sent before it: the fault waits until the text was read.
      server.reply(say("half"), hold(shown.promise), fault);
      const client = geminiWire.open(settingsFor(server, "gemini"));
      const { error, partial } = await run(client, request, signal, () => shown.resolve());
      expect(error).toMatchObject({ code: "network", retryable: true });
      expect(partial).toEqual([{ type: "text", text: "half" }]);
    },
  );

  test("an error inside of the stream ends it with its class", async () => {
    await using server = await modelServer();
    server.reply(say("half"), streamError("UNAVAILABLE", "The model is overloaded."));
    const { error } = await run(geminiWire.open(settingsFor(server, "gemini")), request);
    expect(error).toMatchObject({ code: "overloaded", retryable: true, status: 503 });
  });

  const detail = (name: string, fields: object) => ({
    "@type": `type.googleapis.com/google.rpc.${name}`,
    ...fields,
  });
  const quota = (id: string) => detail("QuotaFailure", { violations: [{ quotaId: id }] });
  test.each([
    [
      400,
      "INVALID_ARGUMENT",
      "API key not valid.",
      [detail("ErrorInfo", { reason: "API_KEY_INVALID" })],
      "auth",
      undefined,
    ],
    [
      400,
      "INVALID_ARGUMENT",
      "The input token count (9) exceeds the maximum number of tokens allowed (5).",
      [],
      "overflow",
      undefined,
    ],
    [
      429,
      "RESOURCE_EXHAUSTED",
      "Quota exceeded.",
      [quota("RequestsPerMinute"), detail("RetryInfo", { retryDelay: "34.07s" })],
      "rate",
      34_070,
    ],
    [
      429,
      "RESOURCE_EXHAUSTED",
      "Quota exceeded.",
      [quota("GenerateRequestsPerDayPerProject")],
      "quota",
      undefined,
    ],
    [503, "UNAVAILABLE", "Overloaded.", [], "overloaded", undefined],
    [404, "NOT_FOUND", "models/x is not found", [], "not_found", undefined],
  ] as const)(
    "status %p %s (%s) is told apart by its details [P03][P16]",
    async (status, word, message, details, code, wait) => {
      await using server = await modelServer();
      server.reply(fail(status, { body: { error: { code: status, status: word, message, details } } }));
      const { error } = await run(geminiWire.open(settingsFor(server, "gemini")), request);
      expect(error).toMatchObject({ code, status });
      expect(error?.retryAfterMs).toBe(wait as number | undefined as never);
      expect(error?.message).toContain(message);
    },
  );

  test("the wait of a header is read [P03]", async () => {
    await using server = await modelServer();
    server.reply(fail(429, { headers: { "retry-after": "7" } }));
    const { error } = await run(geminiWire.open(settingsFor(server, "gemini")), request);
    expect(error).toMatchObject({ code: "rate", retryable: true, retryAfterMs: 7_000 });
  });
});

test("models are listed with their limits", async () => {
  await using server = await modelServer();
  const models = await geminiWire.listModels(settingsFor(server, "gemini"), new AbortController().signal);
  expect(models[0]).toEqual({
    id: "test-model",
    name: "Test Model",
    contextWindow: 200_000,
    maxOutput: 32_000,
    reasoning: true,
  });
});
