import { expect, test } from "bun:test";
import type { AgentEvent } from "../contract/events.ts";
import { bench, found, of, tool } from "./test-support/bench.ts";
import { call, failure, text, thinking } from "./test-support/fake-model.ts";

const results = (b: ReturnType<typeof bench>) =>
  b.conversation.list.flatMap((message) => (message.role === "tool" ? message.parts : []));
const stopReason = (events: AgentEvent[]) => of(events, "message_end")[0]?.stop_reason;

test("an interrupt in the middle of an answer keeps the shown part and the next prompt works [A-AGENT-07]", async () => {
  const b = bench();
  b.model.script(
    text("half an "),
    text("answer"),
    (signal) => new Promise((resolve) => signal.addEventListener("abort", resolve)),
  );
  const events = await b.run("go", (event) => {
    if (event.type === "text_delta" && event.delta === "answer") b.stop.abort();
  });
  expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "aborted", text: "half an answer" });
  expect(b.conversation.list.at(-1)).toMatchObject({
    partial: true,
    stop: "aborted",
    parts: [{ type: "text", text: "half an answer" }],
  });
  expect(b.model.signals[0]?.aborted).toBe(true);
});

test("a model client that ignores the interrupt does not hold the run", async () => {
  const b = bench();
  b.model.script(text("half"), new Promise(() => undefined));
  const running = b.run("go", (event) => {
    if (event.type === "text_delta") b.stop.abort();
  });
  await b.clock.sleeping(250);
  b.clock.advance(250);
  expect(stopReason(await running)).toBe("aborted");
});

test("an interrupted answer keeps the finished thinking that the client hands over, but no call [P07]", async () => {
  const b = bench();
  const partial = [
    { type: "thinking", text: "hm", signature: "s" } as const,
    { type: "text", text: "half" } as const,
    call("c1", "look"),
  ];
  b.model.script(
    thinking("hm"),
    text("half"),
    (signal) => new Promise((resolve) => signal.addEventListener("abort", resolve)),
    {
      type: "error",
      error: { code: "network", message: "closed", retryable: true },
      partial,
    },
  );
  await b.run("go", (event) => {
    if (event.type === "text_delta") b.stop.abort();
  });
  expect(b.conversation.list.at(-1)?.parts).toEqual(partial.slice(0, 2));
});

test("an interrupt during the first of two serial tools never starts the second, and both have one result [A-AGENT-07]", async () => {
  let started = 0;
  const b = bench({
    tools: [
      tool("step", {
        serial: true,
        run: () => {
          started++;
          b.stop.abort();
          return Promise.resolve(found("stepped"));
        },
      }),
    ],
  });
  b.model.calls(call("c1", "step"), call("c2", "step"));
  const events = await b.run();
  expect(started).toBe(1);
  expect(results(b).map((result) => [result.id, result.isError])).toEqual([
    ["c1", false],
    ["c2", true],
  ]);
  expect(of(events, "tool_call")).toHaveLength(1);
  expect(of(events, "tool_result")).toHaveLength(1);
  expect(b.model.requests).toHaveLength(1);
  expect(stopReason(events)).toBe("aborted");
});

test("a tool that ignores the interrupt holds the run for a short grace only, and its late result is dropped", async () => {
  let finish = (_text: string): void => undefined;
  const b = bench({
    tools: [
      tool("deaf", {
        run: () =>
          new Promise((resolve) => {
            finish = (answer) => resolve(found(answer));
          }),
      }),
    ],
  });
  b.model.calls(call("c1", "deaf"));
  const running = b.run("go", (event) => {
    if (event.type === "tool_call") queueMicrotask(() => b.stop.abort());
  });
  await b.clock.sleeping(1_000);
  b.clock.advance(1_000);
  expect(stopReason(await running)).toBe("aborted");
  finish("late");
  await Promise.resolve();
  expect(results(b)).toHaveLength(1);
  expect(JSON.stringify(results(b))).toContain("Interrupted");
});

test("what a command that ignores the interrupt had shown until then is kept for the model, its end at most", async () => {
  const b = bench({
    tools: [
      tool("bash", {
        kind: "run",
        run: (_input, context) => {
          context.progress("early ".repeat(1_000));
          context.progress("3 tests failed\n");
          queueMicrotask(() => b.stop.abort());
          return new Promise(() => undefined);
        },
      }),
    ],
  });
  b.model.calls(call("c1", "bash"));
  const running = b.run("go");
  await b.clock.sleeping(1_000);
  b.clock.advance(1_000);
  await running;
  const [result] = results(b);
  const part = result?.content[0];
  const said = part?.type === "text" ? part.text : "";
  expect(said).toStartWith(
    "Interrupted while it ran: what it has done is not known.\nIts output until then:\n",
  );
  expect(said).toEndWith("3 tests failed");
  expect(said.length).toBeLessThan(4_200);
});

test("what a tool still says within the grace is its result", async () => {
  const b = bench({
    tools: [
      tool("bash", {
        run: (_input, context) =>
          new Promise((resolve) =>
            context.signal.addEventListener("abort", () => resolve(found("killed; output so far: abc"))),
          ),
      }),
    ],
  });
  b.model.calls(call("c1", "bash"));
  await b.run("go", (event) => {
    if (event.type === "tool_call") queueMicrotask(() => b.stop.abort());
  });
  expect(JSON.stringify(results(b))).toContain("output so far: abc");
});

test("an interrupt ends the wait before a retry", async () => {
  const b = bench();
  b.model.script(failure({ code: "overloaded" }));
  const events = await b.run("go", (event) => {
    if (event.type === "retry") queueMicrotask(() => b.stop.abort());
  });
  expect(stopReason(events)).toBe("aborted");
  expect(b.model.requests).toHaveLength(1);
});

test("an interrupt ends the wait for a person who is asked before a tool", async () => {
  let ran = false;
  const b = bench({
    tools: [
      tool("look", {
        run: () => {
          ran = true;
          return Promise.resolve(found(""));
        },
      }),
    ],
    callbacks: [
      {
        beforeTool: () => {
          queueMicrotask(() => b.stop.abort());
          return new Promise(() => undefined);
        },
      },
    ],
  });
  b.model.calls(call("c1", "look"));
  expect(stopReason(await b.run())).toBe("aborted");
  expect(ran).toBe(false);
  expect(results(b)).toHaveLength(1);
});

test("an interrupt before the run makes no request and still gives a start and an end", async () => {
  const b = bench();
  b.stop.abort();
  const events = await b.run();
  expect(events.map((event) => event.type)).toEqual(["message_start", "message_end"]);
  expect(b.model.requests).toHaveLength(0);
});
