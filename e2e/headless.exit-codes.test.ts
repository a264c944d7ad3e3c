/** The table of exit codes (`pi --help`), from the outside, in print and in JSON mode. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { call, fail, modelServer, say, stop, type Workspace, workspace } from "@pi-ts/testkit";
import { endOf, eventsOf, ofType } from "./support/events.ts";
import { pi, startPi } from "./support/pi.ts";
import { stateFolder } from "./support/state.ts";

type Script = Parameters<Awaited<ReturnType<typeof modelServer>>["reply"]>;

interface Ending {
  ends: string;
  answers: Script[];
  argv?: string[];
  code: number;
  stop: string;
  text?: string;
  /** What stderr tells in print mode. */
  told?: RegExp;
}

const ENDINGS: readonly Ending[] = [
  { ends: "with an answer", answers: [[say("hello")]], code: 0, stop: "end", text: "hello" },
  { ends: "without a word", answers: [[stop("end")]], code: 1, stop: "end", told: /without an answer/ },
  {
    ends: "at the output limit",
    answers: [[say("half"), stop("length")]],
    code: 1,
    stop: "length",
    text: "half",
    told: /output limit/,
  },
  {
    ends: "with a refusal",
    answers: [[say("I"), stop("filtered")]],
    code: 1,
    stop: "error",
    told: /refused/,
  },
  { ends: "with a 401", answers: [[fail(401)]], code: 1, stop: "error", told: /401[\s\S]*API key/ },
  { ends: "with a 403", answers: [[fail(403)]], code: 1, stop: "error", told: /403/ },
  { ends: "with a 404", answers: [[fail(404)]], code: 1, stop: "error", told: /404[\s\S]*model/ },
  { ends: "with a 400", answers: [[fail(400)]], code: 1, stop: "error", told: /400/ },
  {
    ends: "with a wait that is too long",
    answers: [[fail(429, { headers: { "retry-after": "3600" } })]],
    code: 1,
    stop: "error",
    told: /429/,
  },
  {
    ends: "after the last allowed turn",
    answers: [[call("ls", {})]],
    argv: ["--max-turns", "1"],
    code: 3,
    stop: "max_turns",
    told: /limit of this run/,
  },
  {
    ends: "in a circle",
    answers: Array.from({ length: 10 }, () => [call("ls", {})]),
    code: 3,
    stop: "limit",
    told: /10|same/,
  },
];

test.each(ENDINGS)(
  "a run that ends $ends exits with $code and tells it in both modes [H03][A-OUT-02][A-OUT-03]",
  async ({ answers, argv = [], code, stop: stopReason, text = "", told }) => {
    await using server = await modelServer();
    await using ws = await workspace({ "a.txt": "one" });
    for (const answer of answers) server.reply(...answer);
    const printed = await pi(ws, [...argv, "-p", "go"], { server });
    expect(printed.code).toBe(code);
    if (stopReason !== "error") expect(printed.stdout).toBe(text === "" ? "" : `${text}\n`);
    expect(printed.stderr).toMatch(told ?? /^$/);
    for (const answer of answers) server.reply(...answer);
    const result = await pi(ws, ["--mode", "json", ...argv, "-p", "go"], { server });
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code, stderr: "" });
    const events = eventsOf(result);
    expect(endOf(events)["stop_reason"]).toBe(stopReason);
    expect(ofType(events, "error")).toHaveLength(/^(error|limit)$/.test(stopReason) ? 1 : 0);
  },
);

test("the day's token limit exits with 3 before the request is made [H03][A-GUARD-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(`${stateFolder(ws)}/config.json`, '{ "guardrail": { "max_daily_tokens": 10 } }');
  const result = await pi(ws, ["--mode", "json", "-p", "go"], { server });
  expect(result.code).toBe(3);
  const events = eventsOf(result);
  expect(endOf(events)["stop_reason"]).toBe("limit");
  expect(ofType(events, "error")[0]).toMatchObject({ code: "daily_limit" });
  expect(server.requests).toHaveLength(0);
});

test("a time limit that ends a run is told: nobody has pressed a key [H03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(call("bash", { command: "sleep 600" }));
  const result = await pi(ws, ["--timeout", "1", "-p", "go"], { server });
  expect(result.stderr).toContain("warning: the run was stopped after 1 s (--timeout)\n");
});

test("a time limit ends the run and its command, and exits with 124 [H03][B02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(call("bash", { command: "sleep 600" }));
  const result = await pi(ws, ["--mode", "json", "--timeout", "1", "-p", "go"], { server });
  expect(result.code).toBe(124);
  expect(endOf(eventsOf(result))["stop_reason"]).toBe("aborted");
});

/** A closed port: no Ollama of this machine may answer instead. */
const NOBODY = { OLLAMA_HOST: "http://127.0.0.1:9" };

