/** A request that does not fit, in the words of every service, and in silence. */
import { expect, test } from "bun:test";
import {
  type Block,
  bytes,
  call,
  fail,
  modelServer,
  say,
  stop,
  streamError,
  think,
  usage,
  type Wire,
} from "@pi-ts/testkit";
import { found, of, tool } from "../test-support/bench.ts";
import { reloaded, runPatiently, shownText, stopReason, WIRES, wired } from "../test-support/wired.ts";

const openai = (message: string, code: string | null = null) =>
  fail(400, { body: { error: { message, type: "invalid_request_error", param: "messages", code } } });

const FORMS: Record<string, [Wire, Block[]]> = {
  "Anthropic's 400": [
    "anthropic",
    [
      fail(400, {
        body: {
          type: "error",
          error: {
            type: "invalid_request_error",
            message: "prompt is too long: 213456 tokens > 200000 maximum",
          },
        },
      }),
    ],
  ],
  "Anthropic's 413": ["anthropic", [fail(413)]],
  "Anthropic's limit of input and output": [
    "anthropic",
    [
      fail(400, {
        body: {
          type: "error",
          error: {
            type: "invalid_request_error",
            message:
              "input length and `max_tokens` exceed context limit: 199000 + 8000 > 200000, decrease input length or `max_tokens` and try again",
          },
        },
      }),
    ],
  ],
  "a gateway's 413 page": [
    "anthropic",
    [fail(413, { body: "<html><body>413 Request Entity Too Large</body></html>" })],
  ],
  "Responses' 400": [
    "openai-responses",
    [
      fail(400, {
        body: {
          error: {
            message:
              "Your input exceeds the context window of this model. Please adjust your input and try again.",
            type: "invalid_request_error",
            code: "context_length_exceeded",
          },
        },
      }),
    ],
  ],
  "Responses' failure in the stream": [
    "openai-responses",
    [streamError("context_length_exceeded", "Your input exceeds the context window of this model.")],
  ],
  "OpenAI's 400": [
    "openai-chat",
    [
      openai(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.",
        "context_length_exceeded",
      ),
    ],
  ],
  "vLLM's 400": [
    "openai-chat",
    [
      fail(400, {
        body: {
          object: "error",
          message: "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens",
          type: "BadRequestError",
          code: 400,
        },
      }),
    ],
  ],
  "llama.cpp's 400": [
    "openai-chat",
    [
      fail(400, {
        body: {
          error: {
            code: 400,
            message: "the request exceeds the available context size, try increasing it",
            type: "exceed_context_size_error",
          },
        },
      }),
    ],
  ],
  "OpenRouter's 400": [
    "openai-chat",
    [
      openai(
        "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000 tokens",
      ),
    ],
  ],
  "Groq's 413": [
    "openai-chat",
    [
      fail(413, {
        body: {
          error: { message: "Request too large for model", type: "tokens", code: "rate_limit_exceeded" },
        },
      }),
    ],
  ],
  "a chat answer of nothing at the limit": ["openai-chat", [stop("length"), usage({ output: 0 })]],
  "Gemini's 400": [
    "gemini",
    [
      fail(400, {
        body: {
          error: {
            code: 400,
            status: "INVALID_ARGUMENT",
            message:
              "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
          },
        },
      }),
    ],
  ],
  "Ollama's 400": [
    "ollama",
    [fail(400, { body: { error: "the prompt is too long: input length exceeds the context length" } })],
  ],
  "Ollama's answer of nothing at the limit": ["ollama", [stop("length"), usage({ output: 0 })]],
};

const LONG = `${"long result ".repeat(4_000)}THE-END`;
const dump = tool("dump", { run: () => Promise.resolve(found(LONG)) });

test.each(Object.keys(FORMS))(
  "%s is met by shortening the biggest result and asking once more [P16]",
  async (form) => {
    const [wire, blocks] = FORMS[form]!;
    await using server = await modelServer();
    server.reply(call("dump"));
    server.reply(...blocks);
    server.reply(say("fits now"));
    const b = wired(server, wire, { tools: [dump] });
    const events = await runPatiently(b);
    expect(shownText(events)).toBe("fits now");
    expect(server.requests).toHaveLength(3);
    expect(of(events, "compaction").map((event) => event.phase)).toEqual(["start", "end"]);
    expect(server.request(3).bytes.length).toBeLessThan(server.request(2).bytes.length / 4);
    expect(server.request(3).results[0]?.text).toContain("THE-END");
  },
);

