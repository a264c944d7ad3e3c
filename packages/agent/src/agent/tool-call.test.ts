import { expect, test } from "bun:test";
import { TINY_PNG } from "@pi-ts/testkit";
import type { ToolCallPart } from "../contract/messages.ts";
import type { AnyTool, ToolOutcome } from "../contract/tool.ts";
import { bench, found, of, tool } from "./test-support/bench.ts";
import { call } from "./test-support/fake-model.ts";

/** Lets the model make one call and gives its result event. */
async function resultOf(part: ToolCallPart, tools: AnyTool[]) {
  const b = bench({ tools });
  b.model.calls(part).says("done");
  const events = await b.run();
  expect(of(events, "message_end")[0]?.stop_reason).toBe("end");
  const sent = b.model.requests[1]?.messages.at(-1);
  return { event: of(events, "tool_result")[0]!, start: of(events, "tool_call")[0]!, sent };
}

test("an unknown tool is an error result that names near ones, and the run goes on [P01]", async () => {
  const { event } = await resultOf(call("c1", "raed"), [tool("read"), tool("write")]);
  expect(event).toMatchObject({ is_error: true, details: { outcome: "failed", code: "unknown_tool" } });
  expect(event.content).toContain('Did you mean "read"');
  expect(event.content).toContain("read, write");
});

test.each(["constructor", "__proto__", "toString", "hasOwnProperty", ""])(
  "a tool named %p is unknown like any other [P01]",
  async (name) => {
    const { event } = await resultOf(call("c1", name), [tool("read")]);
    expect(event.content).toContain("There is no tool named");
  },
);

test.each([" read ", "read\n", "Read", "READ"])("the name %p means read [P01]", async (name) => {
  const { event } = await resultOf(call("c1", name), [tool("read")]);
  expect(event).toMatchObject({ content: "read ran", is_error: false, tool_name: "read" });
});

test("letters' case decides where two tools differ in nothing else", async () => {
  const { event } = await resultOf(call("c1", "READ"), [tool("read"), tool("Read")]);
  expect(event.is_error).toBe(true);
});

test("a call with unreadable arguments does not run; the model reads where they break and what it sent [P01]", async () => {
  let ran = false;
  const problem = {
    kind: "malformed" as const,
    message: "unexpected end at position 15",
    raw: '{"command": "ls',
  };
  const bash = tool("bash", {
    run: () => {
      ran = true;
      return Promise.resolve(found(""));
    },
  });
  const { event, start, sent } = await resultOf(call("c1", "bash", {}, { problem }), [bash]);
  expect(ran).toBe(false);
  expect(start.tool_input).toEqual({});
  expect(event.content).toContain("position 15");
  expect(event.content).toContain('{"command": "ls');
  expect(sent).toMatchObject({ role: "tool", parts: [{ id: "c1", isError: true }] });
});

test("a tool that throws is a failed result", async () => {
  const { event } = await resultOf(call("c1", "read"), [
    tool("read", {
      run: () => {
        throw new Error("boom");
      },
    }),
  ]);
  expect(event).toMatchObject({
    content: "read failed: boom",
    is_error: true,
    details: { outcome: "failed" },
  });
});

test("a tool that gives back nothing readable is a failed result", async () => {
  const { event } = await resultOf(call("c1", "read"), [
    tool("read", { run: () => Promise.resolve(undefined as unknown as ToolOutcome) }),
  ]);
  expect(event).toMatchObject({ is_error: true, details: { outcome: "failed" } });
});

test("doors that cannot be opened are a failed result, not the end of the run", async () => {
  const b = bench({
    tools: [tool("read")],
    toolContext: () => {
      throw new Error("no doors");
    },
  });
  b.model.calls(call("c1", "read")).says("done");
  const events = await b.run();
  expect(of(events, "tool_result")[0]?.content).toContain("no doors");
  expect(of(events, "message_end")[0]?.text).toBe("done");
});

test("details hold the tool's fields and the outcome, and never reach the model", async () => {
  const { event, sent } = await resultOf(call("c1", "grep"), [
    tool("grep", {
      run: () =>
        Promise.resolve({ outcome: "empty", text: "no matches", isError: false, details: { total: 0 } }),
    }),
  ]);
  expect(event.details).toEqual({ total: 0, outcome: "empty" });
  expect(event.is_error).toBe(false);
  expect(sent).toMatchObject({ parts: [{ content: [{ type: "text", text: "no matches" }] }] });
});

test("a result without text says so", async () => {
  const { event } = await resultOf(call("c1", "run"), [
    tool("run", { run: () => Promise.resolve(found(" \n")) }),
  ]);
  expect(event.content).toBe("(no output)");
});

test("an image of a tool reaches the model beside its text", async () => {
  const image = { type: "image" as const, mimeType: "image/png", data: TINY_PNG };
  const { sent } = await resultOf(call("c1", "read"), [
    tool("read", { run: () => Promise.resolve({ ...found("a picture"), images: [image] }) }),
  ]);
  expect(sent).toMatchObject({ parts: [{ content: [{ text: "a picture" }, image] }] });
});

test("progress is told while the tool runs and is not part of the history", async () => {
  const b = bench({
    tools: [
      tool("bash", {
        run: (_input, context) => {
          const { progress } = context;
          progress("line 1\n");
          return Promise.resolve(found("ok"));
        },
      }),
    ],
  });
  b.model.calls(call("c1", "bash")).says("done");
  const events = await b.run();
  expect(of(events, "tool_progress")).toEqual([{ type: "tool_progress", id: "c1", delta: "line 1\n" }]);
  expect(JSON.stringify(b.conversation.list)).not.toContain("line 1");
});

test("the duration of a call is measured by the clock", async () => {
  const b = bench({
    tools: [
      tool("bash", {
        run: () => {
          b.clock.advance(1_234);
          return Promise.resolve(found("ok"));
        },
      }),
    ],
  });
  b.model.calls(call("c1", "bash")).says("done");
  expect(of(await b.run(), "tool_result")[0]?.duration_ms).toBe(1_234);
});

test("a tool that changes its input changes neither the event nor the history", async () => {
  const { start } = await resultOf(call("c1", "edit", { x: 1 }), [
    tool("edit", {
      run: (input: { x: number }) => {
        input.x = 99;
        return Promise.resolve(found("ok"));
      },
    }),
  ]);
  expect(start.tool_input).toEqual({ x: 1 });
});

test("half a surrogate pair in arguments, results and answers never reaches the file or a request [F19]", async () => {
  const b = bench({
    tools: [
      tool("echo", {
        input: { type: "object", properties: { text: { type: "string" } } },
        run: (input: { text: string }) => Promise.resolve(found(`${input.text}\ude00 cut \ud83d`)),
      }),
    ],
  });
  b.model.calls(call("c1", "echo", { text: "a\ud83d", "k\ud83d": 1 })).says("end \ud83d");
  const events = await b.run("prompt \udc00");
  b.model.says("again");
  await b.run("next");
  const everything = [b.conversation.list, b.model.requests.map((request) => request.messages), events];
  // JSON writes a lone surrogate as an escape.
  expect(JSON.stringify(everything)).not.toMatch(/\\ud[89a-f]/);
});

test("a pair that is split over two deltas is shown whole [P13]", async () => {
  const b = bench();
  b.model.script(
    { type: "text_delta", delta: "smile \ud83d" },
    { type: "text_delta", delta: "\ude00!" },
    b.model.end([{ type: "text", text: "smile 😀!" }]),
  );
  const deltas = of(await b.run(), "text_delta").map((event) => event.delta);
  expect(deltas).toEqual(["smile ", "😀!"]);
});
