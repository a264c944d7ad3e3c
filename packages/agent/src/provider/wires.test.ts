/** What holds for the client of every wire. */
import { expect, test } from "bun:test";
import {
  call,
  cut,
  end,
  hang,
  hold,
  modelServer,
  rawCall,
  say,
  splitBytes,
  stop,
  think,
  type Wire,
} from "@pi-ts/testkit";
import { loadWire } from "./registry/wires.ts";
import {
  answerOf,
  modelOf,
  requestOf,
  results,
  run,
  settingsFor,
  user,
} from "./shared/test-support/wire-run.ts";

const MODELS: Record<Wire, string> = {
  anthropic: "claude-sonnet-4-6",
  "openai-responses": "gpt-5.5",
  "openai-chat": "test-model",
  gemini: "gemini-3-pro",
  ollama: "test-model",
};
const WIRES = Object.keys(MODELS) as Wire[];

async function open(wire: Wire) {
  const server = await modelServer();
  const client = (await loadWire(wire)).open(settingsFor(server, wire));
  const model = modelOf(wire, { id: MODELS[wire] });
  return {
    server,
    client,
    model,
    request: requestOf(model),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test.each(WIRES)(
  "text, thinking and arguments of %s are whole when each byte comes alone [P13]",
  async (wire) => {
    await using wired = await open(wire);
    const text = "日本語 🎉 é \u2028 x";
    wired.server.reply(splitBytes(1), think(text), say([text, text]), call("bash", { command: text }));
    const { message, shown } = await run(wired.client, wired.request);
    expect(shown).toBe(text + text);
    expect(message?.parts).toMatchObject([
      { type: "thinking", text },
      { type: "text", text: text + text },
      { type: "tool_call", name: "bash", arguments: { command: text } },
    ]);
    expect(message).toMatchObject({ stop: "tool", source: { provider: "test", wire, model: MODELS[wire] } });
  },
);

test.each(WIRES)("halves of a surrogate pair get neither out of %s nor to it [F19][P13]", async (wire) => {
  await using wired = await open(wire);
  wired.server.reply(say(["a\ud83c", "\udf89b", "\ud83c"]), rawCall("bash", '{"command":"\\ud83c"}'));
  const odd = requestOf(wired.model, { system: "x\ud83d", messages: [user("y\udc00")] });
  const { message, shown, events } = await run(wired.client, odd);
  expect(shown).toBe("a🎉b\ufffd");
  expect(message?.parts).toMatchObject([{ text: "a🎉b\ufffd" }, { arguments: { command: "\ufffd" } }]);
  for (const event of events) if (event.type === "text_delta") expect(event.delta.isWellFormed()).toBe(true);
});

test.each(WIRES)(
  "the last call of an answer of %s that hit the output limit is cut even if it parses [P06]",
  async (wire) => {
    await using wired = await open(wire);
    wired.server.reply(call("bash", { command: "whole" }), call("bash", { command: "cut" }), stop("length"));
    const { message } = await run(wired.client, wired.request);
    expect(message?.stop).toBe("length");
    expect(message?.parts).toMatchObject([
      { arguments: { command: "whole" } },
      { arguments: {}, problem: { kind: "cut", raw: '{"command":"cut"}' } },
    ]);
    expect(message?.parts[0]).not.toHaveProperty("problem");
  },
);

test.each(WIRES)(
  "a stream of %s that ends without its last event is a retryable failure with what had arrived [P14]",
  async (wire) => {
    await using wired = await open(wire);
    wired.server.reply(say("half an ans"), end());
    const { error, partial } = await run(wired.client, wired.request);
    expect(error).toMatchObject({
      code: "network",
      retryable: true,
      message: expect.stringContaining("ended early"),
    });
    expect(partial).toMatchObject([{ type: "text", text: "half an ans" }]);
  },
);

test.each(WIRES)(
  "a reset connection to %s is a retryable failure with what had arrived [P14]",
  async (wire) => {
    await using wired = await open(wire);
    // What lies unread when a connection is reset is lost, so the cut waits for the text.
    const shown = Promise.withResolvers<void>();
    wired.server.reply(say("half"), hold(shown.promise), call("bash", { command: "rm x" }), cut());
    const { error, partial } = await run(wired.client, wired.request, undefined, (event) => {
      if (event.type === "text_delta") shown.resolve();
    });
    expect(error).toMatchObject({ code: "network", retryable: true });
    expect(partial[0]).toMatchObject({ type: "text", text: "half" });
  },
);

test.each(WIRES)("an abort ends a stream of %s at once and closes the connection [P05]", async (wire) => {
  await using wired = await open(wire);
  wired.server.reply(say("half"), hang());
  const abort = new AbortController();
  const { error, events } = await run(wired.client, wired.request, abort.signal, (event) => {
    if (event.type === "text_delta") abort.abort();
  });
  expect(error).toMatchObject({ retryable: false, message: expect.stringContaining("aborted") });
  expect(events.at(-1)?.type).toBe("error");
  await wired.server.waitForAborted(1);
});

test.each(WIRES)("a reader who leaves a stream of %s early closes the connection", async (wire) => {
  await using wired = await open(wire);
  wired.server.reply(say("half"), hang());
  for await (const event of wired.client.stream(wired.request, new AbortController().signal))
    if (event.type === "text_delta") break;
  await wired.server.waitForAborted(1);
});

test.each(WIRES)("a signal that was aborted before makes no request to %s", async (wire) => {
  await using wired = await open(wire);
  const { error } = await run(wired.client, wired.request, AbortSignal.abort());
  expect(error).toMatchObject({ retryable: false });
  expect(wired.server.requests).toHaveLength(0);
});

test.each(WIRES)(
  "a long argument of %s is parsed a fixed number of times, however many deltas it comes in",
  async (wire) => {
    await using wired = await open(wire);
    const content = "x".repeat(200_000);
    wired.server.reply(call("write", { content }));
    const parse = JSON.parse;
    let long = 0;
    JSON.parse = (text: string, ...rest: []) => {
      if (text.length > 50_000) long += 1;
      return parse(text, ...rest);
    };
    try {
      expect((await run(wired.client, wired.request)).message?.parts).toMatchObject([
        { arguments: { content } },
      ]);
    } finally {
      JSON.parse = parse;
    }
    // OpenAI repeats the whole text in three events (arguments.done, item.done, completed); the test server parses it too.
    expect(long).toBeLessThanOrEqual(5);
  },
);

test.each(WIRES)(
  "a conversation of several turns with thinking and calls stays valid for %s [P07][P17][C01]",
  async (wire) => {
    await using wired = await open(wire);
    const messages = [user("do it")];
    const ask = () =>
      answerOf(wired.client, requestOf(wired.model, { messages: [...messages], thinking: "high" }));
    const expected: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      wired.server.reply(
        think(`thought ${turn}`),
        say(`step ${turn}`),
        call("bash", { command: `a${turn}` }),
        call("bash", { command: `b${turn}` }),
      );
      const answer = await ask();
      messages.push(answer, results(answer, `out a${turn}`, `out b${turn}`));
      expected.push(`out a${turn}`, `out b${turn}`);
    }
    wired.server.reply(say("done"));
    await ask();
    expect(wired.server.request(4).results.map((result) => result.text)).toEqual(expected);
  },
);

test.each(WIRES)("models of %s are listed", async (wire) => {
  await using wired = await open(wire);
  const { listModels } = await loadWire(wire);
  const listed = await listModels(settingsFor(wired.server, wire), new AbortController().signal);
  expect(listed.map(({ id }) => id)).toEqual(wired.server.models.map(({ id }) => id));
});

test.each(WIRES)("a list that %s refuses throws an error that says why", async (wire) => {
  await using wired = await open(wire);
  const fetch = async () => Response.json({ error: { message: "not you" } }, { status: 401 });
  const { listModels } = await loadWire(wire);
  const listing = listModels(settingsFor(wired.server, wire, { fetch }), new AbortController().signal);
  await expect(listing).rejects.toMatchObject({
    code: "model_auth",
    message: expect.stringMatching(/401.*not you/),
  });
});
