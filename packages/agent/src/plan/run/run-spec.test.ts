import { expect, test } from "bun:test";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { PiError } from "../../contract/errors.ts";
import { noUsage } from "../../contract/messages.ts";
import type { AgentReport, AgentRequest, JoinedChange } from "../../contract/subagents.ts";
import { parsePlan } from "../spec/parse-plan.ts";
import { RunJournal } from "./journal.ts";
import type { RunPlace, RunProgress } from "./run-ports.ts";
import { type RunnableSpec, runSpec } from "./run-spec.ts";

const PLAN = `- [ ] Slice 1: one
  - verify: \`check one\`
- [ ] Slice 2: two
  - verify: \`check two\`
  - depends: 1
`;

const SPEC: RunnableSpec = {
  name: "x",
  briefing: "BRIEFING",
  slices: parsePlan(PLAN).slices,
  gates: [{ name: "all", command: "check all" }],
  criteria: null,
};

const JOINED: JoinedChange = { outcome: "joined", message: "joined", files: [] };

interface World {
  spec?: RunnableSpec;
  /** The end of each worker in their order; default: done, with a change. */
  workers?: Partial<AgentReport>[];
  reviewers?: Partial<AgentReport>[];
  /** Commands that fail, each entry once. */
  failing?: string[];
  takes?: JoinedChange[];
  verdicts?: string[];
  delivery?: JoinedChange;
  start?(request: AgentRequest): void;
}

/** A run on a place that only keeps books. */
async function run(file: string, world: World = {}, options = { retries: 1, fresh: false }) {
  const requests: AgentRequest[] = [];
  const commands: string[] = [];
  const progress: RunProgress[] = [];
  const stop = new AbortController();
  const failing = [...(world.failing ?? [])];
  let head = 0;
  let closed = 0;
  let agents = 0;
  const place: RunPlace = {
    id: "run-x-1",
    branch: "pi/run-x-1",
    base: "base",
    notes: [],
    resumes: true,
    head: async () => `head-${head}`,
    async start(request) {
      world.start?.(request);
      requests.push(request);
      const id = request.resume ?? `${request.agent}-${++agents}`;
      const reviewing = request.agent === "reviewer";
      const report: AgentReport = {
        id,
        type: request.agent,
        task: request.task,
        state: "done",
        text: reviewing ? (world.verdicts?.shift() ?? "VERDICT: PASS") : "handed over",
        reason: null,
        stderr: "",
        usage: noUsage(),
        turns: 1,
        session: "session",
        durationMs: 1,
        startedAt: 0,
        lastAction: "",
        change: reviewing ? null : { branch: `pi/${id}`, base: "base", stat: "", folder: null },
        notes: [],
        ...(reviewing ? world.reviewers?.shift() : world.workers?.shift()),
      };
      return {
        id,
        type: null as never,
        report: () => report,
        ended: Promise.resolve(report),
        onAction: () => () => undefined,
        stop: async () => report,
      } as unknown as Awaited<ReturnType<RunPlace["start"]>>;
    },
    async command(_worker, command) {
      commands.push(command);
      const at = failing.indexOf(command);
      if (at >= 0) failing.splice(at, 1);
      return { passed: at < 0, how: at < 0 ? "exit code 0" : "exit code 1", output: "OUTPUT", durationMs: 1 };
    },
    async take() {
      const joined = world.takes?.shift() ?? JOINED;
      if (joined.outcome === "joined") head++;
      return joined;
    },
    rescue: async (worker) => ({ branch: `pi/${worker}`, base: "base", stat: "", folder: null }),
    diff: async () => ({ stat: "", text: "DIFF", leftOut: 0 }),
    keep: async () => ({ branch: "pi/run-x-1", base: "base", stat: "", folder: null }),
    deliver: async () => ({ ...(world.delivery ?? JOINED), committed: true }),
    close: () => void closed++,
  };
  const opened: unknown[] = [];
  const report = await runSpec(world.spec ?? SPEC, options, {
    journal: new RunJournal(file),
    signal: stop.signal,
    ports: {
      clock: { now: () => 0, sleep: async () => undefined },
      tell: (step) => void progress.push(step),
      async open(resume) {
        opened.push(resume);
        return place;
      },
    },
  });
  return { report, requests, commands, progress, opened, closed };
}

