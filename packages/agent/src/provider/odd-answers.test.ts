/** Answers that are right in content and odd in form, on every wire: what gateways, proxies and half-finished servers send. */
import { expect, test } from "bun:test";
import type { Wire } from "../contract/messages.ts";
import { loadWire } from "./registry/wires.ts";
import { modelOf, requestOf, run } from "./shared/test-support/wire-run.ts";

const sse = (...events: unknown[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const block = (index: number, text: string) => [
  { type: "content_block_start", index, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index, delta: { type: "text_delta", text } },
  { type: "content_block_stop", index },
];
const messageStart = { type: "message_start", message: { usage: { input_tokens: "10" } } };
const messageEnd = [
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: "5" } },
  { type: "message_stop" },
];
const chunk = (content: string, more: object = {}) => ({
  choices: [{ index: 0, delta: { content }, ...more }],
});
const chatUsage = { usage: { prompt_tokens: "10", completion_tokens: "5" } };
const item = { id: "m", type: "message", content: [{ type: "output_text", text: "hello" }] };
const response = {
  object: "response",
  status: "completed",
  output: [item],
  usage: { input_tokens: "10", output_tokens: "5" },
};
const candidate = {
  candidates: [{ content: { parts: [{ text: "hello" }] }, finishReason: "STOP" }],
  usageMetadata: { promptTokenCount: "10", candidatesTokenCount: "5" },
};
const line = (fields: object) => `${JSON.stringify(fields)}\n`;
const ollamaEnd = { done: true, done_reason: "stop", prompt_eval_count: "10", eval_count: "5" };

/** "hello" as a stream, and as the one JSON value of a server that does not stream. */
const HELLO: Record<Wire, { stream: string; whole: unknown }> = {
  anthropic: {
    stream: sse(messageStart, ...block(0, "hello"), ...messageEnd),
    whole: {
      type: "message",
      content: [{ type: "text", text: "hello" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 10, output_tokens: 5 },
    },
  },
  "openai-responses": { stream: sse({ type: "response.completed", response }), whole: response },
  "openai-chat": {
    stream: `${sse(chunk("hello"), { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], ...chatUsage })}data: [DONE]\n\n`,
    whole: { choices: [{ message: { content: "hello" }, finish_reason: "stop" }], ...chatUsage },
  },
  gemini: { stream: sse(candidate), whole: [candidate] },
  ollama: {
    stream: line({ message: { content: "hello" } }) + line(ollamaEnd),
    whole: { message: { content: "hello" }, ...ollamaEnd },
  },
};
const WIRES = Object.keys(HELLO) as Wire[];

async function answer(wire: Wire, body: string | ReadableStream<Uint8Array>, type = "text/event-stream") {
  const adapter = await loadWire(wire);
  const client = adapter.open({
    provider: "test",
    wire,
    baseUrl: "http://127.0.0.1:1",
    headers: {},
    fetch: async () => new Response(body, { headers: { "content-type": type } }),
  });
  return run(client, requestOf(modelOf(wire)));
}

for (const wire of WIRES) {
  const { stream, whole } = HELLO[wire];

  test(`${wire}: a stream is read whatever its content type says [P01]`, async () => {
    for (const type of ["application/json", "text/html", "text/plain; charset=latin1", "nonsense"])
      expect((await answer(wire, stream, type)).shown).toBe("hello");
  });

  test(`${wire}: an answer that came whole instead of streamed is read, whatever its content type says [P01]`, async () => {
    for (const type of ["application/json", "text/event-stream"])
      expect(await answer(wire, JSON.stringify(whole), type)).toMatchObject({
        shown: "hello",
        message: { stop: "end", usage: { input: 10, output: 5, total: 15 } },
      });
  });

  test(`${wire}: counts of tokens that came as texts are counts [Q03]`, async () => {
    expect((await answer(wire, stream)).message?.usage).toMatchObject({ input: 10, output: 5, total: 15 });
  });

  test(`${wire}: an error or a page under the content type of a stream is told at once, not taken for a broken stream [H03]`, async () => {
    const { error } = await answer(
      wire,
      JSON.stringify({ error: { code: "insufficient_quota", message: "no credit" } }),
    );
    expect(error).toMatchObject({ code: "quota", retryable: false });
    const page = await answer(wire, "\n <!DOCTYPE html><title>Sign in</title>");
    expect(page.error).toMatchObject({ code: "invalid", hint: expect.stringContaining("base URL") });
    expect(page.error?.message).toContain("Sign in");
  });

  test(`${wire}: keep-alives that are no JSON carry nothing and break nothing [P05]`, async () => {
    const noise =
      wire === "ollama" ? "\n\nping\n" : "data:\n\ndata: \n\nevent: ping\ndata:\n\ndata: ping\n\n: c\n\n";
    expect(await answer(wire, noise + stream)).toMatchObject({ shown: "hello", message: { stop: "end" } });
  });

  test(`${wire}: an event torn in the middle of a stream fails the answer instead of leaving a hole in it [P13]`, async () => {
    const torn =
      wire === "ollama"
        ? '{"message":{"content":"mis\n'
        : 'data: {"type":"x","choices":[{"delta":{"content":"mis\n\n';
    const { message, error } = await answer(wire, torn + stream);
    expect(message).toBeUndefined();
    expect(error).toMatchObject({
      code: "network",
      retryable: true,
      message: expect.stringContaining("no JSON"),
    });
  });

  test(`${wire}: a line without end does not fill memory [P05]`, async () => {
    let sent = 0;
    const mebibyte = new Uint8Array(1024 * 1024).fill(0x78);
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(sent === 1 ? new TextEncoder().encode("data: ") : mebibyte);
      },
    });
    const { error } = await answer(wire, endless);
    expect(error).toMatchObject({
      code: "invalid",
      retryable: false,
      message: expect.stringContaining("MB"),
    });
    expect(sent).toBeLessThan(80);
  });
}

