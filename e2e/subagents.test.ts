/** Subagents of the built program: real processes and a scripted model. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Block,
  call,
  hang,
  hold,
  leftovers,
  modelServer,
  type RecordedRequest,
  say,
  workspace,
} from "@pi-ts/testkit";
import { eventsOf } from "./support/events.ts";
import { anyPi, pi, startPi } from "./support/pi.ts";
import { sessionsOf, stateFolder } from "./support/state.ts";
import { first, given, options, plays, textOf, told } from "./support/subagents.ts";

test("an explore agent finds something out in a process of its own; write, sed -i and a nested agent change nothing [A-TOOL-12][A-SUB-03][A-SUB-06][A07][X03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "needle\n" });
  const before = ws.snapshot();
  plays(
    server,
    "FIND",
    [
      call("write", { file_path: "x.txt", content: "y" }),
      call("bash", { command: "sed -i s/needle/gone/ a.txt" }),
      call("agent", { agent: "task", task: "write" }),
      call("grep", { pattern: "needle" }),
    ],
    "it is in a.txt",
  );
  server.when(first).reply(call("agent", { type: "explore", prompt: "FIND the needle" }));
  server.when(told("go!")).reply(say("done"));
  const result = await pi(ws, ["-p", "go!"], options(server));
  expect(result).toMatchObject({ code: 0, stdout: "done\n" });
  expect(given(server)).toContain("it is in a.txt");
  const [write, sed, nested, grep] = server.requests.filter(told("FIND")).at(-1)!.results;
  for (const refused of [write, sed, nested]) expect(refused?.text).toContain("There is no tool named");
  expect(grep?.text).toContain("needle");
  expect(ws.snapshot()).toEqual(before);
  expect(leftovers(ws.marker)).toEqual([]);
});

test("a chain hands each answer on, as text and in JSON, and stops at the first that fails [A-TOOL-12]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.when(told("ONE")).reply(say('said "this"'));
  server.when(told('TWO <said "this"> <"said \\"this\\"">')).reply(say("two"));
  server.when(told("THREE")).reply({ kind: "fail", status: 401, headers: {} });
  server.when(first).reply(
    call("agent", {
      chain: [
        { agent: "explore", task: "ONE" },
        { agent: "explore", task: "TWO <{previous}> <{previous_json}>" },
        { agent: "explore", task: "THREE {previous}" },
        { agent: "explore", task: "FOUR" },
      ],
    }),
  );
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["-p", "go!"], options(server));
  expect(given(server)).toContain("two");
  expect(given(server)).toMatch(/explore-\w+ failed: it could not go on: .*401/);
  expect(given(server)).toContain("The chain stopped there: 1 of its 4 steps were not begun.");
});

test("a background agent returns a handle at once; its result is waited for, and it goes on with a new message [A-TOOL-12]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const id = (request: RecordedRequest) => /explore-\w+/.exec(request.results[0]?.text ?? "")?.[0] ?? "";
  server.when((request) => told("MORE")(request)).reply(say("second answer"));
  plays(server, "FIND", [], "first answer");
  server.when(first).reply(call("agent", { agent: "explore", task: "FIND", background: true }));
  const steps: ((id: string) => Block)[] = [
    (agent) => call("agent", { resume: agent }),
    (agent) => call("agent", { resume: agent, task: "MORE" }),
  ];
  server.otherwise((request) => {
    const step = steps[request.results.length - 1];
    return step === undefined ? [say("done")] : [step(id(request))];
  });
  expect((await pi(ws, ["-p", "go!"], options(server))).stdout).toBe("done\n");
  const [begun, got, more] = server.requests.at(-1)!.results.map(({ text }) => text);
  expect(begun).toContain("in the background");
  expect(got).toContain("first answer");
  expect(more).toContain("second answer");
  const [session] = sessionsOf(ws).filter(({ meta }) => meta["mode"] === "subagent");
  expect(sessionsOf(ws)).toHaveLength(2);
  expect(JSON.stringify(session?.records)).toContain("first answer");
});

test("pi -c never goes on with a subagent's session, which names its parent's [A-SUB-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  plays(server, "FIND", [], "found");
  server.when(first).reply(call("agent", { agent: "explore", task: "FIND" }));
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["-p", "go!"], options(server));
  const [parent, child] = ["print", "subagent"].map(
    (mode) => sessionsOf(ws).find(({ meta }) => meta["mode"] === mode)!,
  );
  expect(JSON.stringify(child!.records)).toContain(`"parent_session":"${parent!.id}"`);
  expect(child!.meta).toMatchObject({
    parent_session: parent!.id,
    agent: /explore-\w+/.exec(given(server))![0],
  });
  const events = eventsOf(await pi(ws, ["-c", "--mode", "json", "more"], options(server)));
  expect(events[0]?.session_id).toBe(parent!.id);
  const listed = await pi(ws, ["sessions", "list", "--all", "--json"], options(server));
  expect(JSON.parse(listed.stdout)).toMatchObject({
    sessions: expect.arrayContaining([
      expect.objectContaining({ id: child!.id, mode: "subagent", parent_session: parent!.id }),
    ]),
  });
});

test("a subagent of a mistyped name starts nothing, and the answer names what there is [A-SUB-01][A-SUB-05]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.when(first).reply(
    call("agent", {
      tasks: [
        { agent: "explore", task: "a" },
        { agent: "explorer", task: "b" },
      ],
    }),
  );
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["-p", "go!"], options(server));
  for (const name of ["explore", "plan", "designer", "reviewer", "task", "quick_task"])
    expect(given(server)).toContain(name);
  expect(server.requests).toHaveLength(2);
});

test("agents of an untrusted project do not exist; a trusted one's do, and a broken file hides no other [X01][A-SUB-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    ".pi-go/agents/broken.md": "---\nname: broken\n",
    ".pi-go/agents/helper.md":
      '---\nname: helper\ndescription: "helps: a lot"\ntools: [read]\n---\nYou help.\n',
    ".claude/agents/other.md":
      "---\nname: other\ntools: Read, Grep, Task\nmodel: sonnet\n---\nYou are other.\n",
  });
  server.otherwise(() => [say("done")]);
  const untrusted = await pi(ws, ["-p", "go!"], options(server));
  expect(untrusted.stderr).toContain("is not trusted");
  const trusted = await pi(ws, ["--trust", "-p", "go!"], options(server));
  expect(trusted.stderr).toContain(".pi-go/agents/broken.md:1");
  const described = server.requests.map(
    (request) => request.tools.find(({ name }) => name === "agent")?.description ?? "",
  );
  expect(described[0]).not.toContain("helper");
  expect(described[1]).toContain("helper (helps: a lot)");
  expect(described[1]).toContain("other");
});

test("a tool that an agent file lists and nobody has is told with the result, with the file [A-SUB-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    ".pi-go/agents/helper.md": "---\nname: helper\ntools: [read, grpe]\n---\nYou help.\n",
  });
  server.when(told("LOOK")).reply(say("looked"));
  server.when(first).reply(call("agent", { agent: "helper", task: "LOOK" }));
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["--trust", "-p", "go!"], options(server));
  expect(given(server)).toMatch(/looked[\s\S]*It worked without grpe, which \S+helper\.md lists/);
});

test("an answer of 5 MB comes back whole: cut for the model, all of it in a file that it can read [A-TOOL-12]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const answer = Array.from({ length: 50 }, (_, n) => `${n}:`.padEnd(100_000, "x€"));
  server.when(told("LONG")).reply(say(answer));
  server.when(first).reply(call("agent", { agent: "explore", task: "LONG" }));
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["-p", "go!"], options(server));
  const file = /all of it is in (\S+)/.exec(given(server))![1]!;
  expect(readFileSync(file, "utf8") === answer.join("")).toBe(true);
  expect(given(server).length).toBeLessThan(40_000);
});

test.skipIf(process.platform !== "linux")(
  "an answer of a million deltas comes back whole through a real subagent, and its parent's memory does not grow with their number [A-TOOL-12]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    let pid = 0;
    const peaks: number[] = [];
    // Short ones: an event is many times as large as what it adds to the answer.
    const deltas = Array.from({ length: 1_000_000 }, (_, n) => String(((n * n) % 97) % 10));
    server.when(told("FEW")).reply(say(deltas.join("")));
    server.when(told("MANY")).reply(say(deltas));
    server.when(first).reply(call("agent", { agent: "explore", task: "FEW" }));
    server
      .when((request) => {
        if (!told("go!")(request)) return false;
        peaks.push(Number(/VmHWM:\s+(\d+) kB/.exec(textOf(`/proc/${pid}/status`))![1]));
        return request.results.length === 1;
      })
      .reply(call("agent", { agent: "explore", task: "MANY" }));
    server.when(told("go!")).reply(say("done"));
    await using run = startPi(ws, ["-p", "go!"], options(server));
    pid = run.pid;
    expect((await run.exited).code).toBe(0);
    const files = [...given(server).matchAll(/all of it is in (\S+)/g)].map((match) => match[1]!);
    const whole = deltas.join("");
    expect(files.map((file) => readFileSync(file, "utf8") === whole)).toEqual([true, true]);
    const [one, million] = peaks;
    // Kibibytes: as objects the million events are more than 100 MB.
    expect(million! - one!).toBeLessThan(64 * 1024);
  },
);

test("after a restart a finished subagent goes on with a new message, knowing what it said [A-TOOL-12]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.when((request) => told("MORE")(request)).reply(say("second answer"));
  plays(server, "FIND", [], "first answer");
  server.when(first).reply(call("agent", { agent: "explore", task: "FIND" }));
  server.otherwise((request) => {
    const id = /explore-\w+/.exec(request.results[0]?.text ?? "")?.[0];
    const resumes = told("on!")(request) && request.results.length === 1;
    return resumes ? [call("agent", { resume: id, task: "MORE" })] : [say("done")];
  });
  await pi(ws, ["-p", "go!"], options(server));
  expect((await pi(ws, ["-c", "-p", "on!"], options(server))).stdout).toBe("done\n");
  expect(server.requests.at(-1)?.results.at(-1)?.text).toContain("second answer");
  expect(server.requests.find(told("MORE"))?.assistantTexts).toEqual(["first answer"]);
  expect(sessionsOf(ws)).toHaveLength(2);
});

test("a background agent that is at work when the run ends is ended, and that is told with the branch of its work [A04][A01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  const written = Promise.withResolvers<void>();
  server
    .when((request) => told("JOB")(request) && request.results.length === 0)
    .reply(call("write", { file_path: "made.txt", content: "x" }));
  server
    .when((request) => {
      if (told("JOB")(request)) written.resolve();
      return told("JOB")(request);
    })
    .reply(hang());
  server.when(first).reply(call("agent", { agent: "task", task: "JOB", background: true }));
  server.when(told("go!")).reply(hold(written.promise), say("done"));
  const result = await pi(ws, ["-p", "go!"], options(server));
  expect(result).toMatchObject({ code: 0, stdout: "done\n" });
  const branch = /the subagent task-\w+ was still at work and was ended.*branch (pi\/task-\w+)/.exec(
    result.stderr,
  )![1]!;
  expect(ws.git("show", `${branch}:made.txt`)).toBe("x");
  expect(leftovers(ws.marker)).toEqual([]);
  server.allowProblems();
});

test("pi doctor tells how many agents there are, and which files are none", async () => {
  await using ws = await workspace();
  ws.write(join(stateFolder(ws), "agents", "good.md"), "---\nname: good\n---\nGood.\n");
  ws.write(join(stateFolder(ws), "agents", "bad.md"), "---\nname: bad\n");
  const { stdout } = await pi(ws, ["doctor"], { entrance: anyPi() });
  expect(stdout).toContain("7 agents, 1 of them from files; at most 50 starts in a session");
  expect(stdout).toContain("bad.md:1: the front matter that begins in line 1 has no closing ---");
});
