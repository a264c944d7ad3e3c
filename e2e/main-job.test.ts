/** The job that the product exists for, over every wire, in one go and with a kill at every step. */
import { expect, test } from "bun:test";
import { existsSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { leftovers, modelServer, runProcess, type Wire, type Workspace, workspace } from "@pi-ts/testkit";
import { endOf, eventsOf, ofType, shapeOf } from "./support/events.ts";
import { JOB, jobModel, MENDED, type Place, REPORT, repository, STEP_COUNT } from "./support/job.ts";
import { pi, startPi, WIRES } from "./support/pi.ts";
import { messagesOf, onlySession } from "./support/state.ts";

async function expectJobDone(ws: Workspace): Promise<void> {
  expect(ws.read("src/rounding.sh")).toBe(MENDED);
  const tests = await runProcess(["bash", "tests/run.sh"], { cwd: ws.path, env: ws.env() });
  expect(tests.stdout).toEndWith("\n0 failed\n");
  expect(ws.git("status", "--porcelain").trim()).toBe("M src/rounding.sh");
}

test.each(WIRES)(
  "the main job over %s: found, mended, tested, reported and kept [A-AGENT-01][A-AGENT-02][A-OUT-03][A-SESS-01]",
  async (wire) => {
    await using server = await modelServer();
    await using ws = await workspace(repository(), { git: true });
    server.otherwise(jobModel());
    const result = await pi(ws, ["--mode", "json", "-p", JOB], { server, wire });
    expect(result.stderr).toBe("");
    expect(result.code).toBe(0);
    const events = eventsOf(result);
    expect(shapeOf(events).filter((type) => !/_(delta|progress)$|notice/.test(type))).toEqual([
      "message_start",
      ...Array.from({ length: STEP_COUNT - 1 }, () => ["turn_end", "tool_call", "tool_result"]).flat(),
      "turn_end",
      "message_end",
    ]);
    const calls = ofType(events, "tool_call").map((event) => event["tool_name"]);
    expect(calls).toEqual(["tree", "grep", "read", "edit", "bash"]);
    for (const outcome of ofType(events, "tool_result")) expect(outcome).toMatchObject({ is_error: false });
    expect(endOf(events)).toMatchObject({ stop_reason: "end", text: REPORT, turns: STEP_COUNT });
    await expectJobDone(ws);
    expectHonestUsage(endOf(events)["usage"] as Record<string, number>, server.bill, wire);
    expectWholeSession(ws, events[0]!.session_id);
    expect(leftovers(ws.marker)).toEqual([]);
  },
);

function expectHonestUsage(usage: Record<string, number>, bill: object, wire: Wire): void {
  const { requests, ...tokens } = bill as Record<string, number>;
  expect(requests).toBe(STEP_COUNT);
  const told = Object.keys(tokens).map((name) => [name, usage[name]]);
  const { reasoning, ...counted } = tokens;
  // Ollama counts thinking inside of its output and does not say how much it was.
  expect(Object.fromEntries(told)).toEqual({ ...counted, reasoning: wire === "ollama" ? 0 : reasoning });
}

function expectWholeSession(ws: Workspace, id: string): void {
  const session = onlySession(ws);
  expect(session.id).toBe(id);
  expect(session.meta).toMatchObject({ id, app: "pi-ts", cwd: ws.path, mode: "json", title: JOB });
  for (const [index, record] of session.records.entries())
    expect(record.parent).toBe(session.records[index - 1]?.id ?? null);
  const messages = messagesOf(session);
  expect(messages.filter((message) => message.role === "assistant")).toHaveLength(STEP_COUNT);
  expect(messages.filter((message) => message.role === "tool")).toHaveLength(5);
  expect(messages.at(-1)?.parts.at(-1)?.text).toBe(REPORT);
  expect(existsSync(join(session.folder, "lock"))).toBe(false);
}

/** Kills the agent while `step`'s answer is held, then lets a second process finish the job. */
async function killAndContinue(wire: Wire, step: number, place: Place): Promise<void> {
  await using server = await modelServer();
  await using ws = await workspace(repository(), { git: true });
  const never = new Promise(() => undefined);
  let request = jobModel({ step, place, until: never });
  server.otherwise((asked) => request(asked));
  {
    await using running = startPi(ws, ["--mode", "json", "-p", JOB], { server, wire });
    await server.waitFor(step + 1);
    if (place !== "before") await running.waitForOutput(turnsShown(step));
    running.kill("SIGKILL");
    await running.exited;
  }
  request = jobModel();
  await expectContinued(ws, { server, wire });
}

/** The deltas of the held answer are there: something followed the last turn's end that is no tool event. */
function turnsShown(step: number): RegExp {
  return new RegExp(`^(?:[^]*?"type":"turn_end"){${step}}[^]*?"type":"(?:text|thinking)_delta"`);
}

async function expectContinued(ws: Workspace, options: Parameters<typeof pi>[2] & object): Promise<void> {
  const result = await pi(ws, ["--mode", "json", "--continue", "-p", "go on"], options);
  expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
  expect(endOf(eventsOf(result))).toMatchObject({ stop_reason: "end", text: REPORT });
  await expectJobDone(ws);
  onlySession(ws);
}

const everyPoint = Array.from({ length: STEP_COUNT }, (_, step) =>
  (["before", "within", "after"] as const).map((place) => [step, place] as const),
).flat();

test.each(everyPoint)(
  "a kill in step %i, %s the answer, and the next process finishes the job [C01][A-AGENT-07][A-SESS-04]",
  async (step, place) => {
    await killAndContinue("anthropic", step, place);
  },
);

const otherWires = WIRES.filter((wire) => wire !== "anthropic").flatMap((wire) =>
  (
    [
      [0, "within"],
      [2, "after"],
      [3, "before"],
    ] as const
  ).map(([step, place]) => [wire, step, place] as const),
);

test.each(otherWires)(
  "on %s too: a kill in step %i, %s the answer [C01][A-AGENT-07]",
  async (wire, step, place) => {
    await killAndContinue(wire, step, place);
  },
);

test.each(WIRES)(
  "a kill in the middle of a command on %s: its processes end, the result is not invented, the job goes on [C01][B03]",
  async (wire) => {
    await using server = await modelServer();
    await using ws = await workspace({ ...repository(), ".hold": "" }, { git: true });
    server.otherwise(jobModel());
    {
      await using running = startPi(ws, ["--mode", "json", "-p", JOB], { server, wire });
      await running.waitForOutput(/"type":"tool_progress"[^\n]*"delta":"[^"]*running/);
      running.kill("SIGKILL");
      await running.exited;
    }
    const before = server.requests.length;
    unlinkSync(join(ws.path, ".hold"));
    ws.git("rm", "--quiet", "--cached", ".hold");
    ws.git("commit", "--quiet", "--message", "the tests hang no more");
    await expectContinued(ws, { server, wire });
    const [first] = server.requests.slice(before);
    expect(first?.results.at(-1)?.text).toStartWith("Interrupted");
  },
);
