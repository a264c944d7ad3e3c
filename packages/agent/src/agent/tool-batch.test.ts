import { expect, test } from "bun:test";
import type { ToolDefinition } from "../contract/tool.ts";
import { bench, found, of, tool } from "./test-support/bench.ts";
import { call } from "./test-support/fake-model.ts";

/** A tool that records when it starts and ends, and ends some turns of the event loop later. */
function recorded(log: string[], name: string, more: Partial<ToolDefinition> = {}) {
  return tool(name, {
    input: { type: "object", properties: { turns: { type: "integer" }, path: { type: "string" } } },
    run: async (input, context) => {
      log.push(`start ${context.callId}`);
      for (let i = 0; i < Number((input as { turns?: number }).turns ?? 1); i++)
        await new Promise((resolve) => setImmediate(resolve));
      log.push(`end ${context.callId}`);
      return found(`${context.callId} ran`);
    },
    ...more,
  });
}

test("calls of one answer run at the same time", async () => {
  const log: string[] = [];
  const b = bench({ tools: [recorded(log, "look")] });
  b.model.calls(call("c1", "look", { turns: 3 }), call("c2", "look", { turns: 1 })).says("done");
  await b.run();
  expect(log).toEqual(["start c1", "start c2", "end c2", "end c1"]);
});

test("a serial tool waits for all before it and all after it wait for it", async () => {
  const log: string[] = [];
  const b = bench({ tools: [recorded(log, "look"), recorded(log, "alone", { serial: true })] });
  b.model
    .calls(call("c1", "look", { turns: 3 }), call("c2", "look"), call("c3", "alone"), call("c4", "look"))
    .says("done");
  await b.run();
  expect(log).toEqual([
    "start c1",
    "start c2",
    "end c2",
    "end c1",
    "start c3",
    "end c3",
    "start c4",
    "end c4",
  ]);
});

test("calls on one key run one after the other in call order, others beside them [F05]", async () => {
  const log: string[] = [];
  const keyed = recorded(log, "edit", { lockKey: (input) => (input as { path: string }).path });
  const b = bench({ tools: [keyed] });
  b.model
    .calls(
      call("c1", "edit", { path: "a", turns: 3 }),
      call("c2", "edit", { path: "a" }),
      call("c3", "edit", { path: "b" }),
      call("c4", "edit", { path: "a" }),
    )
    .says("done");
  await b.run();
  const ofA = log.filter((line) => !line.endsWith("c3"));
  expect(ofA).toEqual(["start c1", "end c1", "start c2", "end c2", "start c4", "end c4"]);
  expect(log.indexOf("end c3")).toBeLessThan(log.indexOf("end c1"));
});

test("five edits of one file in one answer all land, fifty times over [F05]", async () => {
  for (let round = 0; round < 50; round++) {
    let file = "";
    const edit = tool("edit", {
      lockKey: () => "file",
      run: async (input) => {
        const before = file;
        await new Promise((resolve) => setImmediate(resolve));
        file = before + String((input as { x: number }).x);
        return found("edited");
      },
    });
    const b = bench({ tools: [edit] });
    b.model.calls(...[1, 2, 3, 4, 5].map((x) => call(`c${x}`, "edit", { x }))).says("done");
    await b.run();
    expect(file).toBe("12345");
  }
});

test("a call that fails does not hold up the next one on its key [F05]", async () => {
  const edit = tool("edit", {
    lockKey: () => "file",
    run: (input) =>
      (input as { x: number }).x === 1 ? Promise.reject(new Error("no")) : Promise.resolve(found("ok")),
  });
  const b = bench({ tools: [edit] });
  b.model.calls(call("c1", "edit", { x: 1 }), call("c2", "edit", { x: 2 })).says("done");
  const events = await b.run();
  expect(of(events, "tool_result").map((event) => event.is_error)).toEqual([true, false]);
});

test("a key that cannot be made is left to the tool to complain about", async () => {
  const edit = tool("edit", {
    lockKey: () => {
      throw new Error("no key");
    },
  });
  const b = bench({ tools: [edit] });
  b.model.calls(call("c1", "edit")).says("done");
  expect(of(await b.run(), "tool_result")[0]?.content).toBe("edit ran");
});

test("calls with equal or empty ids run once each with their own arguments and are answered in order [P09]", async () => {
  const b = bench({
    tools: [tool("bash", { run: (input) => Promise.resolve(found(`out ${(input as { x: number }).x}`)) })],
  });
  b.model
    .calls(call("same", "bash", { x: 1 }), call("same", "bash", { x: 2 }), call("", "bash", { x: 3 }))
    .says("done");
  b.model.calls(call("same", "bash", { x: 4 })).says("done");
  const events = [...(await b.run()), ...(await b.run("again"))];
  const ids = of(events, "tool_call").map((event) => event.id);
  expect(new Set(ids).size).toBe(4);
  const sent = b.model.requests
    .at(-1)!
    .messages.flatMap((message) => (message.role === "tool" ? message.parts : []));
  expect(sent.map((part) => (part.content[0] as { text: string }).text)).toEqual([
    "out 1",
    "out 2",
    "out 3",
    "out 4",
  ]);
  const calls = b.model.requests
    .at(-1)!
    .messages.flatMap((message) =>
      message.role === "assistant"
        ? message.parts.flatMap((part) => (part.type === "tool_call" ? [part.id] : []))
        : [],
    );
  expect(sent.map((part) => part.id)).toEqual(calls);
});

test("a noisy tool under a slow reader keeps only the newest output waiting", async () => {
  const b = bench({
    tools: [
      tool("bash", {
        run: (_input, context) => {
          for (let i = 0; i < 100; i++) context.progress("x".repeat(10_000));
          context.progress("newest");
          return Promise.resolve(found("ok"));
        },
      }),
    ],
  });
  b.model.calls(call("c1", "bash")).says("done");
  const deltas = of(await b.run(), "tool_progress").map((event) => event.delta);
  expect(deltas.join("").length).toBeLessThan(300_000);
  expect(deltas.join("")).toEndWith("newest");
});
