import { expect, test } from "bun:test";
import { bench, found, of, tool } from "./test-support/bench.ts";
import { call } from "./test-support/fake-model.ts";

const look = () =>
  tool("look", { run: (input) => Promise.resolve(found(`looked at ${JSON.stringify(input)}`)) });

test("callbacks run in the order of the list, around the model and around each tool [A-AGENT-03]", async () => {
  const log: string[] = [];
  const named = (n: number) => ({
    beforeModel: () => Promise.resolve(void log.push(`before model ${n}`)),
    afterModel: () => Promise.resolve(void log.push(`after model ${n}`)),
    beforeTool: () => Promise.resolve(void log.push(`before tool ${n}`)),
    afterTool: () => Promise.resolve(void log.push(`after tool ${n}`)),
  });
  const b = bench({ tools: [look()], callbacks: [named(1), named(2)] as never });
  b.model.calls(call("c1", "look")).says("done");
  await b.run();
  expect(log.slice(0, 8)).toEqual([
    "before model 1",
    "before model 2",
    "after model 1",
    "after model 2",
    "before tool 1",
    "before tool 2",
    "after tool 1",
    "after tool 2",
  ]);
});

test("a blocked call does not run, and the model reads why [A-AGENT-03]", async () => {
  const asked: string[] = [];
  const b = bench({
    tools: [look()],
    callbacks: [
      { beforeTool: () => Promise.resolve({ block: "not in plan mode" }) },
      { beforeTool: () => Promise.resolve(void asked.push("second")) as never },
    ],
  });
  b.model.calls(call("c1", "look")).says("done");
  const events = await b.run();
  expect(of(events, "tool_result")[0]).toMatchObject({
    content: "not in plan mode",
    is_error: true,
    details: { outcome: "not_looked", code: "blocked" },
  });
  expect(asked).toEqual([]);
});

test("a changed input is validated again, shown, and what runs; the next callback sees it [A-AGENT-03]", async () => {
  const seen: unknown[] = [];
  const b = bench({
    tools: [look()],
    callbacks: [
      { beforeTool: () => Promise.resolve({ input: { x: "7" } }) },
      { beforeTool: (pending) => Promise.resolve(void seen.push(pending.input)) as never },
    ],
  });
  b.model.calls(call("c1", "look", { x: 1 })).says("done");
  const events = await b.run();
  expect(seen).toEqual([{ x: 7 }]);
  expect(of(events, "tool_call")[0]?.tool_input).toEqual({ x: 7 });
  expect(of(events, "tool_result")[0]?.content).toBe('looked at {"x":7}');
});

test("an input that a callback made invalid is refused", async () => {
  const b = bench({
    tools: [look()],
    callbacks: [{ beforeTool: () => Promise.resolve({ input: { x: "many" } }) }],
  });
  b.model.calls(call("c1", "look", { x: 1 })).says("done");
  const result = of(await b.run(), "tool_result")[0];
  expect(result).toMatchObject({ is_error: true, details: { code: "hook_failed" } });
  expect(result?.content).toContain("callback 1");
});

test("changing what a callback was given changes nothing that runs or is stored", async () => {
  const b = bench({
    tools: [look()],
    callbacks: [
      {
        beforeTool: (pending) => {
          pending.input.x = 99;
          return Promise.resolve(undefined);
        },
        afterTool: (_pending, outcome) => {
          outcome.text = "changed in place";
          return Promise.resolve(undefined);
        },
        afterModel: (message) => {
          message.parts.length = 0;
          return Promise.resolve(undefined);
        },
      },
    ],
  });
  b.model.calls(call("c1", "look", { x: 1 })).says("done");
  const events = await b.run();
  expect(of(events, "tool_result")[0]?.content).toBe('looked at {"x":1}');
  expect(b.conversation.list[1]).toMatchObject({ parts: [{ type: "tool_call", arguments: { x: 1 } }] });
});

test("a callback that throws before a tool is a failed result, and the tool does not run", async () => {
  const b = bench({
    tools: [look()],
    callbacks: [{ beforeTool: () => Promise.reject(new Error("hook boom")) }],
  });
  b.model.calls(call("c1", "look")).says("recovered");
  const events = await b.run();
  expect(of(events, "tool_result")[0]?.content).toContain("hook boom");
  expect(of(events, "tool_result")[0]?.is_error).toBe(true);
  expect(of(events, "message_end")[0]?.text).toBe("recovered");
});

test("a callback that throws after a tool fails the result and still shows what the tool did", async () => {
  const b = bench({
    tools: [look()],
    callbacks: [
      {
        afterTool: () => {
          throw new Error("hook boom");
        },
      },
    ],
  });
  b.model.calls(call("c1", "look", { x: 1 })).says("done");
  const result = of(await b.run(), "tool_result")[0];
  expect(result?.is_error).toBe(true);
  expect(result?.content).toContain("hook boom");
  expect(result?.content).toContain('looked at {"x":1}');
});

test("a result that a callback replaced is what the model reads", async () => {
  const b = bench({
    tools: [look()],
    callbacks: [
      {
        afterTool: (_pending, outcome) =>
          Promise.resolve({ ...outcome, text: `${outcome.text}, 2 problems` }),
      },
    ],
  });
  b.model.calls(call("c1", "look", { x: 1 })).says("done");
  await b.run();
  expect(JSON.stringify(b.model.requests[1]?.messages.at(-1))).toContain("2 problems");
});

test("a callback that throws around the model is a notice, and the request goes out as it was", async () => {
  const b = bench({
    callbacks: [
      {
        beforeModel: () => Promise.reject(new Error("before boom")),
        afterModel: () => Promise.reject(new Error("after boom")),
      },
    ],
  });
  b.model.says("done");
  const events = await b.run();
  expect(of(events, "notice").map((event) => event.message)).toEqual([
    "callback 1 failed before a request: before boom",
    "callback 1 failed after an answer: after boom",
  ]);
  expect(of(events, "message_end")[0]?.text).toBe("done");
});

test("a changed request is what is sent and is not stored; a changed answer is stored", async () => {
  const b = bench({
    callbacks: [
      {
        beforeModel: (request) => Promise.resolve({ ...request, maxOutput: 7 }),
        afterModel: (message) => Promise.resolve({ ...message, parts: [{ type: "text", text: "checked" }] }),
      },
    ],
  });
  b.model.says("done");
  const events = await b.run();
  expect(b.model.requests[0]?.maxOutput).toBe(7);
  expect(b.conversation.list.at(-1)?.parts).toEqual([{ type: "text", text: "checked" }]);
  expect(of(events, "message_end")[0]?.text).toBe("checked");
});
