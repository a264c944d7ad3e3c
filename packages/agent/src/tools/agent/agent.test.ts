import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { PiError } from "../../contract/errors.ts";
import { noUsage } from "../../contract/messages.ts";
import type {
  AgentReport,
  AgentRequest,
  AgentState,
  AgentType,
  StartedAgent,
  Subagents,
} from "../../contract/subagents.ts";
import { commandContext } from "../shared/test-support/command-context.ts";
import { agentTool } from "./agent.ts";

const TYPES = ["explore", "quick_task"].map((name) => ({ name, description: `does ${name}` }) as AgentType);

function report(id: string, { agent, task }: AgentRequest, more: Partial<AgentReport> = {}): AgentReport {
  return {
    id,
    type: agent,
    task,
    state: "done",
    text: `answer to ${task}`,
    reason: null,
    stderr: "",
    usage: noUsage(),
    turns: 1,
    durationMs: 2_000,
    startedAt: 0,
    session: "s",
    lastAction: "",
    change: null,
    notes: [],
    ...more,
  };
}

/** Subagents that end when they are told to, or at once with what `ends` says of their task. */
function fakes(ends: (request: AgentRequest) => Partial<AgentReport> | "never" = () => ({})) {
  const agents = new Map<string, StartedAgent>();
  const requests: AgentRequest[] = [];
  const waits: string[] = [];
  const announced: string[] = [];
  const subagents: Subagents = {
    types: () => TYPES,
    list: () => [...agents.values()],
    get: (id) => agents.get(id),
    async start(request) {
      requests.push(request);
      const id = request.resume ?? `a${requests.length}`;
      const end = ends(request);
      const ended = Promise.withResolvers<AgentReport>();
      let now = report(id, request, end === "never" ? { state: "running", text: "" } : end);
      if (end !== "never") ended.resolve(now);
      const agent: StartedAgent = {
        steps: () => [],
        id,
        report: () => now,
        ended: ended.promise,
        onAction: (listener) => {
          listener("read a.ts");
          return () => undefined;
        },
        async stop() {
          now = { ...now, state: "cancelled" };
          ended.resolve(now);
          return now;
        },
      };
      agents.set(id, agent);
      return agent;
    },
    announce: ({ id }) => void announced.push(`announce ${id}`),
    heard: ({ id }) => void announced.push(`heard ${id}`),
    async whileWaiting(wait) {
      waits.push("give");
      try {
        return await wait();
      } finally {
        waits.push("take");
      }
    },
    apply: async (id) => ({ outcome: "joined", message: `joined ${id}`, files: ["f"] }),
  };
  return { subagents, requests, waits, announced, agents };
}

async function run(subagents: Subagents, input: object, signal = new AbortController().signal) {
  await using ws = await workspace();
  await using made = commandContext(ws, { signal });
  const outcome = await agentTool(subagents).run(input as never, made.context);
  return { ...outcome, live: made.live() };
}

test("one task gives back the answer with its state, and its place is free meanwhile [A-TOOL-12][A03]", async () => {
  const { subagents, waits } = fakes();
  const { text, isError, live, details } = await run(subagents, { agent: "explore", task: "look" });
  expect(text).toBe("[a1 is done (2 s, 1 model calls, 0 tokens)]\n\nanswer to look");
  expect([isError, live, ...waits]).toEqual([false, "a1: read a.ts\n", "give", "take"]);
  expect(details).toMatchObject({
    results: [{ agent: "explore", agent_id: "a1", status: "done", session_id: "s" }],
  });
});

test.each<[AgentState, string]>([
  ["failed", "failed"],
  ["timed_out", "timed out"],
  ["killed", "was killed"],
  ["cancelled", "was cancelled"],
])("%s is told as %s, with the reason, stderr and what was said by then [A04]", async (state, words) => {
  const { subagents } = fakes(() => ({ state, reason: "why", stderr: "last words", text: "half" }));
  const { text, isError } = await run(subagents, { agent: "explore", task: "look" });
  expect(text).toStartWith(`[a1 ${words}: why (`);
  expect(text).toContain("The end of its stderr:\nlast words");
  expect(text).toContain("What it had said:\nhalf");
  expect(isError).toBe(true);
});