const outcomes = ({ report }: Awaited<ReturnType<typeof run>>) =>
  report.slices.map(({ outcome, attempts }) => `${outcome} ${attempts}`);

test("slices in their order, their checks, the gates, the review, and then the merge [A-SOP-04]", async () => {
  await using ws = await workspace();
  const done = await run(join(ws.outside, "j"));
  expect(done.report).toMatchObject({ outcome: "merged", kept: [], repairs: 0, review: { verdict: "pass" } });
  expect(done.commands).toEqual(["check one", "check two", "check all"]);
  expect(done.requests.map(({ agent, worktree }) => [agent, worktree])).toEqual([
    ["task", true],
    ["task", true],
    ["reviewer", false],
  ]);
});

test("a worker is told what failed and goes on; after the last repair the slice and what needs it are not done [A-SOP-04]", async () => {
  await using ws = await workspace();
  const failing = ["check one", "check one"];
  const failed = await run(join(ws.outside, "j"), { failing });
  expect(outcomes(failed)).toEqual(["failed 2", "not begun 0"]);
  expect(failed.report).toMatchObject({ outcome: "failed", kept: ["pi/run-x-1", "pi/task-1"] });
  expect(failed.requests[1]).toMatchObject({ resume: "task-1", task: expect.stringContaining("OUTPUT") });
});

test("a change that clashes in the copy is done anew by another worker, and the old branch is named [A-SOP-04][A01]", async () => {
  await using ws = await workspace();
  const clash: JoinedChange = { outcome: "conflict", message: "a.ts clashes", files: ["a.ts"] };
  const { report, requests } = await run(join(ws.outside, "j"), { takes: [clash] });
  expect(report).toMatchObject({ outcome: "merged", kept: ["pi/task-1"] });
  expect(requests[1]).not.toHaveProperty("resume");
  expect(requests[1]!.task).toContain("a.ts clashes");
  expect(requests[1]!.task).toContain("pi/task-1");
});

test("a worker that dies is replaced or goes on, and a limit of subagents ends the run with its words [A-SOP-04][A03]", async () => {
  await using ws = await workspace();
  const killed = await run(join(ws.outside, "j1"), {
    workers: [{ state: "killed", reason: "SIGKILL", session: null, change: null }],
  });
  expect(killed.report.outcome).toBe("merged");
  expect(killed.requests[1]!.task).toContain("(killed): SIGKILL");
  const limited = await run(join(ws.outside, "j2"), {
    start() {
      throw new PiError({ code: "agent_limit", message: "50 subagents were started" });
    },
  });
  expect(limited.report).toMatchObject({
    outcome: "failed",
    message: expect.stringContaining("50 subagents"),
  });
});

test.each([
  [{ state: "cancelled" }, false],
  [{ state: "failed", reason: "a limit was reached", usedUp: true }, true],
] as const)(
  "a worker that ended as %j is not replaced: the slice is not done [A-SOP-04]",
  async (end, usedUp) => {
    await using ws = await workspace();
    const ended = await run(join(ws.outside, "j"), { workers: [end] });
    expect(outcomes(ended)).toEqual(["failed 1", "not begun 0"]);
    expect(ended.requests).toHaveLength(1);
    expect(ended.report).toMatchObject({ outcome: "failed", usedUp, kept: ["pi/run-x-1", "pi/task-1"] });
    expect(ended.report.message).toContain("not done in one attempt");
  },
);

