import { expect, test } from "bun:test";
import { bench, of, tool } from "./test-support/bench.ts";
import { call, usage } from "./test-support/fake-model.ts";

test("a prompt runs tools until the model gives a final answer, as one stream of events [A-AGENT-01]", async () => {
  const b = bench({ tools: [tool("look")] });
  b.model.calls(call("c1", "look", { x: 1 })).says("done");
  const events = await b.run();
  expect(events.map((event) => event.type)).toEqual([
    "message_start",
    "turn_end",
    "tool_call",
    "tool_result",
    "text_delta",
    "turn_end",
    "message_end",
  ]);
  expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "end", text: "done", turns: 2 });
});

test("usage of the run is the sum of its requests [A-AGENT-01]", async () => {
  const b = bench({ tools: [tool("look")] });
  b.model.calls(call("c1", "look")).says("done", usage(200, 20, { cache_read: 50 }));
  const events = await b.run();
  expect(of(events, "message_end")[0]?.usage).toEqual({
    input: 300,
    output: 30,
    cache_read: 50,
    cache_write: 0,
    reasoning: 0,
    total: 380,
  });
});
