import { expect, test } from "bun:test";
import { PiError } from "../../contract/errors.ts";
import type { AgentEvent } from "../../contract/events.ts";
import { type Message, noUsage } from "../../contract/messages.ts";
import type { ModelRequest } from "../../contract/model.ts";
import type { TokenBudget } from "../../contract/services.ts";
import { bench, of, user } from "../test-support/bench.ts";
import { failure, type Step, text, usage } from "../test-support/fake-model.ts";
import { asksForSummary, automatic, smallModel, steps } from "../test-support/long-history.ts";

type Summary = (request: ModelRequest) => readonly Step[];

/** A full window: thirty steps of 600 tokens before the prompt. `summary` is how the request for one is answered. */
function full(summary: Summary | string, more: Parameters<typeof bench>[0] = {}) {
  const b = bench({
    model: smallModel,
    compaction: automatic,
    history: [user("the first request"), ...steps(30, 600)],
    ...more,
  });
  b.model.otherwise = (request) => {
    if (!asksForSummary(request)) return [text("ok"), b.model.end([{ type: "text", text: "ok" }])];
    return typeof summary === "string"
      ? [text(summary), b.model.end([{ type: "text", text: summary }], "end", usage(9_000, 300))]
      : summary(request);
  };
  const summaries = () => b.model.requests.filter(asksForSummary);
  const answers = () => b.model.requests.filter((request) => !asksForSummary(request));
  return { ...b, b, summaries, answers };
}

const phases = (events: readonly AgentEvent[]) =>
  of(events, "compaction").map(({ kind, phase }) => `${kind} ${phase}`);

test("a request over the threshold is preceded by a summary, which then stands for the older steps [A-SESS-03]", async () => {
  const { b, answers } = full("THE NOTES");
  const events = await b.run("the newest request");
  expect(phases(events)).toEqual(["summary start", "summary end"]);
  const sent = JSON.stringify(answers()[0]?.messages);
  expect(sent).toContain("THE NOTES");
  expect(sent).not.toContain("RESULT-0 ");
  expect(sent).toContain("RESULT-29 ");
  expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "end", text: "ok" });
});

test("what the events say of its size is what the next request takes", async () => {
  const { b } = full("THE NOTES");
  let counted = 0;
  const events = await b.run("go", (event) => {
    if (event.type === "compaction" && event.phase === "end") counted = b.runner.contextTokens();
  });
  const end = of(events, "compaction").at(-1)!;
  expect(end.tokens_after).toBe(counted);
  expect(end.tokens_after).toBeLessThan(end.tokens_before * 0.8);
  expect(end.tokens_before).toBeGreaterThan(17_000);
});

test("nothing of the summary's text is shown as an answer", async () => {
  const { b } = full("THE NOTES");
  const events = await b.run("go");
  expect(of(events, "text_delta").map(({ delta }) => delta)).toEqual(["ok"]);
});

test("turned off, nothing is compacted [A-SESS-03]", async () => {
  const { b, summaries } = full("THE NOTES", { compaction: { ...automatic, enabled: false } });
  expect(phases(await b.run("go"))).toEqual([]);
  expect(summaries()).toHaveLength(0);
});

test("below the threshold nothing is compacted", async () => {
  const { b } = full("THE NOTES", { model: { ...smallModel, contextWindow: 40_000 } });
  expect(phases(await b.run("go"))).toEqual([]);
});

const VAIN: Record<string, Summary | string> = {
  empty: "",
  "of blanks": " \n\t ",
  "longer than what it stands for": "long ".repeat(30_000),
  "a failure": () => [failure({ code: "invalid", retryable: false })],
  "a stream that just ends": () => [text("half of the not")],
  "refused by the service": (request) => [
    {
      type: "end",
      message: {
        role: "assistant",
        parts: [{ type: "text", text: "no" }],
        source: { provider: "test", wire: "anthropic", model: request.model.id },
        stop: "filtered",
        usage: noUsage(),
      },
    },
  ],
  "cut at the output limit": (request) => [
    {
      type: "end",
      message: {
        role: "assistant",
        parts: [{ type: "text", text: "half of the not" }],
        source: { provider: "test", wire: "anthropic", model: request.model.id },
        stop: "length",
        usage: noUsage(),
      },
    },
  ],
};

test.each(Object.keys(VAIN))(
  "a summary that is %s changes nothing, is told of, and the run goes on [C06]",
  async (kind) => {
    const { b, answers } = full(VAIN[kind]!, { retry: { maxDelayMs: 0 } });
    const before = b.conversation.list.slice();
    const events: AgentEvent[] = [];
    for await (const event of b.runner.run(user("newest"), b.stop.signal)) {
      events.push(event);
      if (event.type === "retry")
        void b.clock.sleeping(event.delay_ms).then(() => b.clock.advance(event.delay_ms));
    }
    expect(phases(events)).toEqual(["summary start", "summary failed"]);
    expect(of(events, "compaction")[1]?.reason).toBeTruthy();
    expect(of(events, "notice")[0]?.message).toContain("compaction could not change that");
    expect(b.conversation.list.slice(0, before.length)).toEqual(before);
    expect(b.conversation.outdated.before).toBe(0);
    expect(JSON.stringify(answers()[0]?.messages)).toContain("RESULT-0 ");
    expect(of(events, "message_end")[0]?.text).toBe("ok");
  },
);

test("a summary that is interrupted changes nothing, and the run ends as aborted [C06]", async () => {
  const b = full(() => [text("half"), () => b.stop.abort()]);
  const before = b.conversation.list.slice();
  const events = await b.b.run("newest");
  expect(phases(events)).toEqual(["summary start", "summary failed"]);
  expect(of(events, "message_end")[0]?.stop_reason).toBe("aborted");
  expect(b.conversation.list).toEqual([...before, user("newest")]);
  expect(b.answers()).toHaveLength(0);
});

