import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { leftovers, type Workspace, workspace } from "@pi-ts/testkit";
import type { AskDoor, ConsentQuestion } from "../contract/consent.ts";
import type { OwnedProcess } from "../contract/process.ts";
import type { Clock } from "../contract/services.ts";
import { systemClock } from "../platform/clock.ts";
import { newId } from "../platform/ids.ts";
import { createProcessRegistry } from "../platform/processes/registry.ts";
import { AgentLog } from "./agent-log.ts";
import type { Handoff } from "./handoff.ts";
import { type ChildEnd, type ChildOptions, RunningChild } from "./run-child.ts";

const event = (fields: object) => `echo '${JSON.stringify(fields)}'`;
const ANSWER = event({ type: "message_end", stop_reason: "end", text: "the answer", usage: { total: 7 } });
const READ = "read -r handoff";

const options = (): Omit<ChildOptions, "child"> => ({
  handoff: { task: "t", agent: { id: "task-a" } } as Handoff,
  log: new AgentLog(),
  person: null,
  clock: systemClock,
  timeoutMs: 600_000,
  signal: new AbortController().signal,
  onAction: () => undefined,
  place: { give: () => undefined, take: async () => true },
});

/** Runs a shell script in the place of a subagent. */
async function play(
  script: string[],
  more: Partial<ChildOptions> = {},
): Promise<{ end: ChildEnd; child: RunningChild; left: string[] }> {
  await using ws = await workspace();
  const { end, child } = await playIn(ws, script, more);
  return { end, child, left: leftovers(ws.marker) };
}

async function playIn(ws: Workspace, script: string[], more: Partial<ChildOptions>) {
  const registry = createProcessRegistry({ environment: ws.env(), ownerId: newId(), clock: systemClock });
  try {
    const child = new RunningChild({
      child: registry.start({
        argv: ["sh", "-c", script.join("\n")],
        cwd: ws.path,
        stdin: "pipe",
        label: "x",
      }),
      ...options(),
      ...more,
    });
    return { end: await child.run(), child };
  } finally {
    await registry.endAll();
  }
}

test("an answer is the end of a run that is done, with what it used [A-SUB-03]", async () => {
  const { end, child } = await play([READ, ANSWER]);
  expect(end).toEqual({ state: "done", text: "the answer", reason: null, stderr: "" });
  expect(child.reader.usage.total).toBe(7);
});

test.each([
  [[READ, "exit 0"], "failed", "it ended with exit code 0 and gave no answer"],
  [[READ, "echo no such model >&2; exit 3"], "failed", "it ended with exit code 3 and gave no answer"],
  [[READ, "echo hello; echo there; exit 0"], "failed", "(its output held 2 lines that are no events)"],
  [
    [READ, event({ type: "message_end", stop_reason: "end", text: "" })],
    "failed",
    "it ended without an answer",
  ],
  [[READ, event({ type: "message_end", stop_reason: "max_turns", text: "so far" })], "failed", "max_turns"],
  [
    [
      READ,
      event({ type: "error", code: "daily_limit", message: "the day is used up" }),
      event({ type: "message_end", stop_reason: "limit", text: "" }),
    ],
    "failed",
    "a limit was reached: the day is used up",
  ],
  [
    [READ, event({ type: "message_end", stop_reason: "aborted", text: "" })],
    "killed",
    "told to end by somebody else",
  ],
  [[READ, "kill -9 $$"], "killed", "it was ended by SIGKILL"],
] as const)("%j ends as %s: %s [A04]", async (script, state, reason) => {
  const { end, left } = await play([...script]);
  expect(end.state).toBe(state);
  expect(end.reason).toContain(reason);
  expect(left).toEqual([]);
});

test("the last lines of stderr go with a failure, and what was said by then [A04]", async () => {
  const { end } = await play([
    READ,
    event({ type: "text_delta", delta: "half" }),
    "echo first >&2; echo last >&2; exit 1",
  ]);
  expect(end).toMatchObject({ state: "failed", text: "half", stderr: "first\nlast" });
});