test("of several tasks all results come, in the order of the call, and one good one is no error [A-TOOL-12]", async () => {
  const { subagents } = fakes(({ task }) => (task === "b" ? { state: "failed", text: "" } : {}));
  const tasks = ["a", "b", "c"].map((task) => ({ agent: "explore", task }));
  const { text, isError } = await run(subagents, { tasks });
  expect([...text.matchAll(/^\[(a\d)/gm)].map(([, id]) => id)).toEqual(["a1", "a2", "a3"]);
  expect(isError).toBe(false);
});

test.each([
  [{}, "Give agent and task"],
  [{ agent: "explore", task: "  " }, "Give agent and task"],
  [{ tasks: [] }, "The list is empty"],
  [{ tasks: [{ agent: "explore" }] }, "Each entry needs agent and task"],
  [{ tasks: Array.from({ length: 9 }, () => ({ agent: "explore", task: "x" })) }, "9 tasks are too many"],
  [{ chain: [{ agent: "explore", task: "x" }], background: true }, "A chain cannot run in the background"],
  [{ apply: true }, "apply needs resume"],
  [
    {
      tasks: [
        { agent: "explore", task: "x" },
        { agent: "nobody", task: "y" },
      ],
    },
    'no agent "nobody", and none was started',
  ],
  [{ resume: "a9" }, 'There is no subagent "a9" in this session. None was started yet.'],
])("%j is refused, and nothing is started [A-SUB-05]", async (input, words) => {
  const { subagents, requests } = fakes();
  const { text, isError } = await run(subagents, input);
  expect(text).toContain(words);
  expect([isError, requests]).toEqual([true, []]);
});

test("the end of a background agent is to be announced until somebody waited for it [A-TOOL-12]", async () => {
  const { subagents, announced } = fakes();
  await run(subagents, { agent: "explore", task: "y", background: true });
  expect(announced).toEqual(["announce a1"]);
  await run(subagents, { resume: "a1" });
  expect(announced).toEqual(["announce a1", "heard a1"]);
});

test("an interruption ends what the call began; the wait for a background agent ends alone [A04]", async () => {
  const stop = new AbortController();
  stop.abort();
  const { subagents, agents } = fakes(() => "never");
  expect((await run(subagents, { agent: "explore", task: "x" }, stop.signal)).text).toContain(
    "was cancelled",
  );
  await run(subagents, { agent: "explore", task: "y", background: true });
  const { text } = await run(subagents, { resume: "a2" }, stop.signal);
  expect(text).toBe("a2 is still running.");
  expect(agents.get("a2")?.report().state).toBe("running");
});

test("a refused start is told beside the results of the others [A03]", async () => {
  const { subagents } = fakes();
  const start = subagents.start;
  subagents.start = async (request) => {
    if (request.task === "b")
      throw new PiError({ code: "agent_limit", message: "no more", hint: "Do it yourself." });
    return await start(request);
  };
  const tasks = ["a", "b"].map((task) => ({ agent: "explore", task }));
  const { text } = await run(subagents, { tasks });
  expect(text).toContain("answer to a");
  expect(text).toContain("no more\nDo it yourself.");
});

test("a change is named with its branch and its size; apply joins it at once or later [A-SUB-04]", async () => {
  const change = { branch: "pi/a1", base: "b", stat: " a.txt | 1 +", folder: "/w" };
  const { subagents } = fakes(() => ({ change }));
  const { text } = await run(subagents, { agent: "quick-task", task: "x" });
  expect(text).toContain('branch pi/a1 and not in the project yet; agent {"resume": "a1", "apply": true}');
  expect(text).toContain("Ignored files are left in /w.");
  expect(text).toContain(" a.txt | 1 +");
  expect((await run(subagents, { resume: "a1", apply: true })).text).toBe("joined a1");
  expect((await run(subagents, { agent: "explore", task: "x", apply: true })).text).toContain("[joined a2]");
});

test("the other names are taken in lists, too [A-TOOL-12]", async () => {
  const { subagents, requests } = fakes();
  await run(subagents, { tasks: [{ type: "explore", prompt: "a" }] });
  expect(requests).toEqual([{ agent: "explore", task: "a" }]);
});

test("worktree holds for all tasks of a call that do not say otherwise [A-SUB-04]", async () => {
  const { subagents, requests } = fakes();
  const tasks = [
    { agent: "explore", task: "a" },
    { agent: "explore", task: "b", worktree: false },
  ];
  await run(subagents, { tasks, worktree: true });
  expect(requests.map(({ worktree }) => worktree)).toEqual([true, false]);
});
