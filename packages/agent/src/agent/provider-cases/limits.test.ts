/** Runs that end early in every way, and what the callers of a loop do to a request: the next request must be valid. */
import { expect, test } from "bun:test";
import { bytes, call, end, fail, hang, hold, modelServer, rawCall, say, think } from "@pi-ts/testkit";
import { PiError } from "../../contract/errors.ts";
import type { TokenBudget } from "../../contract/services.ts";
import { type bench, found, of, tool } from "../test-support/bench.ts";
import {
  reloaded,
  resultsIn,
  runPatiently,
  shownText,
  stopReason,
  WIRES,
  wired,
} from "../test-support/wired.ts";

const step = tool("step", { run: (input) => Promise.resolve(found(`did ${JSON.stringify(input)}`)) });

test.each(WIRES)(
  "an interrupt while arguments arrive leaves no call behind on %s [A-AGENT-07]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(think("hm"), rawCall("step", '{"x": 1'), hang());
    const b: ReturnType<typeof bench> = wired(server, wire, { tools: [step] });
    const events = await b.run("go", (event) => {
      if (event.type === "thinking_delta") b.stop.abort();
    });
    expect(stopReason(events)).toBe("aborted");
    expect(JSON.stringify(b.conversation.list)).not.toContain("tool_call");
    server.reply(say("fine"));
    const next = wired(server, wire, { tools: [step], conversation: reloaded(b.conversation) });
    expect(shownText(await next.run("next"))).toBe("fine");
  },
);

test.each(WIRES)(
  "an interrupt before %s has answered closes the connection and keeps the prompt [A-AGENT-07]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(hang());
    const b: ReturnType<typeof bench> = wired(server, wire);
    const running = b.run("first");
    await server.waitFor(1);
    b.stop.abort();
    expect(stopReason(await running)).toBe("aborted");
    await server.waitForAborted();
    server.reply(say("fine"));
    const next = wired(server, wire, { conversation: reloaded(b.conversation) });
    expect(shownText(await next.run("second"))).toBe("fine");
    expect(server.request(2).userTexts.join(" ")).toContain("first");
  },
);

test.each(WIRES)(
  "a reader who leaves in the middle closes the connection to %s [A-AGENT-07]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(say("half"), hang());
    const b = wired(server, wire);
    const prompt = { role: "user", origin: "user", parts: [{ type: "text", text: "go" }] } as const;
    for await (const event of b.runner.run({ ...prompt, parts: [...prompt.parts] }, b.stop.signal))
      if (event.type === "text_delta") break;
    await server.waitForAborted();
    server.reply(say("fine"));
    expect(shownText(await b.run("next"))).toBe("fine");
  },
);

test.each(WIRES)(
  "the turn limit in the middle of a loop leaves a history that goes on with a prompt and without on %s",
  async (wire) => {
    await using server = await modelServer();
    server.reply(think("t"), call("step", { x: 1 }), call("step", { x: 2 }));
    const b = wired(server, wire, { tools: [step], maxTurns: 1 });
    expect(stopReason(await b.run())).toBe("max_turns");
    for (const prompt of ["go on", null]) {
      server.reply(say("fine"));
      const next = wired(server, wire, { tools: [step], conversation: reloaded(b.conversation) });
      expect(shownText(await next.run(prompt))).toBe("fine");
      expect(server.requests.at(-1)?.results).toHaveLength(2);
    }
  },
);

test.each(WIRES)(
  "a budget that ends in the middle of a loop leaves a session that goes on the next day on %s [Q03]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(think("t"), call("step", { x: 1 }));
    let left = 1;
    const budget: TokenBudget = {
      reserve: () => {
        if (left-- > 0) return { settle: () => undefined };
        throw new PiError({
          code: "daily_limit",
          message: "no tokens left today",
          hint: "It resets at midnight.",
        });
      },
    };
    const b = wired(server, wire, { tools: [step], budget });
    const events = await b.run();
    expect(stopReason(events)).toBe("limit");
    expect(of(events, "error")[0]).toMatchObject({ code: "daily_limit", hint: "It resets at midnight." });
    expect(server.requests).toHaveLength(1);
    server.reply(say("a new day"));
    const next = wired(server, wire, { tools: [step], conversation: reloaded(b.conversation) });
    expect(shownText(await next.run("go on"))).toBe("a new day");
  },
);

test.each(WIRES)(
  "half a character that a callback puts into a request does not reach %s [F19]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(say("fine"));
    const b = wired(server, wire, {
      tools: [step],
      callbacks: [
        {
          beforeModel: (request) =>
            Promise.resolve({
              ...request,
              system: `${request.system} \ud83d`,
              messages: [
                ...request.messages,
                { role: "user", origin: "reminder", parts: [{ type: "text", text: "note \udc00" }] } as const,
              ],
            }),
        },
      ],
    });
    const events = await b.run();
    expect(shownText(events)).toBe("fine");
    expect(server.request(1).userTexts.join(" ")).toContain("note");
  },
);