test.each(Object.keys(FORMS))(
  "%s that comes again and again stops clearly, and a short prompt works then [P16]",
  async (form) => {
    const [wire, blocks] = FORMS[form]!;
    await using server = await modelServer();
    server
      .when((request) => !request.text.includes("short prompt") && request.results.length > 0)
      .reply(...blocks);
    server.reply(call("dump"));
    const b = wired(server, wire, { tools: [dump] });
    const events = await runPatiently(b);
    expect(stopReason(events)).toBe("error");
    expect(of(events, "error")[0]).toMatchObject({ code: "overflow" });
    expect(of(events, "error")[0]?.hint).toBeTruthy();
    expect(server.requests.length).toBeLessThanOrEqual(3);
    server.when(/short prompt/).reply(say("fine"));
    const later = wired(server, wire, { tools: [dump], conversation: reloaded(b.conversation) });
    expect(shownText(await later.run("short prompt"))).toBe("fine");
  },
);

test.each(WIRES)(
  "one prompt that alone is too long stops at once on %s, and gives way to the next one [P16]",
  async (wire) => {
    const [, refusal] = Object.values(FORMS).find(([of]) => of === wire)!;
    await using server = await modelServer();
    server.when((request) => request.bytes.length > 20_000).reply(...refusal);
    const b = wired(server, wire, { tools: [dump] });
    const events = await runPatiently(b, LONG);
    expect(of(events, "error")[0]).toMatchObject({ code: "overflow" });
    expect(server.requests).toHaveLength(1);
    server.reply(say("fine"));
    expect(shownText(await runPatiently(b, "short"))).toBe("fine");
    expect(server.requests.length).toBeLessThanOrEqual(3);
  },
);

test("Anthropic's window that fills up in the middle of an answer is an answer cut, not a loop [P16]", async () => {
  await using server = await modelServer();
  server.reply(say("so far"), stop("model_context_window_exceeded"));
  const b = wired(server, "anthropic");
  expect(stopReason(await b.run())).toBe("length");
  expect(server.requests).toHaveLength(1);
});

test("Ollama is asked for a context that fits, and its silent cut is told, once [P11]", async () => {
  await using server = await modelServer();
  server.reply(call("dump"), usage({ input: 4_096 }));
  server.reply(say("hm"), usage({ input: 4_096 }));
  const b = wired(server, "ollama", { tools: [dump], system: "rules ".repeat(20_000) });
  const events = await b.run();
  const context = Number(server.request(1).field("options", "num_ctx"));
  expect(context).toBeGreaterThan(120_000 / 4);
  expect(Number(server.request(2).field("options", "num_ctx"))).toBeGreaterThanOrEqual(context);
  const warnings = of(events, "notice").filter((notice) => notice.message.includes("4096"));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]?.level).toBe("warning");
});

test("Ollama's honest count is no cause for a warning [P11]", async () => {
  await using server = await modelServer();
  server.reply(say("fine"));
  const events = await wired(server, "ollama", { system: "rules ".repeat(2_000) }).run();
  expect(of(events, "notice")).toEqual([]);
});

test("a body that is no event stream but an overflow is one too [P16]", async () => {
  await using server = await modelServer();
  server.reply(
    bytes('data: {"error":{"message":"prompt is too long","code":"context_length_exceeded"}}\n\n'),
  );
  const events = await wired(server, "openai-chat").run();
  expect(of(events, "error")[0]).toMatchObject({ code: "overflow" });
});

const LOOPS = WIRES.map((wire): [Wire, string | undefined] => [wire, undefined]).concat([
  ["anthropic", "claude-sonnet-4-6"],
  ["gemini", "gemini-2.5-pro"],
]);

test.each(LOOPS)(
  "an overflow in the middle of a loop with thinking shortens what came before it, and %s (%s) takes the rest [P16][P07]",
  async (wire, modelId) => {
    const [, refusal] = Object.values(FORMS).find(([of]) => of === wire)!;
    await using server = await modelServer();
    server.reply(think("first"), say("I dump. "), call("dump"));
    server.reply(think("second"), call("step", { x: 1 }));
    server.reply(think("third"), call("step", { x: 2 }));
    server.reply(...refusal);
    server.reply(think("fourth"), call("step", { x: 3 }));
    server.reply(say("done"));
    server.reply(say("more"));
    const tools = [dump, tool("step")];
    const b = wired(server, wire, { tools, ...(modelId && { modelId }) });
    const events = await runPatiently(b);
    expect(shownText(events)).toBe("I dump. done");
    expect(of(events, "compaction").map((event) => event.phase)).toEqual(["start", "end"]);
    expect(shownText(await b.run("more"))).toBe("more");
  },
);
