import { describe, expect, test } from "bun:test";
import { comment, cut, end, fail, hold, modelServer, rawCall, say, streamError } from "@pi-ts/testkit";
import { answerOf, modelOf, requestOf, run, settingsFor } from "../shared/test-support/wire-run.ts";
import { openaiChatWire } from "./client.ts";

const model = modelOf("openai-chat");
const request = requestOf(model);
const signal = new AbortController().signal;

describe("requests", () => {
  test("a request goes to /chat/completions with exactly our headers [A-PROV-02][A-PROV-06]", async () => {
    await using server = await modelServer();
    server.reply(say("hi"));
    const settings = settingsFor(server, "openai-chat", { headers: { "X-Team": "a" } });
    const message = await answerOf(openaiChatWire.open(settings), request);
    const sent = server.request(1);
    expect(sent.path).toBe("/v1/chat/completions");
    expect(sent.headers).toMatchObject({
      authorization: "Bearer test-key",
      "x-team": "a",
      "user-agent": "pi-ts",
    });
    expect(Object.keys(sent.headers).filter((name) => /stainless|openai/.test(name))).toEqual([]);
    expect(sent.body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 8_000,
    });
    expect(message).toMatchObject({ parts: [{ type: "text", text: "hi" }], stop: "end" });
    expect(message.usage.total).toBeGreaterThan(0);
  });

  test("a server without a key gets no authorization [A-PROV-06]", async () => {
    await using server = await modelServer();
    server.reply(say("hi"));
    const { apiKey: _, ...settings } = settingsFor(server, "openai-chat");
    await answerOf(openaiChatWire.open(settings), request);
    expect(server.request(1).headers["authorization"]).toBeUndefined();
  });

  test("variables of vendors' tools in the environment have no effect and nothing is printed [A-PROV-06]", async () => {
    await using server = await modelServer();
    server.reply(say("hi"));
    const variables = {
      OPENAI_API_KEY: "wrong",
      OPENAI_BASE_URL: "http://127.0.0.1:9",
      OPENAI_ORG_ID: "wrong",
      OPENAI_PROJECT_ID: "wrong",
      OPENAI_CUSTOM_HEADERS: "x-custom: wrong",
      OPENAI_LOG: "debug",
    };
    const before = { ...process.env };
    Object.assign(process.env, variables);
    try {
      await answerOf(openaiChatWire.open(settingsFor(server, "openai-chat")), request);
    } finally {
      for (const name of Object.keys(variables))
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
    }
    expect(JSON.stringify(server.request(1).headers)).not.toContain("wrong");
  });

  test("a refused field is left out, once for all, and a refused limit is sent under its other name", async () => {
    await using server = await modelServer();
    const refuse = (message: string) =>
      fail(400, { body: { error: { message, type: "invalid_request_error" } } });
    server.when(/stream_options/).reply(refuse("Unknown parameter: stream_options"));
    server
      .when(/"max_tokens"/)
      .reply(
        refuse("Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."),
      );
    server.otherwise(() => [say("ok")]);
    const client = openaiChatWire.open(settingsFor(server, "openai-chat"));
    for (const _ of [1, 2]) await answerOf(client, request);
    expect(server.requests.length).toBe(4);
    expect(server.request(4).body).toMatchObject({ max_completion_tokens: 8_000 });
    expect(server.request(4).body).not.toHaveProperty("stream_options");
  });

  test("an output limit that is too high for the server is left to the server", async () => {
    await using server = await modelServer();
    const message =
      "'max_tokens' or 'max_completion_tokens' is too large: 8000. The maximum context length is 4096 tokens.";
    server
      .when(/"max_(completion_)?tokens"/)
      .reply(fail(400, { body: { object: "error", message, type: "BadRequestError", code: 400 } }));
    server.reply(say("ok"));
    await answerOf(openaiChatWire.open(settingsFor(server, "openai-chat")), request);
    expect(server.requests.length).toBe(3);
  });

  test("a refusal of something else is not tried again", async () => {
    await using server = await modelServer();
    server.reply(
      fail(400, {
        body: { error: { message: "messages.0: stream_options of life", type: "invalid_request_error" } },
      }),
    );
    const { error } = await run(openaiChatWire.open(settingsFor(server, "openai-chat")), request);
    expect(error).toMatchObject({ code: "invalid", retryable: false });
    expect(server.requests.length).toBe(1);
  });
});

describe("answers", () => {
  test.each([
    ["cut", '{"command": "ls'],
    ["with a trailing comma", '{"command": "ls",}'],
    ["two glued", '{"command":"a"}{"command":"b"}'],
    ["with a raw line break", '{"command": "a\nb"}'],
    ["null", "null"],
    ["a list", "[1]"],
  ])("arguments that are %s become a problem that names the place [P01]", async (_, text) => {
    await using server = await modelServer();
    server.reply(rawCall(" bash ", text));
    const message = await answerOf(openaiChatWire.open(settingsFor(server, "openai-chat")), request);
    expect(message).toMatchObject({
      stop: "tool",
      parts: [{ name: "bash", arguments: {}, problem: { kind: "malformed", raw: text } }],
    });
    expect(JSON.stringify(message.parts)).toMatch(/position \d+/);
  });
});

