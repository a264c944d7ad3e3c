import { expect, test } from "bun:test";
import type { ModelErrorCode } from "../contract/model.ts";
import { decideRetry } from "./retry.ts";
import { bench, found, of, tool } from "./test-support/bench.ts";
import { call, failure, text, thinking } from "./test-support/fake-model.ts";

/** Runs while moving the clock past every wait before a retry. */
async function runThrough(b: ReturnType<typeof bench>, prompt: string | null = "go") {
  return await b.run(prompt, (event) => {
    if (event.type === "retry")
      void b.clock.sleeping(event.delay_ms).then(() => b.clock.advance(event.delay_ms));
  });
}

test("a transient failure is tried three times more, after 1, 2 and 4 seconds [A-AGENT-04]", async () => {
  const b = bench();
  b.model.otherwise = [failure({ code: "overloaded", message: "busy" })];
  const events = await runThrough(b);
  expect(of(events, "retry")).toEqual([
    { type: "retry", attempt: 1, delay_ms: 1_000, reason: "busy" },
    { type: "retry", attempt: 2, delay_ms: 2_000, reason: "busy" },
    { type: "retry", attempt: 3, delay_ms: 4_000, reason: "busy" },
  ]);
  expect(b.model.requests).toHaveLength(4);
  expect(of(events, "error")[0]).toMatchObject({ code: "overloaded", retryable: true });
  expect(of(events, "message_end")[0]?.stop_reason).toBe("error");
});

test("a retry that works leaves one answer in the history [A-AGENT-04]", async () => {
  const b = bench();
  b.model.script(failure({ code: "network" })).says("done");
  const events = await runThrough(b);
  expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "end", text: "done", turns: 1 });
  expect(b.conversation.list.map((message) => message.role)).toEqual(["user", "assistant"]);
});

test("waits differ by up to a fifth, so that many agents do not come back as one [P04]", () => {
  const error = { code: "overloaded", message: "", retryable: true } as const;
  const wait = (random: number) => decideRetry(error, 1, 30_000, () => random);
  expect([wait(0), wait(0.5), wait(1)]).toEqual([
    { kind: "wait", delayMs: 800 },
    { kind: "wait", delayMs: 1_000 },
    { kind: "wait", delayMs: 1_200 },
  ]);
});

test("a wait that the service asks for is a lower bound, jitter only adds to it [P03][A-AGENT-04]", () => {
  const error = { code: "rate", message: "", retryable: true, retryAfterMs: 7_000 } as const;
  expect(decideRetry(error, 1, 30_000, () => 0)).toEqual({ kind: "wait", delayMs: 7_000 });
  expect(decideRetry(error, 1, 30_000, () => 1)).toEqual({ kind: "wait", delayMs: 8_400 });
  expect(decideRetry({ ...error, retryAfterMs: 29_000 }, 1, 30_000, () => 1)).toEqual({
    kind: "wait",
    delayMs: 30_000,
  });
});

test("a longer wait than allowed fails at once and names the time of the reset [P03]", async () => {
  const b = bench();
  b.model.script(failure({ code: "rate", message: "slow down", retryAfterMs: 3_600_000 }));
  const events = await b.run();
  expect(of(events, "retry")).toHaveLength(0);
  expect(of(events, "error")[0]?.message).toBe(
    "slow down (the service asks to wait 60 min, until 2026-01-01T01:00:00Z)",
  );
  expect(of(events, "error")[0]?.hint).toContain("2026-01-01T01:00:00Z");
});

test.each<ModelErrorCode>(["auth", "quota", "invalid", "not_found", "filtered"])(
  "%s fails at once, whatever the client says of it [A-AGENT-05][P03]",
  async (code) => {
    const b = bench();
    b.model.script(failure({ code, retryable: true, retryAfterMs: 10, hint: "do this" }));
    const events = await b.run();
    expect(b.model.requests).toHaveLength(1);
    expect(of(events, "error")[0]).toMatchObject({ code, hint: "do this" });
  },
);

test("after text was shown nothing is sent again; the part is kept and marked, and the run can go on [P14][A-AGENT-06]", async () => {
  const b = bench();
  b.model.script(text("half"), failure({ code: "network", message: "connection reset" }));
  const events = await b.run();
  expect(b.model.requests).toHaveLength(1);
  expect(of(events, "error")[0]).toMatchObject({ code: "network", retryable: true });
  expect(of(events, "error")[0]?.hint).toContain("continue");
  expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "error", text: "half" });
  expect(b.conversation.list.at(-1)).toMatchObject({
    partial: true,
    stop: "error",
    parts: [{ text: "half" }],
  });
  b.model.says("whole");
  expect(of(await b.run("continue"), "message_end")[0]?.stop_reason).toBe("end");
});

test("shown thinking prevents a retry too, and what only thought is not stored [A-AGENT-06][P07]", async () => {
  const b = bench();
  b.model.script(thinking("hm"), failure({ code: "network" }));
  await b.run();
  expect(b.model.requests).toHaveLength(1);
  expect(b.conversation.list.map((message) => message.role)).toEqual(["user"]);
});

test("a call that was streamed and then lost is asked for again and runs once [P14]", async () => {
  let ran = 0;
  const b = bench({
    tools: [
      tool("write", {
        run: () => {
          ran++;
          return Promise.resolve(found("ok"));
        },
      }),
    ],
  });
  b.model
    .script({ type: "call_delta", name: "write", delta: '{"x":1}' }, failure({ code: "network" }))
    .calls(call("c1", "write", { x: 1 }))
    .says("done");
  await runThrough(b);
  expect(ran).toBe(1);
  expect(b.model.requests).toHaveLength(3);
});

test("a failure after tools ran repeats the request and never the tools [P14]", async () => {
  let ran = 0;
  const b = bench({
    tools: [
      tool("write", {
        run: () => {
          ran++;
          return Promise.resolve(found("ok"));
        },
      }),
    ],
  });
  b.model
    .calls(call("c1", "write"))
    .script(failure({ code: "overloaded", status: 500 }))
    .says("done");
  const events = await runThrough(b);
  expect(ran).toBe(1);
  expect(of(events, "message_end")[0]?.text).toBe("done");
});

test("a stream that ends without its end is a failure that is tried again", async () => {
  const b = bench();
  b.model.script().says("done");
  expect(of(await runThrough(b), "retry")[0]?.reason).toBe("the stream ended early");
});

test("a client that throws ends the run with an error, not with an exception", async () => {
  const b = bench();
  b.model.script(() => {
    throw new Error("client bug");
  });
  b.model.otherwise = [failure({ code: "auth" })];
  const events = await runThrough(b);
  expect(of(events, "message_end")[0]?.stop_reason).toBe("error");
});

test("usage of failed requests counts in the turn and in the run", async () => {
  const b = bench();
  const used = { input: 5, output: 1, cache_read: 0, cache_write: 0, reasoning: 0, total: 6 };
  b.model.script({ ...failure({ code: "network" }), usage: used } as never).says("done");
  const events = await runThrough(b);
  expect(of(events, "turn_end").map((event) => event.usage.total)).toEqual([116]);
  expect(of(events, "message_end")[0]?.usage.total).toBe(116);
});
