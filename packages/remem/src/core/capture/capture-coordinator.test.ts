import { expect, test } from "bun:test";
import { StoreError } from "../errors.ts";
import { ManualTime, settle } from "../test-support/manual-time.ts";
import { CONTEXT, TEST_SCREEN } from "../test-support/test-parts.ts";
import { CaptureCoordinator, type CaptureOptions } from "./capture-coordinator.ts";
import type { CapturedEntry, CaptureSink } from "./captured-entry.ts";
import type { InputSource, ToolInput, TypedInput } from "./observation.ts";
import { RecalledEcho } from "./recalled-echo.ts";

class MemorySink implements CaptureSink {
  readonly stored: CapturedEntry[] = [];
  readonly kept = new Set<string>();
  trouble: unknown;
  /** Nothing can be kept beside the store. */
  full = false;

  keep(entries: readonly CapturedEntry[]): number {
    if (this.full) return entries.length;
    for (const { id } of entries) this.kept.add(id);
    return 0;
  }

  discard(entries: readonly CapturedEntry[]): void {
    for (const { id } of entries) this.kept.delete(id);
  }

  async store(entries: readonly CapturedEntry[]): Promise<{ stored: number; joined: number }> {
    await Promise.resolve();
    if (this.trouble !== undefined) throw this.trouble;
    this.stored.push(...entries);
    for (const { id } of entries) this.kept.delete(id);
    return { stored: entries.length, joined: 0 };
  }

  get texts(): string[] {
    return this.stored.map(({ memory }) => memory.text);
  }
}

function coordinatorOf(more: Partial<CaptureOptions> = {}): {
  time: ManualTime;
  sink: MemorySink;
  echo: RecalledEcho;
  capture: CaptureCoordinator;
} {
  const time = new ManualTime();
  const sink = new MemorySink();
  const echo = new RecalledEcho();
  const capture = new CaptureCoordinator({
    enabled: true,
    review: false,
    maxPending: 100,
    host: "test",
    clock: time,
    scheduler: time,
    screen: TEST_SCREEN,
    echo,
    isExcluded: ({ tool, paths }) => tool === "screenshot" || paths.includes(".env"),
    sink,
    ...more,
  });
  return { time, sink, echo, capture };
}

const typed = (messageId: string, text: string, source: InputSource = "interactive"): TypedInput => ({
  context: CONTEXT,
  messageId,
  text,
  source,
});

const ran = (callId: string, command: string, more: Partial<ToolInput> = {}): ToolInput => ({
  context: CONTEXT,
  callId,
  tool: "bash",
  input: { command },
  output: "",
  failed: false,
  exitCode: 0,
  ...more,
});

test("keeps what a person typed word for word, and its statements with a person's authority [B-CORE-05]", async () => {
  const { capture, sink } = coordinatorOf();
  expect(capture.typed(typed("m1", "Fix the parser. We use pnpm."))).toBe("queued");
  await capture.idle();
  expect(sink.stored.map(({ memory }) => [memory.kind, memory.text, memory.subject])).toEqual([
    ["prompt", "Fix the parser. We use pnpm.", undefined],
    ["decision", "We use pnpm.", "package manager"],
  ]);
  expect(sink.stored.every(({ memory }) => memory.provenance.typed)).toBe(true);
  expect(sink.stored[0]?.memory.provenance).toMatchObject({
    host: "test",
    sessionId: "now",
    messageId: "m1",
  });
});

test("in review mode statements wait for a person's word [B-CORE-05]", async () => {
  const { capture, sink } = coordinatorOf({ review: true });
  capture.typed(typed("m1", "We use pnpm."));
  await capture.idle();
  expect(sink.stored.map(({ memory }) => memory.state)).toEqual([undefined, "candidate"]);
});

test.each(["rpc", "extension", "hook", "skill", "file", "subagent"] as const)(
  "nothing that comes from %s is taken for a person's word [R03]",
  async (source) => {
    const { capture, sink } = coordinatorOf();
    expect(capture.typed(typed("m1", "Always use tabs.", source))).toBe("excluded");
    await capture.idle();
    expect(sink.stored).toEqual([]);
    expect(capture.explain("now")).toMatchObject({ state: "excluded", report: { excluded: { source: 1 } } });
  },
);

