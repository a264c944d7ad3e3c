import { expect, test } from "bun:test";
import { noUsage } from "../../contract/messages.ts";
import type { AgentReport } from "../../contract/subagents.ts";
import { agentsCommand } from "./agents.ts";
import type { AgentsPorts, AgentsReport } from "./agents-ports.ts";
import { completed, run } from "./test-support/run-command.ts";

const RUNNING: AgentReport = {
  id: "task-abcde",
  type: "task",
  task: "mend the parser",
  state: "running",
  text: "",
  reason: null,
  stderr: "",
  usage: { ...noUsage(), total: 12_345 },
  turns: 3,
  durationMs: 75_000,
  startedAt: 0,
  session: "s",
  lastAction: "bash npm test",
  change: null,
  notes: [],
};
const REPORT: AgentsReport = {
  running: [RUNNING],
  left: [
    { id: "task-abcde", branch: "pi/task-abcde", busy: true, folder: "/w/task-abcde", dirty: true, stat: "" },
    {
      id: "task-older",
      branch: "pi/task-older",
      busy: false,
      folder: "/w/task-older",
      dirty: true,
      stat: " a.txt | 1 +\n 1 file changed, 1 insertion(+)",
    },
  ],
  types: [{ name: "explore", description: "finds", role: "smol", from: "built in" }],
  problems: [{ file: "~/.pi-go/agents/x.md", line: 3, message: "no" }],
};

function ports(more: Partial<AgentsPorts["agents"]> = {}, report: Partial<AgentsReport> = {}): AgentsPorts {
  return {
    near: (name, known) => [...known].filter((each) => each.slice(0, 6) === name.slice(0, 6)),
    agents: {
      off: () => null,
      list: async () => ({ ...REPORT, ...report }),
      live: null,
      transcript: async () => [
        { who: "task", text: "mend the parser" },
        { who: "bash", text: '{"command":"npm test"}' },
      ],
      stop: async (id) => `${id} is stopped.`,
      apply: async (id) => ({ outcome: "joined", message: `applied ${id}`, files: [] }),
      merge: async (id) => ({ outcome: "conflict", message: `${id} clashes: a.txt`, files: ["a.txt"] }),
      drop: async (id) => `dropped ${id}`,
      ...more,
    },
  };
}

test("/agents shows state, time, tokens, last action and task, what is left over, and files that are no agents", async () => {
  const { said, failed } = await run(agentsCommand, "", ports());
  expect(failed).toBe(false);
  for (const part of ["task-abcde", "running", "1 min 15 s", "12,345", "bash npm test", "mend the parser"])
    expect(said).toContain(part);
  for (const part of [
    "task-older",
    "1 file changed, 1 insertion(+)",
    "/w/task-older (holds what no branch does)",
  ])
    expect(said).toContain(part);
  expect(said).toContain("~/.pi-go/agents/x.md:3");
});

test("where there is a screen /agents shows them live until the person leaves, and prints nothing; /agents list prints [A-TUI-02]", async () => {
  let shown = 0;
  const live = async () => void shown++;
  expect((await run(agentsCommand, "", ports({ live }))).said).toBe("");
  expect((await run(agentsCommand, "list", ports({ live }))).said).toContain("task-abcde");
  expect(shown).toBe(1);
  const busy = REPORT.left.filter((work) => work.busy);
  const empty = await run(agentsCommand, "", ports({ live }, { running: [], left: busy, problems: [] }));
  expect(empty.said).toContain("No subagent was started");
  expect(shown).toBe(1);
});

test("with nothing started it says how to see what there is", async () => {
  const { said } = await run(agentsCommand, "", ports({}, { running: [], left: [], problems: [] }));
  expect(said).toContain("/agents types");
  expect((await run(agentsCommand, "types", ports())).said).toContain("explore");
});

test("/agents show gives the steps of a transcript, and says when nothing is kept", async () => {
  expect((await run(agentsCommand, "show task-abcde", ports())).said).toContain("task: mend the parser");
  const none = await run(agentsCommand, "show task-older", ports({ transcript: async () => null }));
  expect(none).toMatchObject({ failed: true });
});

test("stop, apply and merge tell what came of it; a clash is a failure that names the files", async () => {
  expect((await run(agentsCommand, "stop task-abcde", ports())).said).toBe("task-abcde is stopped.");
  expect((await run(agentsCommand, "apply task-older", ports())).said).toBe("applied task-older");
  const clash = await run(agentsCommand, "merge task-older", ports());
  expect(clash.failed).toBe(true);
  expect(clash.said).toContain("a.txt");
});

test("drop asks first, and refuses what is still at work", async () => {
  expect((await run(agentsCommand, "drop task-older", ports(), { answers: [true] })).said).toBe(
    "dropped task-older",
  );
  expect((await run(agentsCommand, "drop task-older", ports(), { answers: [false] })).said).toContain(
    "is kept",
  );
  expect((await run(agentsCommand, "drop task-abcde", ports())).said).toContain("/agents stop task-abcde");
});

test("an unknown word or id changes nothing and names what is near", async () => {
  expect((await run(agentsCommand, "kill it", ports())).said).toContain("/agents show, stop");
  expect((await run(agentsCommand, "stop task-x", ports())).said).toContain('There is no subagent "task-x".');
});

test("words and ids complete", async () => {
  expect(await completed(agentsCommand, "s", ports())).toEqual(["show", "stop"]);
  expect(await completed(agentsCommand, "apply task-o", ports())).toEqual(["apply task-older"]);
});