const REFUSALS: readonly { argv: string[]; code: number; told: RegExp; error: string }[] = [
  { argv: ["-p", "--nope", "go"], code: 2, told: /--nope/, error: "usage" },
  { argv: ["-p"], code: 2, told: /no prompt/, error: "usage" },
  { argv: ["-p", "--max-turns", "0", "go"], code: 2, told: /--max-turns .*"0"/, error: "usage" },
  { argv: ["-p", "--timeout", "soon", "go"], code: 2, told: /--timeout .*"soon"/, error: "usage" },
  { argv: ["-p", "--sandbox", "on", "go"], code: 2, told: /--sandbox .*"on"/, error: "usage" },
  { argv: ["-p", "--url", "ftp://x", "go"], code: 2, told: /--url .*ftp/, error: "usage" },
  { argv: ["-p", "--header", "novalue", "go"], code: 2, told: /--header takes name=value/, error: "usage" },
  { argv: ["-p", "--model"], code: 2, told: /--model needs/, error: "usage" },
  { argv: ["-p", "--tools", "reed", "go"], code: 2, told: /"reed".*read/, error: "usage" },
  { argv: ["-p", "--smol", "--slow", "go"], code: 2, told: /--smol, --slow/, error: "usage" },
  { argv: ["-p", "--session", "zzz", "go"], code: 2, told: /"zzz"/, error: "session_not_found" },
  { argv: ["-p", "--continue", "go"], code: 2, told: /no session to continue/, error: "usage" },
  { argv: ["-p", "--continue", "--no-session", "go"], code: 2, told: /--no-session/, error: "usage" },
  { argv: ["-p", "--model", "zork", "go"], code: 4, told: /"zork"/, error: "model_unknown" },
  { argv: ["-p", "--model", "openai/gpt-5.5", "go"], code: 4, told: /OPENAI_API_KEY/, error: "no_key" },
  { argv: ["-p", "go"], code: 4, told: /ANTHROPIC_API_KEY[\s\S]*pi demo/, error: "no_key" },
];

async function refused(ws: Workspace, argv: string[], withKey: boolean) {
  const env = withKey ? { ...NOBODY, ANTHROPIC_API_KEY: "sk-ant-not-used-0123456789" } : NOBODY;
  return pi(ws, argv, { env, input: "null" });
}

test.each(REFUSALS)(
  "pi $argv is refused with $code before any request, in events too [H03]",
  async ({ argv, code, told, error }) => {
    await using ws = await workspace();
    const printed = await refused(ws, argv, code === 2);
    expect({ code: printed.code, stdout: printed.stdout }).toEqual({ code, stdout: "" });
    expect(printed.stderr).toMatch(told);
    expect(printed.stderr).not.toMatch(/\bat .*:\d+:\d+/);
    const result = await refused(ws, ["--mode=json", ...argv], code === 2);
    expect(result.code).toBe(code);
    const events = eventsOf(result);
    expect(ofType(events, "error")[0]).toMatchObject({ code: error });
    expect(endOf(events)).toMatchObject({ stop_reason: "error", turns: 0 });
    expect(Object.keys(ws.snapshotOf("home"))).toEqual([]);
  },
);

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

test.if(process.platform !== "win32").each(SIGNALS)(
  "%s while a command runs exits with %i, ends the command and keeps a history that goes on [H03][B03][A-AGENT-07]",
  async (signal, code) => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(say("I wait."), call("bash", { command: "echo up; sleep 600" }));
    await using running = startPi(ws, ["--mode", "json", "-p", "go"], { server });
    await running.waitForOutput(/"type":"tool_progress"[^\n]*"delta":"up/);
    running.kill(signal);
    expect((await running.exited).code).toBe(code);
    const events = eventsOf(running);
    expect(endOf(events)["stop_reason"]).toBe("aborted");
    expect(ofType(events, "tool_result")[0]).toMatchObject({ is_error: true });
    server.reply(say("on"));
    const next = await pi(ws, ["-c", "-p", "go on"], { server });
    expect({ code: next.code, stdout: next.stdout }).toEqual({ code: 0, stdout: "on\n" });
  },
);

test.if(process.platform === "linux")(
  "a second SIGINT ends at once, also while the first one still waits for a stubborn command [H03]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.reply(call("bash", { command: "trap '' TERM; echo up; while :; do sleep 600; done" }));
    await using running = startPi(ws, ["--mode", "json", "-p", "go"], { server });
    await running.waitForOutput(/"type":"tool_progress"[^\n]*"delta":"up/);
    running.kill("SIGINT");
    await untilTaken(running.pid);
    running.kill("SIGINT");
    expect((await running.exited).code).toBe(130);
    expect(running.stdout).not.toContain('"message_end"');
  },
);

test.if(process.platform === "linux").each(SIGNALS)(
  "%s while it waits for input exits with %i",
  async (signal, code) => {
    await using ws = await workspace();
    await using running = startPi(ws, ["--mode", "json", "--stdin"], { input: "open" });
    await untilItListens(running.pid);
    running.kill(signal);
    expect((await running.exited).code).toBe(code);
    expect(endOf(eventsOf(running))["stop_reason"]).toBe("aborted");
  },
);

/** The process has taken SIGINT and SIGHUP over: bits of SigCgt in /proc. */
function untilItListens(pid: number): Promise<void> {
  return untilStatus(pid, "SigCgt", (signals) => (signals & 0b11n) === 0b11n);
}

/** No signal waits for the process any more: a second one of its kind would else be lost. */
function untilTaken(pid: number): Promise<void> {
  return untilStatus(pid, "ShdPnd", (signals) => signals === 0n);
}

async function untilStatus(pid: number, field: string, holds: (signals: bigint) => boolean): Promise<void> {
  for (;;) {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const value = new RegExp(`^${field}:\\s*([0-9a-f]+)`, "m").exec(status)?.[1];
    if (value !== undefined && holds(BigInt(`0x${value}`))) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
