import { expect, test } from "bun:test";
import { stripTerminalSequences } from "@earendil-works/pi-tui";
import { noUsage } from "../../../contract/messages.ts";
import type { AgentReport, AgentStep, LeftAgentWork, StartedAgent } from "../../../contract/subagents.ts";
import { ManualTimers } from "../test-support/manual-timers.ts";
import { testThemes } from "../test-support/plain-theme.ts";
import { AgentsView } from "./agents-view.ts";

const ESC = "\x1b";
const DOWN = "\x1b[B";
const PAGE_UP = "\x1b[5~";
const END = "\x1b[F";

function agentReport(id: string, more: Partial<AgentReport> = {}): AgentReport {
  return {
    id,
    type: "task",
    task: `the task of ${id}\nin detail`,
    state: "running",
    text: "",
    reason: null,
    stderr: "",
    usage: { ...noUsage(), total: 12_345 },
    turns: 3,
    durationMs: 75_000,
    startedAt: 0,
    session: "s",
    lastAction: `bash ${id}`,
    change: null,
    notes: [],
    ...more,
  };
}

const CHANGE = { branch: "pi/x", base: "b", stat: " a.txt | 1 +\n 1 file changed", folder: null };
const LEFT: LeftAgentWork = {
  id: "task-older",
  branch: "pi/task-older",
  busy: false,
  folder: "/w/task-older",
  dirty: true,
  stat: " a.txt | 1 +\n 2 files changed",
};