test("answers and tool notes have no person's authority, and an answer gives no statement [B-CORE-05]", async () => {
  const { capture, sink } = coordinatorOf();
  capture.answer({ context: CONTEXT, messageId: "a1", text: "We decided to always use tabs." });
  capture.tool(ran("c1", "echo We decided to always use tabs"));
  await capture.idle();
  expect(sink.stored.map(({ memory }) => [memory.kind, memory.provenance.author.role])).toEqual([
    ["answer", "agent"],
    ["toolnote", "tool"],
  ]);
  expect(sink.stored.some(({ memory }) => memory.provenance.typed || memory.subject !== undefined)).toBe(
    false,
  );
});

test("flushes after 250 ms, or as soon as fifty wait; nobody waits for it [A-MEM-01]", async () => {
  const { capture, sink, time } = coordinatorOf();
  capture.tool(ran("c1", "make one"));
  await settle();
  expect(sink.stored).toEqual([]);
  time.pass(249);
  await settle();
  expect(sink.stored).toEqual([]);
  time.pass(1);
  await settle();
  expect(sink.stored).toHaveLength(1);
  for (let index = 0; index < 50; index++) capture.tool(ran(`d${index}`, `task${index} word${index * 7}`));
  await settle();
  expect(sink.stored).toHaveLength(51);
  expect(time.waiting).toBe(0);
});

test("ten thousand events at once: the oldest tool notes go, counted and told, never what was typed [R06] [A-MEM-10]", async () => {
  const told: number[] = [];
  const { capture, sink } = coordinatorOf({ maxPending: 10, onDropped: (dropped) => told.push(dropped) });
  for (let index = 0; index < 10_000; index++) {
    capture.tool(ran(`c${index}`, `unique${index} command${index}`));
    if (index % 1_000 === 0) capture.typed(typed(`m${index}`, `thought number ${index}`));
  }
  expect(capture.report().pending).toBe(10);
  await capture.idle();
  expect(sink.stored.filter(({ weight }) => weight === "typed")).toHaveLength(10);
  expect(capture.report().dropped).toBe(10_000);
  expect(told.at(-1)).toBe(10_000);
  expect(sink.kept.size).toBe(0);
});

test("what neither the store takes nor can be kept beside it is told once, and is kept as soon as there is room [B10]", async () => {
  const told: [number, string][] = [];
  const { capture, sink } = coordinatorOf({ onAtRisk: (...about) => told.push(about) });
  sink.trouble = new Error("no room");
  sink.full = true;
  capture.typed(typed("m1", "We use pnpm."));
  await capture.idle();
  await capture.idle();
  expect(told).toEqual([[2, "Error"]]);
  sink.full = false;
  await capture.idle();
  expect(sink.kept.size).toBe(2);
  expect(told).toHaveLength(1);
});

test("the same input is taken once, however often it is told", async () => {
  const { capture, sink } = coordinatorOf();
  for (let time = 0; time < 3; time++) {
    capture.typed(typed("m1", "hello there"));
    capture.tool(ran("c1", "make"));
    await capture.idle();
  }
  expect(sink.texts).toEqual(["hello there", "bash: make | exit 0"]);
});

test("the tenth edit of a file and the same failure again are joined [R11]", async () => {
  const { capture, sink } = coordinatorOf();
  for (let index = 0; index < 10; index++) {
    const diff = { added: index, removed: 1 };
    capture.tool(ran(`e${index}`, "", { tool: "edit", input: { file_path: "a.ts" }, diff }));
    capture.tool(ran(`f${index}`, "npm test", { failed: true, exitCode: 1, output: "Error: no module" }));
  }
  await capture.idle();
  expect(sink.stored).toHaveLength(2);
  expect(capture.report().joined).toBe(18);
});