describe("failures", () => {
  test.each([
    ["ends", end()],
    ["is reset", cut()],
  ])(
    "a stream that %s in the middle is a retryable network error with what had come [P14]",
    async (_, fault) => {
      await using server = await modelServer();
      const shown = Promise.withResolvers<void>();
      // A reset may overtake what was sent before it: the fault waits until the text was read.
      server.reply(say("half"), comment("x"), hold(shown.promise), fault);
      const client = openaiChatWire.open(settingsFor(server, "openai-chat"));
      const { error, partial } = await run(client, request, signal, () => shown.resolve());
      expect(error).toMatchObject({ code: "network", retryable: true });
      expect(partial).toEqual([{ type: "text", text: "half" }]);
    },
  );

  test.each([
    ["an error object", streamError("server_error", "it broke"), "overloaded", true],
    ["a rate limit", streamError("rate_limit_exceeded", "slow down"), "rate", true],
    ["an overflow", streamError("context_length_exceeded", "too long"), "overflow", false],
  ])("%s inside of the stream ends it with its class", async (_, fault, code, retryable) => {
    await using server = await modelServer();
    server.reply(say("half"), fault);
    const { error, partial } = await run(openaiChatWire.open(settingsFor(server, "openai-chat")), request);
    expect(error).toMatchObject({ code, retryable });
    expect(partial).toEqual([{ type: "text", text: "half" }]);
  });

  const flat = {
    object: "error",
    message: "This model's maximum context length is 10 tokens",
    type: "BadRequestError",
  };
  test.each([
    [
      "OpenAI's",
      401,
      { error: { message: "Incorrect key test-key", code: "invalid_api_key" } },
      {},
      "auth",
      undefined,
    ],
    ["vLLM's flat", 400, flat, {}, "overflow", undefined],
    [
      "llama.cpp's",
      400,
      { error: { code: 400, type: "exceed_context_size_error", message: "x" } },
      {},
      "overflow",
      undefined,
    ],
    [
      "llama.cpp's parse",
      500,
      { error: { message: "Failed to parse tool call arguments as JSON" } },
      {},
      "invalid",
      undefined,
    ],
    ["OpenRouter's", 402, { error: { code: 402, message: "Insufficient credits" } }, {}, "quota", undefined],
    [
      "OpenAI's quota",
      429,
      { error: { message: "x", type: "insufficient_quota", code: "insufficient_quota" } },
      {},
      "quota",
      undefined,
    ],
    ["a timed", 429, { error: { message: "x" } }, { "retry-after-ms": "1500" }, "rate", 1_500],
    ["a worded", 429, { error: { message: "Please try again in 1.2s." } }, {}, "rate", 1_200],
    ["a proxy's HTML", 502, "<html><title>Bad Gateway</title></html>", {}, "overloaded", undefined],
  ])("%s refusal is told apart [P03][P16]", async (_, status, body, headers, code, wait) => {
    await using server = await modelServer();
    server.reply(fail(status, { body, headers: headers as Record<string, string> }));
    const { error } = await run(openaiChatWire.open(settingsFor(server, "openai-chat")), request);
    expect(error).toMatchObject({ code, status, retryable: ["rate", "overloaded"].includes(code) });
    expect(error?.retryAfterMs).toBe(wait as never);
    expect(error?.message).not.toContain("test-key");
  });

  test("a web page instead of a stream is no service", async () => {
    await using server = await modelServer();
    const page = async () =>
      new Response("<html><title>Log in</title>", { headers: { "content-type": "text/html" } });
    const client = openaiChatWire.open(settingsFor(server, "openai-chat", { fetch: page }));
    const { error } = await run(client, request);
    expect(error).toMatchObject({ code: "invalid", retryable: false });
    expect(error?.message).toContain("Log in");
  });
});

describe("models", () => {
  test("a list is read in every server's form", async () => {
    await using server = await modelServer();
    const rows = [
      { id: "plain" },
      { id: "vllm", max_model_len: 4_096 },
      {
        id: "router",
        name: "Router",
        context_length: 100,
        top_provider: { max_completion_tokens: 10 },
        architecture: { input_modalities: ["text", "image"] },
        supported_parameters: ["tools"],
      },
      null,
    ];
    for (const body of [{ data: rows }, rows]) {
      const settings = settingsFor(server, "openai-chat", { fetch: async () => Response.json(body) });
      expect(await openaiChatWire.listModels(settings, signal)).toEqual([
        { id: "plain" },
        { id: "vllm", contextWindow: 4_096 },
        { id: "router", name: "Router", contextWindow: 100, maxOutput: 10, images: true, reasoning: false },
      ]);
    }
  });
});