/** A view on agents that a test changes. */
function bench(options: { rows?: number; left?: LeftAgentWork[] } = {}) {
  const reports = new Map<string, AgentReport>();
  const steps = new Map<string, AgentStep[]>();
  const timers = new ManualTimers();
  const commands: string[] = [];
  const listeners = new Set<(what: "agents" | "left") => void>();
  const counts = { frames: 0, looks: 0, closed: 0 };
  const left = options.left ?? [];
  const view = new AgentsView({
    board: {
      agents: () =>
        [...reports.keys()].map(
          (id) =>
            ({
              id,
              report: () => reports.get(id)!,
              steps: () => steps.get(id) ?? [],
            }) as unknown as StartedAgent,
        ),
      async left() {
        counts.looks++;
        return left;
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    themes: testThemes(),
    timers,
    rows: () => options.rows ?? 20,
    requestRender: () => void counts.frames++,
    command: (argument) => void commands.push(argument),
    onClose: () => void counts.closed++,
  });
  return {
    view,
    timers,
    commands,
    left,
    listeners,
    set(id: string, more: Partial<AgentReport> = {}, what: "agents" | "left" = "agents") {
      reports.set(id, agentReport(id, more));
      for (const listener of listeners) listener(what);
    },
    say(id: string, ...more: AgentStep[]) {
      steps.set(id, [...(steps.get(id) ?? []), ...more]);
    },
    press: (...keys: string[]) => {
      for (const key of keys) view.handleInput(key);
    },
    rows: (width = 100) => view.render(width).map(stripTerminalSequences),
    screen: () => view.render(100).map(stripTerminalSequences).join("\n"),
    counts,
  };
}

test("each subagent is shown with state, time, tokens, task and last action; those at work come first, then what is left over [A-TUI-02]", async () => {
  const { set, screen } = bench({ left: [LEFT, { ...LEFT, id: "task-other", busy: true }] });
  set("task-done", { state: "done", text: "all is well", change: CHANGE });
  set("task-aaaaa", { label: "slice 1: the parser" });
  set("task-wait", { state: "waiting" });
  await Promise.resolve();
  const shown = screen();
  expect(shown).toMatch(/2 at work, 2 with work to join or drop/);
  expect(shown).toMatch(
    /running +task-aaaaa +1m 15s 12\.3k slice 1: the parser +\n +bash task-aaaaa\n.*waits +task-wait.*\n.*\n.*done +task-done.*the task of task-done\n +1 file changed on pi\/x\n.*left over task-older.*\n.*2 files changed; \/w\/task-older holds what no branch does/,
  );
  expect(shown).not.toContain("task-other");
});

test("while one works the screen goes on each second; when none does nothing is done at all [A-TUI-02]", () => {
  const { set, timers, view, counts, listeners } = bench();
  expect(timers.running).toBe(0);
  set("task-aaaaa");
  expect(timers.running).toBe(1);
  const before = counts.frames;
  timers.advance(3_000);
  expect(counts.frames).toBe(before + 3);
  set("task-aaaaa", { state: "done" }, "left");
  expect(timers.running).toBe(0);
  set("task-bbbbb");
  view.close();
  expect([timers.running, listeners.size]).toEqual([0, 0]);
});

test("git is asked for what is left when that may have changed, one look at a time, and not for frames [A-TUI-02]", async () => {
  const { set, screen, counts } = bench();
  expect(counts.looks).toBe(1);
  for (let n = 0; n < 50; n++) set("task-aaaaa");
  screen();
  expect(counts.looks).toBe(1);
  for (let n = 0; n < 50; n++) set("task-aaaaa", { state: "done" }, "left");
  await new Promise((resolve) => setImmediate(resolve));
  expect(counts.looks).toBe(2);
});

test("a key that was meant for the editor does nothing by itself: it is pressed twice, for the same subagent [A-TUI-02][A-TUI-03]", () => {
  const { set, press, commands, screen } = bench();
  set("task-aaaaa");
  set("task-bbbbb");
  press("a", "m", "d");
  expect(commands).toEqual([]);
  press("s");
  expect(screen()).toContain("s again: stop task-aaaaa");
  press(DOWN, "s");
  expect(commands).toEqual([]);
  press("s");
  expect(commands).toEqual(["stop task-bbbbb"]);
});

test("ended work is applied, merged and dropped by keys; drop asks by itself [A-TUI-02]", async () => {
  const { set, press, commands } = bench({ left: [LEFT] });
  set("task-aaaaa", { state: "failed", reason: "no", change: CHANGE });
  await Promise.resolve();
  press("a", "a", "m", "m", "d", DOWN, "d");
  expect(commands).toEqual(["apply task-aaaaa", "merge task-aaaaa", "drop task-aaaaa", "drop task-older"]);
});

test("Enter opens the transcript, which follows what comes until somebody scrolls up, and again from its end on; Esc goes back, then leaves [A-TUI-02][A-TUI-03]", () => {
  const { set, say, press, screen, counts } = bench({ rows: 12 });
  set("task-aaaaa");
  set("task-bbbbb");
  press(DOWN, "\r");
  say("task-bbbbb", { kind: "task", text: "look" });
  for (let n = 0; n < 30; n++) say("task-bbbbb", { kind: "call", text: `read ${n}.ts` });
  say("task-bbbbb", { kind: "failed", text: "no such file" });
  expect(screen()).toMatch(/Subagent task-bbbbb[\s\S]*• read 29\.ts\n +no such file/);
  press(PAGE_UP);
  say("task-bbbbb", { kind: "said", text: "I look on" });
  expect(screen()).not.toContain("I look on");
  press(END);
  say("task-bbbbb", { kind: "said", text: "and on" });
  expect(screen()).toContain("and on");
  press(ESC);
  expect(screen()).toMatch(/› running +task-bbbbb/);
  expect(counts.closed).toBe(0);
  press(ESC);
  expect(counts.closed).toBe(1);
});

test("nothing is wider than the screen, taller than its place, or obeyed by the terminal [A-TUI-02]", async () => {
  for (const rows of [3, 5, 9, 20])
    for (const width of [1, 10, 40, 100]) {
      const b = bench({ rows, left: [LEFT] });
      for (let n = 0; n < 30; n++)
        b.set(`task-${n}`, { task: "\x1b[2J語語語語語語語語語語語語", lastAction: "\x1b]0;x\x07" });
      b.say("task-0", { kind: "said", text: `\x1b[31m${"word ".repeat(200)}` });
      await Promise.resolve();
      const { visibleWidth } = await import("@earendil-works/pi-tui");
      for (const open of [false, true]) {
        if (open) b.press("\r");
        const drawn = b.view.render(width);
        expect(drawn.length).toBeLessThanOrEqual(Math.max(3, rows));
        for (const line of drawn) {
          expect(visibleWidth(line)).toBeLessThanOrEqual(width);
          expect(line).not.toContain("\x1b[2J");
          expect(line).not.toContain("\x1b]0;x");
        }
      }
      b.view.close();
    }
});