test("a refusal of endless length is read up to a limit and told [X05]", async () => {
  let sent = 0;
  const endless = () =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(
          new TextEncoder().encode(sent === 1 ? "<title>Bad gateway</title>" : "x".repeat(65_536)),
        );
      },
    });
  const adapter = await loadWire("anthropic");
  const client = adapter.open({
    provider: "test",
    wire: "anthropic",
    baseUrl: "http://127.0.0.1:1",
    headers: {},
    fetch: async () => new Response(endless(), { status: 502 }),
  });
  const { error } = await run(client, requestOf(modelOf("anthropic")));
  expect(error).toMatchObject({
    code: "overloaded",
    message: "test answered 502: an HTML page: Bad gateway",
  });
  expect(sent).toBeLessThan(40);
});

test("a message or a block that a gateway begins twice takes nothing back of what was shown [P14]", async () => {
  const double = sse(
    messageStart,
    ...block(0, "one "),
    messageStart,
    ...block(0, "two"),
    ...block(-1, " three"),
    ...messageEnd,
  );
  const { shown, message } = await answer("anthropic", double);
  expect(shown).toBe("one two three");
  expect(message?.parts).toEqual(["one ", "two", " three"].map((text) => ({ type: "text", text })));
});

test("of several choices only the first one seen is the answer [P14]", async () => {
  const other = { index: 1, delta: { content: "X" } };
  const events = [
    { choices: [{ index: 0, delta: { content: "a" } }, other] },
    { choices: [other] },
    { choices: [other, { index: 0, delta: { content: "b" } }] },
    { choices: [{ index: 1, delta: {}, finish_reason: "length" }] },
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ];
  expect(await answer("openai-chat", sse(...events))).toMatchObject({
    shown: "ab",
    message: { stop: "end" },
  });
});

test("counts that cannot be counts are no counts [Q03]", async () => {
  for (const odd of [-5, 1e300, "five", null, true, [3], Number.NaN]) {
    const start = { type: "message_start", message: { usage: { input_tokens: odd } } };
    const { message } = await answer("anthropic", sse(start, ...block(0, "x"), { type: "message_stop" }));
    expect(message?.usage).toMatchObject({ input: 0, total: 0 });
  }
});