test("a reviewer who dies is replaced once, one who was stopped or ran out of tokens is not, and nothing is merged [A-SOP-04]", async () => {
  await using ws = await workspace();
  const died = { state: "killed", reason: "SIGKILL" } as const;
  const twice = await run(join(ws.outside, "j1"), { reviewers: [died, died] });
  expect(twice.requests.filter(({ agent }) => agent === "reviewer")).toHaveLength(2);
  expect(twice.report).toMatchObject({ outcome: "failed", usedUp: false });
  const stopped = await run(join(ws.outside, "j2"), {
    reviewers: [{ state: "failed", reason: "a limit was reached", usedUp: true }],
  });
  expect(stopped.requests.filter(({ agent }) => agent === "reviewer")).toHaveLength(1);
  expect(stopped.report).toMatchObject({ outcome: "failed", usedUp: true, review: null });
  expect(stopped.report.message).toContain("could not be reviewed: a limit was reached");
});

test("each worker is named by what it works on, and the place is closed once when all is over [A-SOP-04][A-TUI-02]", async () => {
  await using ws = await workspace();
  const done = await run(join(ws.outside, "j"), { failing: ["check one", "check all"] });
  expect(done.requests.map(({ label }) => label)).toEqual([
    "slice 1: one",
    "slice 1: one",
    "slice 2: two",
    "mends x",
    "review of x",
  ]);
  expect(done.closed).toBe(1);
});

test("gates and reviewer get as many repairs as are allowed, and no verdict is no pass [A-SOP-04]", async () => {
  await using ws = await workspace();
  const mended = await run(join(ws.outside, "j1"), { failing: ["check all"] });
  expect(mended.report).toMatchObject({ outcome: "merged", repairs: 1 });
  const refused = await run(join(ws.outside, "j2"), { verdicts: ["well", "hm\nVERDICT: FAIL"] });
  expect(refused.report).toMatchObject({
    outcome: "failed",
    repairs: 1,
    review: { verdict: "fail", reasons: "hm" },
    message: "The reviewer said no:\nhm",
  });
});

test("a run that was cut off goes on: what is in the copy is not done again, also when its record is missing [A-SOP-04]", async () => {
  await using ws = await workspace();
  const file = join(ws.outside, "j");
  const journal = new RunJournal(file);
  journal.append({ type: "begin", run: "run-x-1", base: "base", at: 0 });
  journal.append({ type: "worker", slice: 1, agent: "task-a" });
  journal.append({ type: "taking", slice: 1, title: "one", agent: "task-a", head: "head-before" });
  journal.append({ type: "worker", slice: 2, agent: "task-b" });
  journal.append({ type: "repair", agent: "task-mender" });
  const again = await run(file);
  expect(again.opened).toEqual([{ id: "run-x-1", base: "base" }]);
  expect(outcomes(again)).toEqual(["before 1", "done 1"]);
  expect(again.report.kept).toEqual(expect.arrayContaining(["pi/task-b", "pi/task-mender"]));
  expect((await run(file)).opened).toEqual([null]);
});

test("a slice with another title is done anew, and fresh begins everything anew [A-SOP-04]", async () => {
  await using ws = await workspace();
  const file = join(ws.outside, "j");
  await run(file, { delivery: { outcome: "conflict", message: "clash", files: [] } });
  const slices = parsePlan(PLAN.replace("Slice 2: two", "Slice 2: another")).slices;
  const changed = await run(file, {
    spec: { ...SPEC, slices },
    delivery: { outcome: "conflict", message: "clash", files: [] },
  });
  expect(outcomes(changed)).toEqual(["before 1", "done 1"]);
  const fresh = await run(file, {}, { retries: 1, fresh: true });
  expect(fresh.opened).toEqual([null]);
  expect(outcomes(fresh)).toEqual(["done 1", "done 1"]);
});

test("a plan whose boxes are all ticked has nothing to be done [A-SOP-04]", async () => {
  await using ws = await workspace();
  const slices = parsePlan(PLAN.replaceAll("[ ]", "[x]")).slices;
  const { report, opened } = await run(join(ws.outside, "j"), { spec: { ...SPEC, slices } });
  expect([report.outcome, opened]).toEqual(["nothing", []]);
});
