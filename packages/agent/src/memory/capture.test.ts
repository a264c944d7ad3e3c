import { expect, test } from "bun:test";
import type { MemorySession } from "agentic-remem/runtime";
import type { PendingCall } from "../contract/callbacks.ts";
import type { ToolOutcome } from "../contract/tool.ts";
import { Capture } from "./capture.ts";

/** What the engine was handed, in order. */
function engine() {
  const heard: string[] = [];
  const session = {
    typed: ({ messageId, text, source }) => heard.push(`${source} ${messageId}: ${text}`),
    answer: ({ messageId, text }) => heard.push(`answer ${messageId}: ${text}`),
    tool: ({ tool, exitCode, failed }) => heard.push(`tool ${tool} ${exitCode ?? "-"} ${failed}`),
  } satisfies Partial<MemorySession>;
  return { heard, session: session as unknown as MemorySession };
}

const call = (name: string, kind: PendingCall["kind"]): PendingCall => ({ id: name, name, kind, input: {} });
const outcome = (more: Partial<ToolOutcome> = {}): ToolOutcome => ({
  outcome: "found",
  text: "out",
  isError: false,
  details: {},
  ...more,
});
const end = (text: string, stop: "end" | "aborted" = "end") => ({ stop, text, turns: 1, wentOn: false });

test("what was seen before the engine is open reaches it in order once it is [A-MEM-01]", () => {
  const { heard, session } = engine();
  const capture = new Capture();
  capture.prompt("t1", "please fix the failing test");
  capture.tool(call("bash", "run"), outcome({ details: { exit_code: 3 } }));
  capture.answer(end("done"));
  expect(heard).toEqual([]);
  capture.use(session);
  capture.prompt("t2", "next");
  expect(heard).toEqual([
    "interactive t1: please fix the failing test",
    "tool bash 3 false",
    "answer t1: done",
    "interactive t2: next",
  ]);
});

test.each(["We use pnpm.", "记住我们用制表符", "いつもタブを使って"])(
  "%p is short and reason enough to open a memory [R14]",
  (words) => {
    const capture = new Capture();
    capture.prompt("t1", words);
    expect(capture.wanted).toBe(true);
  },
);

test("a short prompt and a look around are no reason to open a memory, a change or a longer prompt is [R14]", () => {
  const little = new Capture();
  little.prompt("t1", "say hi");
  little.tool(call("ls", "inspect"), outcome());
  little.answer(end("hi"));
  expect(little.wanted).toBe(false);
  little.tool(call("edit", "edit"), outcome());
  expect(little.wanted).toBe(true);
  const more = new Capture();
  more.prompt("t1", "releases are made on Tuesdays");
  expect(more.wanted).toBe(true);
});

test("nothing is taken from a prompt that nobody typed, and its answer is still an answer [R03]", () => {
  const { heard, session } = engine();
  const capture = new Capture();
  capture.use(session);
  capture.prompt("t1", "");
  capture.answer(end("done"));
  expect(heard).toEqual(["answer t1: done"]);
});

test("an answer that broke off is none, and the two answers of a turn that went on are two [A-MEM-01]", () => {
  const { heard, session } = engine();
  const capture = new Capture();
  capture.use(session);
  capture.prompt("t1", "go");
  capture.answer(end("half", "aborted"));
  capture.answer(end("first"));
  capture.answer(end("second"));
  expect(heard.slice(1)).toEqual(["answer t1: first", "answer t1-2: second"]);
});

test("a call that a rule of ours refused is not looked at, one that failed is [R09]", () => {
  const { heard, session } = engine();
  const capture = new Capture();
  capture.use(session);
  capture.tool(call("read", "inspect"), outcome({ outcome: "not_looked", isError: true }));
  capture.tool(call("edit", "edit"), outcome({ outcome: "failed", isError: true }));
  expect(heard).toEqual(["tool edit - true"]);
});