test.each(WIRES)(
  "two calls that are the same to the letter both run and both have a result on %s [P09]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(call("step", { x: 1 }, { id: "" }), call("step", { x: 1 }, { id: "" }));
    server.reply(say("ok"));
    const b = wired(server, wire, { tools: [step] });
    await b.run();
    expect(new Set(resultsIn(b.conversation).map((result) => result.id)).size).toBe(2);
    expect(server.request(2).results).toHaveLength(2);
  },
);

const chat = (delta: object, finish: string | null = null) =>
  bytes(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
const piece = (fields: object, name: string | undefined, args: string) => ({
  tool_calls: [{ ...fields, function: { ...(name !== undefined && { name }), arguments: args } }],
});

test("chat calls whose pieces come interleaved by index run with their own arguments [P09]", async () => {
  await using server = await modelServer();
  server.reply(
    chat(piece({ index: 0, id: "a", type: "function" }, "step", '{"x"')),
    chat(piece({ index: 1, id: "b", type: "function" }, "step", '{"x":')),
    chat(piece({ index: 0 }, undefined, ": 1")),
    chat(piece({ index: 1 }, undefined, " 2}")),
    chat(piece({ index: 0 }, undefined, "}")),
    chat({}, "tool_calls"),
    bytes("data: [DONE]\n\n"),
    end(),
  );
  server.reply(say("ok"));
  const events = await wired(server, "openai-chat", { tools: [step] }).run();
  expect(of(events, "tool_call").map((event) => event.tool_input)).toEqual([{ x: 1 }, { x: 2 }]);
  expect(server.request(2).results.map((result) => result.text)).toEqual(['did {"x":1}', 'did {"x":2}']);
});

test("chat calls without index and id, one whole call a chunk, run once each [P09]", async () => {
  await using server = await modelServer();
  server.reply(
    chat(piece({}, "step", '{"x":1}')),
    chat(piece({}, "step", '{"x":2}')),
    chat({}, "stop"),
    bytes("data: [DONE]\n\n"),
    end(),
  );
  server.reply(say("ok"));
  const events = await wired(server, "openai-chat", { tools: [step] }).run();
  expect(of(events, "tool_call").map((event) => event.tool_input)).toEqual([{ x: 1 }, { x: 2 }]);
});

test("an answer that tells no usage still fills the window by estimate [Q02]", async () => {
  await using server = await modelServer();
  server.reply(chat({ content: "word ".repeat(2_000) }), chat({}, "stop"), bytes("data: [DONE]\n\n"), end());
  const b = wired(server, "openai-chat");
  const events = await b.run("word ".repeat(2_000));
  expect(stopReason(events)).toBe("end");
  expect(b.runner.contextTokens()).toBeGreaterThan(3_000);
});

const PAGE = "<html><head><title>Sign in</title></head><body>Please sign in to the network</body></html>";

test.each(WIRES)(
  "a refusal by a proxy's page is told in few words, without its markup, on %s",
  async (wire) => {
    await using server = await modelServer();
    for (let n = 0; n < 4; n++) server.reply(fail(502, { body: PAGE }));
    const events = await runPatiently(wired(server, wire));
    const [error] = of(events, "error");
    expect(error?.message).toContain("502");
    expect(error?.message.length).toBeLessThan(300);
    expect(error?.message).not.toContain("<body>");
  },
);

test.each(WIRES)("a wrong key fails %s at once, is not repeated and is not shown", async (wire) => {
  await using server = await modelServer();
  server.reply(
    fail(401, {
      body: { error: { message: "Incorrect API key provided: test-key", type: "authentication_error" } },
    }),
  );
  const events = await wired(server, wire).run();
  expect(server.requests).toHaveLength(1);
  expect(of(events, "error")[0]).toMatchObject({ code: "auth", retryable: false });
  expect(JSON.stringify(events)).not.toContain("test-key");
});

test.each(WIRES)(
  "an interrupt during a retry's request is an interrupt, not a failure, on %s [A-AGENT-07]",
  async (wire) => {
    await using server = await modelServer();
    const gate = Promise.withResolvers<void>();
    server.reply(fail(500));
    server.reply(hold(gate.promise), say("too late"));
    const b: ReturnType<typeof bench> = wired(server, wire);
    const running = runPatiently(b);
    await server.waitFor(2);
    b.stop.abort();
    const events = await running;
    gate.resolve();
    expect(stopReason(events)).toBe("aborted");
    expect(of(events, "error")).toEqual([]);
  },
);