test("one that hangs is ended at the limit of its type, which is named [A04]", async () => {
  const { end, left } = await play([READ, "sleep 1000 & setsid sleep 1000 & wait"], { timeoutMs: 200 });
  expect(end.state).toBe("timed_out");
  expect(end.reason).toContain("the limit of its type (timeout)");
  expect(left).toEqual([]);
});

test("silence is another limit than time, and told as such [A04]", async () => {
  const { end } = await play([READ, "sleep 1000"], { silenceMs: 200 });
  expect(end).toMatchObject({ state: "timed_out", reason: "it gave no sign of life for 0 s" });
});

test("one that closes its output and lives on is ended [A04]", async () => {
  const { end, left } = await play([READ, "exec >&- 2>&-", "sleep 1000"], {
    // The wait for its leaving is over at once; limits are long.
    clock: {
      now: systemClock.now,
      sleep: (ms, signal) => (ms === 10_000 ? Promise.resolve() : systemClock.sleep(ms, signal)),
    },
  });
  expect(end).toMatchObject({
    state: "failed",
    reason: "it closed its output without an answer and lived on",
  });
  expect(left).toEqual([]);
});

test("cancelling ends it with all that it started, also what moved away [A04]", async () => {
  const stop = new AbortController();
  const { end, left } = await play(
    [
      READ,
      "trap '' TERM",
      "setsid sleep 1000 &",
      event({ type: "tool_call", tool_name: "read", tool_input: {} }),
      "wait; sleep 1000",
    ],
    { signal: stop.signal, onAction: () => stop.abort() },
  );
  expect(end.state).toBe("cancelled");
  expect(left).toEqual([]);
});

test("the time without a place does not count, and the place comes back before it goes on [A03]", async () => {
  const calls: string[] = [];
  const { end } = await play(
    [
      READ,
      event({ type: "place", place: "give" }),
      event({ type: "place", place: "take" }),
      "read -r taken",
      ANSWER,
    ],
    {
      place: {
        give: () => calls.push("give"),
        take: async () => {
          calls.push("take");
          return true;
        },
      },
    },
  );
  expect([end.state, ...calls]).toEqual(["done", "give", "take"]);
});

test("a million deltas of a real process arrive complete and in order [A-SUB-03]", async () => {
  const count = 1_000_000;
  const line = (n: number) => `{"type":"text_delta","delta":"${n} "}\n`;
  const digits = (function sum(power: number, width: number): number {
    const end = Math.min(count, power * 10 - 1);
    return (end - power + 1) * width + (end < count ? sum(power * 10, width + 1) : 0);
  })(1, 1);
  const deltas = [READ, `seq -f '${line(0).trim().replace("0", "%.0f")}' ${count}`, "exit 1"];
  const { child, end } = await play(deltas);
  expect(child.reader.bytes).toBe(digits + count * (line(1).length - 1));
  expect(child.reader.garbage).toBe(0);
  const numbers = end.text.trim().split(" ").slice(1).map(Number);
  expect(numbers.length).toBeGreaterThan(20_000);
  expect(numbers).toEqual(numbers.map((_, index) => count - numbers.length + 1 + index));
});

test.skipIf(process.platform !== "linux")(
  "a full pipe stops a subagent whose parent has not read what came before: nothing piles up in the parent [A-SUB-03]",
  async () => {
    await using ws = await workspace();
    const registry = createProcessRegistry({ environment: ws.env(), ownerId: newId(), clock: systemClock });
    const stop = new AbortController();
    const pieces: number[] = [];
    let writtenAhead = 0;
    const child = registry.start({
      argv: ["sh", "-c", `${READ}; exec yes '${JSON.stringify({ type: "text_delta", delta: "x" })}'`],
      cwd: ws.path,
      stdin: "pipe",
      label: "x",
    });
    const running = new RunningChild({
      ...options(),
      signal: stop.signal,
      child: withOutput(child, async function* (stdout) {
        for await (const piece of stdout) {
          pieces.push(piece.length);
          yield piece;
          if (pieces.length > 1) continue;
          writtenAhead = (await writtenOnceStopped(child.pid)) - running.reader.bytes;
          stop.abort();
        }
      }),
    });
    expect((await running.run()).state).toBe("cancelled");
    expect(pieces.length).toBeGreaterThan(0);
    // A pipe, and what the runtime reads ahead.
    expect(writtenAhead).toBeGreaterThan(0);
    expect(writtenAhead).toBeLessThan(4 * 1024 * 1024);
    await registry.endAll();
  },
);

