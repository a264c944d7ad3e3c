import { expect, test } from "bun:test";
import { Text, TuiAltScreen, VStack } from "@earendil-works/pi-tui";
import type { AgentEvent } from "../../../contract/events.ts";
import { noUsage } from "../../../contract/messages.ts";
import { FakeTerminal } from "../test-support/fake-terminal.ts";
import { testThemes } from "../test-support/plain-theme.ts";
import { AWKWARD, rowsOf, tooWide } from "../test-support/widths.ts";
import { QueueView } from "./queue-view.ts";
import { WorkingLine } from "./working-line.ts";

function started() {
  let now = 1_000_000;
  const ticks: { ms: number; ended: boolean }[] = [];
  let frames = 0;
  const line = new WorkingLine({
    themes: testThemes(),
    now: () => now,
    every: (ms) => {
      const tick = { ms, ended: false };
      ticks.push(tick);
      return () => {
        tick.ended = true;
      };
    },
    requestRender: () => frames++,
    hint: "Esc interrupts",
  });
  line.setBusy(true);
  return {
    line,
    ticks,
    after: (ms: number) => {
      now += ms;
    },
    row: (width = 80) => rowsOf(line, width).join("\n"),
    events: (...events: AgentEvent[]) => {
      for (const event of events) line.event(event);
    },
    frames: () => frames,
  };
}

const call = (id: string, name: string): AgentEvent => ({
  type: "tool_call",
  id,
  tool_name: name,
  tool_input: {},
});
const result = (id: string): AgentEvent => ({
  type: "tool_result",
  id,
  tool_name: "x",
  content: "",
  is_error: false,
  details: {},
  duration_ms: 1,
});

test("a run tells that it waits for the model, for how long, and what interrupts", () => {
  const { row, after } = started();
  expect(row()).toBe("⠋ Waiting for the model  0s  Esc interrupts");
  after(65_200);
  expect(row()).toBe("⠸ Waiting for the model  1m 05s  Esc interrupts");
});

test("thinking, answering, tools and compaction are told as they come", () => {
  const { row, events } = started();
  events({ type: "thinking_delta", delta: "hm ".repeat(40) });
  expect(row()).toBe("⠋ Thinking  0s  30 tokens  Esc interrupts");
  events({ type: "text_delta", delta: "x".repeat(8_000) });
  expect(row()).toBe("⠋ Answering  0s  2k tokens  Esc interrupts");
  events(call("1", "bash"));
  expect(row()).toStartWith("⠋ Running bash  ");
  events(call("2", "read"), call("3", "read"));
  expect(row()).toStartWith("⠋ Running 3 tools: bash, read  ");
  events(result("1"), result("2"), result("3"));
  expect(row()).toStartWith("⠋ Waiting for the model  ");
  events({ type: "compaction", kind: "summary", phase: "start", tokens_before: 1, tokens_after: 0 });
  expect(row()).toStartWith("⠋ Compacting the history  ");
});

test("counted tokens replace the estimate at the end of a turn", () => {
  const { row, events } = started();
  events({ type: "text_delta", delta: "x".repeat(400) });
  events({ type: "turn_end", turn: 1, usage: { ...noUsage(), output: 1_234 }, stop_reason: "end" });
  expect(row()).toContain("  1.2k tokens  ");
});

test("a retry counts down with its reason", () => {
  const { row, events, after } = started();
  events({ type: "retry", attempt: 2, delay_ms: 8_000, reason: "429 too many\nrequests" });
  expect(row()).toBe("⠋ Retry 2 in 8s: 429 too many requests  0s  Esc interrupts");
  after(3_500);
  expect(row()).toStartWith("⠏ Retry 2 in 5s: ");
  events({ type: "message_start", agent: "a", model: "m", provider: "p", role: "assistant", cwd: "/" });
  expect(row()).toContain("Waiting for the model");
});

test("the spinner ticks every 120 ms while it runs, each second when nobody looks, and not at all when idle [T02]", () => {
  const { line, ticks, row } = started();
  expect(ticks).toEqual([{ ms: 120, ended: false }]);
  line.setAnimated(false);
  expect(ticks).toEqual([
    { ms: 120, ended: true },
    { ms: 1_000, ended: false },
  ]);
  expect(row()).toStartWith("• ");
  line.setBusy(false);
  expect(ticks.every((tick) => tick.ended)).toBe(true);
  expect(row()).toBe("");
});

test("between two ticks the same row is given, so that a frame costs nothing [T02]", () => {
  const { line, after } = started();
  const first = line.render(80);
  after(50);
  expect(line.render(80)).toBe(first);
  after(80);
  expect(line.render(80)).not.toBe(first);
});

test("a tick of the spinner writes its own row and no other [T02]", () => {
  const { line, after } = started();
  const terminal = new FakeTerminal(80, 20);
  const tui = new TuiAltScreen(terminal);
  tui.setLayoutRoot(new VStack([new Text("transcript\n".repeat(10), 0, 0), line, new Text("status", 0, 0)]));
  tui.start();
  tui.renderNow();
  const before = terminal.written.length;
  after(120);
  tui.renderNow();
  const frame = terminal.written.slice(before).join("");
  tui.stop({ preserveScreen: true });
  expect(frame.match(/\x1b\[2K/g)).toHaveLength(1);
  expect(frame).toContain("⠙");
});

test("a narrow terminal keeps the phase longest", () => {
  const { row } = started();
  expect(row(32)).toBe("⠋ Waiting for the model  0s");
  expect(row(24)).toBe("⠋ Waiting for the model");
  expect(row(12)).toBe("⠋ Waiting f…");
  expect(row(1)).toBe("⠋");
});

test("no row is wider than the terminal at any width [T03]", () => {
  const { line, events } = started();
  events(call("1", AWKWARD), { type: "text_delta", delta: "x".repeat(9_999) });
  expect(tooWide(line)).toEqual([]);
  events({ type: "retry", attempt: 1, delay_ms: 1, reason: AWKWARD });
  expect(tooWide(line)).toEqual([]);
});

test("waiting messages are listed, the next first, with how to take them back", () => {
  const queue = new QueueView(testThemes(), "Alt+Up edits");
  expect(queue.render(80)).toEqual([]);
  queue.update([
    { text: "use bun\nand not npm", as: "steer" },
    { text: "then commit", as: "follow_up" },
    { text: "3", as: "follow_up" },
    { text: "4", as: "follow_up" },
  ]);
  expect(rowsOf(queue, 80)).toEqual([
    "next use bun … (2 lines)",
    "later then commit",
    "later 3",
    "1 more  Alt+Up edits",
  ]);
  queue.update([{ text: AWKWARD, as: "steer" }]);
  expect(tooWide(queue)).toEqual([]);
});