test("a reader that leaves during a summary leaves the history as it was", async () => {
  const b = full("THE NOTES");
  const before = b.conversation.list.length;
  for await (const event of b.runner.run(user("newest"), b.stop.signal))
    if (event.type === "compaction") break;
  expect(b.conversation.list).toHaveLength(before + 1);
  expect(b.summaries()).toHaveLength(0);
});

test("the summary's tokens are part of the run's usage and of no turn's", async () => {
  const { b } = full("THE NOTES");
  const events = await b.run("go");
  expect(of(events, "turn_end")[0]?.usage.total).toBe(110);
  expect(of(events, "compaction").at(-1)?.usage?.total).toBe(9_300);
  expect(of(events, "message_end")[0]?.usage.total).toBe(9_410);
});

test("the request for a summary is paid for out of the day's budget [Q03]", async () => {
  const reserved: number[] = [];
  const settled: number[] = [];
  const budget: TokenBudget = {
    reserve(tokens) {
      reserved.push(typeof tokens === "number" ? tokens : tokens());
      return { settle: (used) => settled.push(used.input + used.output) };
    },
  };
  const { b } = full("THE NOTES", { budget });
  await b.run("go");
  expect(reserved).toHaveLength(2);
  expect(reserved[0]).toBeGreaterThan(5_000);
  expect(settled[0]).toBe(9_300);
});

test("a day's budget that has no room for a summary changes nothing [Q03]", async () => {
  const budget: TokenBudget = {
    reserve() {
      throw new PiError({ code: "daily_limit", message: "the day's tokens are used up", exitCode: 3 });
    },
  };
  const { b, summaries } = full("THE NOTES", { budget });
  const events = await b.run("go");
  expect(of(events, "compaction").at(-1)).toMatchObject({
    phase: "failed",
    reason: "the day's tokens are used up",
  });
  expect(of(events, "message_end")[0]?.stop_reason).toBe("limit");
  expect(summaries()).toHaveLength(0);
});

test("a request for a summary has no tools, and calls are text in it [A-SESS-03]", async () => {
  const { b, summaries } = full("THE NOTES");
  await b.run("go");
  const request = summaries()[0]!;
  expect(request.tools).toEqual([]);
  expect(request.messages).toHaveLength(1);
  expect(request.messages[0]?.parts.map((part) => part.type)).toEqual(["text"]);
  expect(JSON.stringify(request.messages)).toContain("[assistant calls look]");
  expect(JSON.stringify(request.messages)).toContain("[result of look]");
});

test("a failure that passes is retried before the summary is given up", async () => {
  let asked = 0;
  const b = full(() => {
    asked++;
    if (asked === 1) return [failure({ code: "overloaded" })];
    return [b.model.end([{ type: "text", text: "THE NOTES" }])];
  });
  const events = await b.b.run("go", (event) => {
    if (event.type === "retry")
      void b.clock.sleeping(event.delay_ms).then(() => b.clock.advance(event.delay_ms));
  });
  expect(of(events, "retry")).toHaveLength(1);
  expect(phases(events)).toEqual(["summary start", "summary end"]);
});

test("callbacks see the request for a summary and its answer, as any other [A-AGENT-03]", async () => {
  const seen: string[] = [];
  const b = full("THE NOTES", {
    callbacks: [
      {
        beforeModel: (request) => {
          seen.push(asksForSummary(request) ? "before summary" : "before answer");
          return Promise.resolve(undefined);
        },
        afterModel: (message) => {
          seen.push("after");
          return Promise.resolve(message);
        },
      },
    ],
  });
  await b.b.run("go");
  expect(seen).toEqual(["before summary", "after", "before answer", "after"]);
});

test("another model may write the summary, within its own window", async () => {
  const other = bench().model;
  other.says("NOTES OF ANOTHER");
  const model = { ...smallModel, id: "small-one", contextWindow: 8_000 };
  const b = full("not asked", { compaction: { ...automatic, summaryModel: { model, client: other } } });
  await b.b.run("go");
  expect(b.summaries()).toHaveLength(0);
  expect(other.requests[0]?.model.id).toBe("small-one");
  expect(JSON.stringify(other.requests[0]?.messages).length / 5).toBeLessThan(8_000);
  expect(JSON.stringify(b.answers()[0]?.messages)).toContain("NOTES OF ANOTHER");
});

test("what a compaction left goes on growing and is compacted again, with the earlier summary among what is summarised [C06]", async () => {
  let count = 0;
  const b = full(() => [b.model.end([{ type: "text", text: `NOTES ${++count}` }])]);
  await b.b.run("second request");
  b.conversation.list.push(...steps(30, 600, "more"));
  await b.b.run("third request");
  expect(JSON.stringify(b.summaries()[1]?.messages)).toContain("NOTES 1");
  const sent = JSON.stringify(b.answers().at(-1)?.messages);
  expect(sent).toContain("NOTES 2");
  expect(sent).not.toContain("NOTES 1");
  for (const request of ["the first request", "second request", "third request"])
    expect(sent).toContain(`"${request}"`);
});

test("messages that came while the summary was made stay behind it [C10]", async () => {
  const late: Message = {
    role: "user",
    origin: "reminder",
    parts: [{ type: "text", text: "CAME MEANWHILE" }],
  };
  const b = full(() => [
    () => b.conversation.append(late),
    b.model.end([{ type: "text", text: "THE NOTES" }]),
  ]);
  await b.b.run("newest");
  expect(b.conversation.list.at(-2)).toEqual(late);
  expect(JSON.stringify(b.conversation.list)).toContain("THE NOTES");
});
