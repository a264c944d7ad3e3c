import { expect, test } from "bun:test";
import type { Message, Usage } from "../../contract/messages.ts";
import type { ModelRequest } from "../../contract/model.ts";
import { bench, found, of, tool, user } from "../test-support/bench.ts";
import { call, usage as counts, failure, testModel } from "../test-support/fake-model.ts";
import { asksForSummary } from "../test-support/long-history.ts";

const small = { ...testModel, contextWindow: 10_000 };
const tooBig = (request: ModelRequest) => JSON.stringify(request.messages).length > 30_000;

/** A model that refuses what is too big and answers all else. */
function strict(history: Message[] = [], output = "x".repeat(100_000)) {
  const b = bench({
    model: small,
    history,
    tools: [tool("read", { run: () => Promise.resolve(found(output)) })],
  });
  b.model.otherwise = (request) => [
    tooBig(request)
      ? failure({ code: "overflow", retryable: false })
      : b.model.end([{ type: "text", text: "fits" }]),
  ];
  return b;
}

test("an overflow by one big result is met by shortening it, once, and the answer comes [P16]", async () => {
  const b = strict();
  b.model.calls(call("c1", "read"));
  const events = await b.run();
  expect(b.model.requests).toHaveLength(3);
  expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "end", text: "fits" });
  expect(of(events, "compaction").map((event) => [event.kind, event.phase])).toEqual([
    ["shed", "start"],
    ["shed", "end"],
  ]);
  const [start, end] = of(events, "compaction");
  expect(end!.tokens_after).toBeLessThan(start!.tokens_after);
  expect(JSON.stringify(b.model.requests[2]!.messages)).toContain("characters left out");
});

test("the stored result stays whole, and later requests send the short one again [P16]", async () => {
  const b = strict();
  b.model.calls(call("c1", "read"));
  await b.run();
  expect(JSON.stringify(b.conversation.log).length).toBeGreaterThan(100_000);
  await b.run("and now?");
  expect(b.model.requests).toHaveLength(4);
  const [before, after] = b.model.requests.slice(2).map((request) => JSON.stringify(request.messages));
  expect(after).toStartWith(before!.slice(0, -1));
});

test("an overflow with nothing to shorten stops clearly, and the next short prompt works [P16]", async () => {
  const b = strict();
  const events = await b.run("p".repeat(100_000));
  expect(b.model.requests).toHaveLength(1);
  expect(of(events, "error")[0]).toMatchObject({ code: "overflow" });
  expect(of(events, "error")[0]?.hint).toContain("compact");
  expect(of(events, "compaction").at(-1)?.phase).toBe("failed");
  const next = await b.run("short");
  expect(of(next, "message_end")[0]).toMatchObject({ stop_reason: "end", text: "fits" });
  expect(b.model.requests.length).toBeLessThanOrEqual(3);
});

test("a service that never accepts is asked twice and not again [P16]", async () => {
  const b = strict([], "x".repeat(50_000));
  b.model.calls(call("c1", "read"));
  b.model.otherwise = [failure({ code: "overflow", retryable: true })];
  const events = await b.run();
  expect(b.model.requests).toHaveLength(3);
  expect(of(events, "message_end")[0]?.stop_reason).toBe("error");
});

test("the biggest results go first, small ones stay as they are [P16]", async () => {
  const source = { provider: "test", wire: "anthropic", model: "test-model" } as const;
  const turn = (id: string, output: string): Message[] => [
    {
      role: "assistant",
      parts: [{ type: "tool_call", id, name: "read", arguments: { file: id } }],
      source,
      stop: "tool",
      usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, reasoning: 0, total: 0 },
    },
    {
      role: "tool",
      parts: [
        { type: "tool_result", id, name: "read", content: [{ type: "text", text: output }], isError: false },
      ],
    },
  ];
  const b = strict([
    user("go"),
    ...turn("a", "small result"),
    ...turn("b", "b".repeat(60_000)),
    ...turn("c", "c".repeat(2_500)),
  ]);
  await b.run("more");
  const sent = JSON.stringify(b.model.requests[1]!.messages);
  expect(sent).toContain("small result");
  expect(sent).toContain("c".repeat(2_500));
  expect(sent).not.toContain("b".repeat(2_000));
});

test("thinking after a shortened place is bound to what changed and is not sent again [P07][P16]", async () => {
  const source = { provider: "test", wire: "anthropic", model: "test-model" } as const;
  const usage = { input: 0, output: 0, cache_read: 0, cache_write: 0, reasoning: 0, total: 0 };
  const think = (text: string) => ({ type: "thinking", text, signature: `signed ${text}` }) as const;
  const b = strict([
    user("go"),
    {
      role: "assistant",
      parts: [think("early"), { type: "tool_call", id: "a", name: "read", arguments: {} }],
      source,
      stop: "tool",
      usage,
    },
    {
      role: "tool",
      parts: [
        {
          type: "tool_result",
          id: "a",
          name: "read",
          content: [{ type: "text", text: "r".repeat(60_000) }],
          isError: false,
        },
      ],
    },
    {
      role: "assistant",
      parts: [think("late"), { type: "text", text: "answer" }],
      source,
      stop: "end",
      usage,
    },
  ]);
  b.model.otherwise = (request) => [
    tooBig(request)
      ? failure({ code: "overflow" })
      : b.model.end([think("newest"), { type: "text", text: "fits" }]),
  ];
  await b.run("more");
  await b.run("even more");
  const sent = JSON.stringify(b.model.requests.at(-1)!.messages);
  expect(sent).toContain("signed early");
  expect(sent).not.toContain("signed late");
  expect(sent).toContain("signed newest");
});

const answered = (used: Usage): Message => ({
  role: "assistant",
  parts: [{ type: "text", text: "ok" }],
  source: { provider: "test", wire: "anthropic", model: "test-model" },
  stop: "end",
  usage: used,
});

/** Turns of a person and short answers, whose count is what the service says it is. */
function talk(turns: number, counted: (sent: number) => number): Message[] {
  let sent = 0;
  return Array.from({ length: turns }, (_, turn) => turn).flatMap((turn): Message[] => {
    sent += 1_000;
    return [user(`question ${turn} ${"word ".repeat(1_000)}`), answered(counts(counted(sent), 2))];
  });
}

/** A model that takes far less than what is told of it, and says so in its refusal. */
function lessThanTold(history: Message[], contextWindow: number) {
  const b = bench({
    model: { ...testModel, known: true, contextWindow: 200_000 },
    history,
    compaction: { enabled: true, threshold: 0.85 },
  });
  b.model.otherwise = (request) => [
    JSON.stringify(request.messages).length > contextWindow * 5
      ? failure({ code: "overflow", retryable: false, contextWindow })
      : b.model.end([{ type: "text", text: asksForSummary(request) ? "NOTES" : "fits" }]),
  ];
  return b;
}

test("a refusal that names what fits is met by coming down to it, however large a window is told of the model [P16]", async () => {
  const b = lessThanTold(
    talk(15, (sent) => sent),
    8_000,
  );
  const events = await b.run("and now?");
  expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "end", text: "fits" });
});

test("counts that a refusal shows to be none are not believed when room is made [P16][Q02]", async () => {
  const b = lessThanTold(
    talk(15, () => 10),
    8_000,
  );
  const events = await b.run("and now?");
  expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "end", text: "fits" });
  expect(of(events, "compaction")[0]?.tokens_before).toBeGreaterThan(10_000);
});