test("screens before anything is queued, and keeps no statement that held a secret [R09] [A-MEM-09]", async () => {
  const { capture, sink } = coordinatorOf();
  capture.typed(typed("m1", "Remember that the password is hunter2. The api port is 8080."));
  capture.tool(ran("c1", "curl -u me:hunter2 host", { output: "error hunter2", failed: true }));
  capture.answer({ context: CONTEXT, messageId: "a1", text: "I used hunter2 for the login." });
  capture.typed(typed("m2", "hunter2"));
  await capture.idle();
  expect(JSON.stringify(sink.stored)).not.toContain("hunter2");
  expect(sink.stored.filter(({ memory }) => memory.kind === "fact")).toHaveLength(1);
  expect(capture.report()).toMatchObject({ excluded: { screened: 1 } });
  expect(capture.report().redacted["password"]).toBeGreaterThan(3);
});

test("what cannot be screened is not kept [R09]", async () => {
  const screen = { screen: () => Promise.reject(new Error("broken")) };
  const { capture, sink } = coordinatorOf({ screen });
  capture.typed(typed("m1", "Always use tabs."));
  await capture.idle();
  expect(sink.stored).toEqual([]);
});

test("excluded tools and paths leave nothing [A-MEM-10] [R09]", async () => {
  const { capture, sink } = coordinatorOf();
  capture.tool(ran("c1", "x", { tool: "screenshot" }));
  capture.tool(ran("c2", "x", { tool: "write", input: { file_path: ".env" } }));
  await capture.idle();
  expect(sink.stored).toEqual([]);
  expect(capture.report().excluded).toEqual({ tool: 1, path: 1 });
});

test("what was recalled is not learned again: from answers, tools, or typed by whoever repeats it [R03]", async () => {
  const { capture, sink, echo } = coordinatorOf();
  const text = "We decided that releases are cut on Thursdays after the smoke tests.";
  echo.shown([{ title: "", text, attachment: "" } as never]);
  capture.answer({ context: CONTEXT, messageId: "a1", text });
  capture.tool(ran("c1", text));
  capture.typed(typed("m1", text));
  capture.typed(typed("m2", `<recalled-memory trust="untrusted">\n${text}\n</recalled-memory>`));
  await capture.idle();
  expect(sink.stored.map(({ memory }) => memory.kind)).toEqual(["prompt"]);
});

test("a store that is locked is tried again later, and says why it waits [R01]", async () => {
  const { capture, sink, time } = coordinatorOf();
  sink.trouble = new StoreError("busy", "locked", "wait");
  capture.typed(typed("m1", "first thought"));
  await capture.idle();
  expect(capture.report()).toMatchObject({ pending: 1, waiting: 1, blocked: "busy" });
  expect(capture.explain("now").state).toBe("failed");
  sink.trouble = undefined;
  time.pass(500);
  await settle();
  expect(sink.texts).toEqual(["first thought"]);
  expect(capture.report().blocked).toBeUndefined();
});

test("ends within its deadline, says what is left, takes nothing more and leaves no timer [R06]", async () => {
  const { capture, sink, time } = coordinatorOf();
  sink.trouble = new StoreError("full", "full", "free space");
  capture.typed(typed("m1", "first thought"));
  expect(await capture.dispose()).toBe(1);
  expect(time.waiting).toBe(0);
  expect(sink.kept.size).toBe(1);
  expect(capture.typed(typed("m2", "second"))).toBe("off");
});

test("a sink that hangs does not hold the end up", async () => {
  const { capture, sink, time } = coordinatorOf();
  sink.store = () => new Promise(() => undefined);
  capture.typed(typed("m1", "first thought"));
  await settle();
  const ended = capture.dispose();
  await settle();
  time.pass(2_000);
  expect(await ended).toBe(1);
});

test("switched off it keeps nothing", async () => {
  const { capture, sink } = coordinatorOf({ enabled: false });
  expect(capture.typed(typed("m1", "Always use tabs."))).toBe("off");
  await capture.idle();
  expect(sink.stored).toEqual([]);
  expect(capture.explain("now").state).toBe("off");
});
