/** Tools that call tools: through every check, rule and event that a model's own calls meet. */
import { expect, test } from "bun:test";
import { call } from "../../../agent/test-support/fake-model.ts";
import type { AgentEvent } from "../../../contract/events.ts";
import { extensionBench } from "../test-support/extension-bench.ts";

const OUTER = (calls: string) => `export default (pi) => {
  pi.registerTool({ name: "outer", description: "Calls others.", parameters: { type: "object", properties: {} }, async execute(_id, _params, signal, _update, ctx) {
    const call = (name, args) => ctx.executeTool(name, args);
    const results = await Promise.all([${calls}]);
    return { content: [{ type: "text", text: JSON.stringify(results.map(({ content, isError }) => [isError, content[0].text])) }] };
  } });
};`;

const outcomes = (events: readonly AgentEvent[]): [boolean, string][] => {
  const result = events.find((event) => event.type === "tool_result");
  return JSON.parse(result?.type === "tool_result" ? result.content : "[]") as [boolean, string][];
};

test("a tool runs another one, whose events say which call made it", async () => {
  await using bench = await extensionBench({
    files: { "a.txt": "one\n" },
    extensions: {
      "o.ts": OUTER(`call("read", { file_path: "a.txt" })`),
      "w.ts": `export default (pi) => {
        globalThis.seen = [];
        for (const type of ["tool_execution_start", "tool_call", "tool_result", "tool_execution_end"]) pi.on(type, ({ toolCallId, parentToolCallId }) => { globalThis.seen.push([type, toolCallId, parentToolCallId]); });
      };`,
    },
  });
  bench.model.calls(call("c1", "outer")).says("done");
  expect(outcomes(await bench.run("go"))).toMatchObject([[false, expect.stringContaining("one")]]);
  const { seen } = globalThis as unknown as { seen: unknown[][] };
  expect(seen.filter(([, id]) => id === "c1/1")).toEqual([
    ["tool_execution_start", "c1/1", "c1"],
    ["tool_call", "c1/1", "c1"],
    ["tool_result", "c1/1", "c1"],
    ["tool_execution_end", "c1/1", "c1"],
  ]);
  expect(seen.filter(([, id]) => id === "c1").every(([, , parent]) => parent === undefined)).toBe(true);
});

test("an unknown tool, wrong arguments and a blocked call are results with isError", async () => {
  await using bench = await extensionBench({
    extensions: {
      "o.ts": OUTER(
        `call("raed", {}), call("read", { file_path: 7, no: 1 }), call("bash", { command: "echo x" }), call("ls", "text")`,
      ),
      "b.ts": `export default (pi) => { pi.on("tool_call", ({ toolName }) => toolName === "bash" ? { block: true, reason: "no shell" } : undefined); };`,
    },
  });
  bench.model.calls(call("c1", "outer")).says("done");
  const results = outcomes(await bench.run("go"));
  expect(results.map(([isError]) => isError)).toEqual([true, true, true, true]);
  expect(results[0]![1]).toContain('Did you mean "read"');
  expect(results[2]![1]).toBe("no shell");
  expect(results[3]![1]).toBe("the arguments of ls are no object");
});

test("a rule of the person's refuses a nested call as it does a model's own", async () => {
  await using bench = await extensionBench({
    extensions: { "o.ts": OUTER(`call("bash", { command: "echo reached > out.txt" })`) },
    config: { permissions: { deny: ["bash(echo:*)"] } },
  });
  bench.model.calls(call("c1", "outer")).says("done");
  const results = outcomes(await bench.run("go"));
  expect(results[0]![0]).toBe(true);
  expect(bench.ws.exists("out.txt")).toBe(false);
});

test("tools that call each other for ever come to an end", async () => {
  await using bench = await extensionBench({
    extensions: { "o.ts": OUTER(`call("outer", {})`) },
  });
  bench.model.calls(call("c1", "outer")).says("done");
  const events = await bench.run("go");
  expect(JSON.stringify(events)).toContain("tools call each other more than 8 deep");
  expect(events.at(-1)).toMatchObject({ stop_reason: "end", text: "done" });
});