/** The same process with what `through` makes of its output. */
function withOutput(
  child: OwnedProcess,
  through: (stdout: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
): OwnedProcess {
  const stdout = through(child.stdout);
  return new Proxy(child, {
    get(target, name) {
      const value: unknown = name === "stdout" ? stdout : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Bytes that a process has written by the time that it writes no more: asleep, and the same count over many turns of our loop. */
async function writtenOnceStopped(pid: number): Promise<number> {
  for (let written = -1, turns = 0; ; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))![1]);
    const asleep = /^State:\tS/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    if (now !== written || now === 0 || !asleep) turns = 0;
    else if (turns >= 200) return now;
    written = now;
  }
}

const QUESTION = {
  call: { id: "1", name: "bash", kind: "run", input: { command: "git push" } },
  rule: "bash(git push:*)",
  reason: "git push",
  suggestions: ["bash(git push:*)"],
  lasting: true,
};
const ASKS = event({ type: "ask", id: 1, question: QUESTION });
/** Ends with what the parent answered as its text. */
const TELLS = `read -r answer; printf '{"type":"message_end","stop_reason":"end","text":"%s"}\\n' "$(printf %s "$answer" | tr -d '"')"`;

test("a question goes to the person with the subagent's name, never offers a yes for good, and its answer comes back [A07]", async () => {
  const asked: ConsentQuestion[] = [];
  const person: AskDoor = {
    async decide(question) {
      asked.push(question);
      return { answer: "always" };
    },
  };
  const { end } = await play([READ, ASKS, TELLS], { person });
  expect(asked).toEqual([{ ...QUESTION, from: "task-a", lasting: false } as ConsentQuestion]);
  expect(end.text).toBe("{ask:1,answer:{answer:always}}");
});

test.each([
  ["nobody is there", null, ASKS],
  ["it cannot be asked", { decide: () => Promise.reject(new Error("no terminal")) }, ASKS],
  [
    "it is no question",
    { decide: async () => ({ answer: "once" as const }) },
    event({ type: "ask", id: 1, question: { call: { name: "bash" } } }),
  ],
])("where %s the answer is no [A07]", async (_, person, line) => {
  const { end } = await play([READ, line, TELLS], { person });
  expect(end.text).toBe("{ask:1,answer:{answer:refuse}}");
});

test("a question is closed when the subagent no longer needs the answer, and when it ends [A07][A04]", async () => {
  const closed: string[] = [];
  const person: AskDoor = {
    decide: ({ call }, signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          closed.push(call.id);
          resolve({ answer: "once" });
        }),
      ),
  };
  const second = event({
    type: "ask",
    id: 2,
    question: { ...QUESTION, call: { ...QUESTION.call, id: "2" } },
  });
  await play([READ, ASKS, event({ type: "ask", id: 1, closed: true }), second, ANSWER], { person });
  expect(closed).toEqual(["1", "2"]);
});

/** Time that a test moves; sleeps end when it has come so far, or are given up. */
function movedClock(): Clock & { advance(ms: number): void } {
  let now = 0;
  const sleepers = new Set<{ until: number; wake: () => void }>();
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", () => resolve(), { once: true });
      }),
    advance(ms) {
      now += ms;
      for (const sleeper of sleepers) if (sleeper.until <= now) sleeper.wake();
    },
  };
}

test("the time in which the person thinks is nobody's: neither the limit of the type nor silence ends the subagent [A07][A04]", async () => {
  const clock = movedClock();
  const answer = Promise.withResolvers<{ answer: "once" }>();
  const asked = Promise.withResolvers<void>();
  const person: AskDoor = {
    decide: () => {
      asked.resolve();
      return answer.promise;
    },
  };
  const playing = play([READ, ASKS, TELLS], { person, clock, timeoutMs: 60_000, silenceMs: 60_000 });
  await asked.promise;
  clock.advance(3_600_000);
  answer.resolve({ answer: "once" });
  expect((await playing).end).toMatchObject({ state: "done", text: "{ask:1,answer:{answer:once}}" });
});
