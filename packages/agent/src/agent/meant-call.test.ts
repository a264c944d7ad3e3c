/** Tools that a model is not told of, and tools whose calls are meant for others. */
import { expect, test } from "bun:test";
import type { Callbacks, PendingCall } from "../contract/callbacks.ts";
import type { AnyTool } from "../contract/tool.ts";
import { bench, found, of, tool } from "./test-support/bench.ts";
import { call } from "./test-support/fake-model.ts";

const HIDDEN = tool("far__away", {
  kind: "network",
  undeclared: true,
  run: (input) => Promise.resolve(found(`far away with ${JSON.stringify(input)}`)),
});

/** Calls for the tool that `to` names. */
const CALLER: AnyTool = {
  ...tool("caller"),
  input: {
    type: "object",
    properties: { to: { type: "string" }, arguments: { type: "object" } },
    required: ["to"],
  },
  standsFor: (input: { to: string; arguments?: Record<string, never> }) =>
    input.to === HIDDEN.name
      ? { tool: HIDDEN, input: input.arguments ?? {} }
      : { outcome: { outcome: "not_looked", text: `nobody is ${input.to}`, isError: true, details: {} } },
};

test("a tool that is not declared is in no request, and can be called all the same [M05]", async () => {
  const b = bench({ tools: [tool("read"), HIDDEN] });
  b.model.calls(call("c1", "far__away", { x: 1 })).says("done");
  const events = await b.run();
  expect(b.model.requests[0]?.tools.map(({ name }) => name)).toEqual(["read"]);
  expect(of(events, "tool_result")[0]?.content).toBe('far away with {"x":1}');
});

test("a call that is meant for another tool is validated, shown and run as that one's [M05][X02]", async () => {
  const seen: PendingCall[] = [];
  const watcher: Callbacks = {
    name: "watcher",
    beforeTool(pending) {
      seen.push(pending);
      return Promise.resolve(undefined);
    },
  };
  const b = bench({ tools: [CALLER, HIDDEN], callbacks: [watcher] });
  b.model
    .calls(
      call("c1", "caller", { to: "far__away", arguments: { x: "7" } }),
      call("c2", "caller", { to: "far__away", arguments: { x: "seven" } }),
      call("c3", "caller", { to: "elsewhere" }),
    )
    .says("done");
  const events = await b.run();
  const results = of(events, "tool_result").sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(of(events, "tool_call")[0]).toMatchObject({ tool_name: "far__away", tool_input: { x: 7 } });
  expect(results[0]?.content).toBe('far away with {"x":7}');
  expect(results[1]?.content).toContain("The call of far__away was not run: its arguments do not fit.");
  expect(results[2]).toMatchObject({ content: "nobody is elsewhere", is_error: true });
  expect(seen.map(({ name, kind, input }) => ({ name, kind, input }))).toEqual([
    { name: "far__away", kind: "network", input: { x: 7 } },
  ]);
});

test("what the owner does when a run begins holds for that run, and nothing changes in the middle of one [P17]", async () => {
  let begun = 0;
  const b = bench({
    tools: [tool("read")],
    beforeRun() {
      begun++;
      b.options.tools = [tool("read"), tool(`late-${begun}`)];
    },
  });
  b.model.calls(call("c1", "read")).says("one").says("two");
  await b.run();
  await b.run();
  expect(b.model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
    ["read", "late-1"],
    ["read", "late-1"],
    ["read", "late-2"],
  ]);
});
