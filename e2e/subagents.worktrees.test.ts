/** Subagents on worktrees of real repositories, and what is left when something dies. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { call, hang, hold, leftovers, modelServer, say, workspace } from "@pi-ts/testkit";
import { pi, startPi } from "./support/pi.ts";
import { stateFolder } from "./support/state.ts";
import {
  first,
  given,
  options,
  pidsOf,
  plays,
  textOf,
  told,
  until,
  userConfig,
} from "./support/subagents.ts";

test("five tasks on worktrees edit one dirty repository at once: the user's tree stays byte for byte until each is joined, and a clash loses nothing [A-SUB-02][A-SUB-04][A-SUB-05][A01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" }, { git: true });
  ws.write("a.txt", "one\n2\n3\n4\n5\n6\n7\n8\n9\n");
  ws.write("new.txt", "untracked\n");
  const before = { files: ws.snapshot(), status: ws.git("status", "--porcelain") };
  const numbers = [1, 2, 3, 4, 5];
  // The last two clash: both want the last line.
  const edits = (n: number) =>
    n < 4 ? `sed -i '${2 * n}s/.*/by ${n}/' a.txt` : `sed -i '9s/.*/by ${n}/' a.txt`;
  for (const n of numbers)
    plays(
      server,
      `JOB${n}.`,
      [call("bash", { command: `${edits(n)}; cat new.txt > copy${n}.txt; git add -A; git commit -qm j` })],
      `answer ${n}`,
    );
  server
    .when(first)
    .reply(call("agent", { tasks: numbers.map((n) => ({ agent: "task", task: `JOB${n}. do it` })) }));
  server.when((request) => told("go!")(request) && !told("join!")(request)).reply(say("all came"));
  const result = await pi(ws, ["-p", "go!"], options(server));
  expect(result.stdout).toBe("all came\n");
  const text = given(server);
  for (const n of numbers) expect(text).toContain(`answer ${n}`);
  expect({ files: ws.snapshot(), status: ws.git("status", "--porcelain") }).toEqual(before);
  const branches = [...text.matchAll(/branch (pi\/task-\w+)/g)].map((match) => match[1]!);
  expect(branches).toHaveLength(5);

  const ids = branches.map((branch) => branch.slice("pi/".length));
  // Commits of the agent's own are there, too.
  for (const branch of branches) expect(ws.git("log", "--format=%s", branch)).toStartWith("j\n");
  server
    .when((request) => told("join!")(request) && request.results.length === 1)
    .reply(...ids.map((id) => call("agent", { resume: id, apply: true })));
  server.when(told("join!")).reply(say("joined"));
  expect((await pi(ws, ["-c", "-p", "join!"], options(server))).stdout).toBe("joined\n");
  const joins = server.requests
    .at(-1)!
    .results.slice(1)
    .map(({ text: said }) => said);
  expect(joins.filter((said) => said.includes("is in the project now"))).toHaveLength(4);
  const clash = joins.find((said) => said.includes("clashes"))!;
  expect(clash).toContain("a.txt");
  const kept = /branch (pi\/task-\w+)/.exec(clash)![1]!;
  expect(ws.git("show", `${kept}:a.txt`)).toContain("by ");
  expect(ws.read("a.txt")).toMatch(/^one\nby 1\n3\nby 2\n5\nby 3\n7\n8\nby [45]\n$/);
  expect(ws.read("new.txt")).toBe("untracked\n");
  expect(existsSync(ws.at(".git/pi-worktrees.lock"))).toBe(false);
});

test.skipIf(Bun.which("bwrap") === null)(
  "a subagent's commands write to its own worktree and commit there, and to no other worktree, no branch and no file of the user [A-SUB-04][A01]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
    const git = ws.at(".git");
    const trees = `${git}/pi-worktrees`;
    const places = [
      ws.at("a.txt"),
      ws.at("fresh.txt"),
      ...["index", "HEAD", "config", "packed-refs", "hooks/pre-commit", "refs/heads/stray", "refs/stash"].map(
        (name) => `${git}/${name}`,
      ),
      `${git}/refs/heads/main`,
      `${git}/objects/pack/stray`,
      `${git}/objects/info/alternates`,
      `${trees}/stray`,
      '"$other/a.txt"',
      '"$other/fresh.txt"',
      `"${git}/worktrees/\${other##*/}/HEAD"`,
      `"${git}/refs/heads/pi/\${other##*/}"`,
      '"$other.json"',
    ];
    const attack = [
      `for other in ${trees}/task-*; do [ -d "$other" ] && [ "$other" != "$PWD" ] && break; done`,
      '[ -d "$other" ] && [ "$other" != "$PWD" ] && echo SIBLING',
      `for place in ${places.join(" ")}; do (echo x >> "$place") 2>/dev/null && echo "WROTE $place"; done`,
      "git branch stray 2>/dev/null && echo WROTE branch",
      'rm -rf "$other/a.txt" 2>/dev/null && echo WROTE removal',
      'echo mine > mine.txt && git add -A && git commit -qm mine && echo COMMITTED; echo x > "$TMPDIR/t" && echo TEMPORARY',
    ].join("\n");
    server
      .when((request) => told("VICTIM")(request) && request.results.length === 0)
      .reply(call("write", { file_path: "made.txt", content: "x" }));
    const attacked = Promise.withResolvers<void>();
    server.when(told("VICTIM")).reply(hold(attacked.promise), say("unharmed"));
    let output = "";
    server
      .when((request) => told("ATTACK")(request) && request.results.length === 0)
      .reply(hold(server.waitFor(3)), call("bash", { command: attack }));
    server
      .when((request) => {
        if (!told("ATTACK")(request)) return false;
        output = request.results[0]!.text;
        attacked.resolve();
        return true;
      })
      .reply(say("tried"));
    server.when(first).reply(
      call("agent", {
        tasks: [
          { agent: "task", task: "VICTIM" },
          { agent: "task", task: "ATTACK" },
        ],
      }),
    );
    server.when(told("go!")).reply(say("done"));
    const before = {
      files: ws.snapshot(),
      status: ws.git("status", "--porcelain"),
      refs: ws.git("show-ref", "main"),
    };
    expect((await pi(ws, ["-p", "go!"], options(server))).stdout).toBe("done\n");
    expect(output).toContain("SIBLING");
    expect(output).not.toContain("WROTE");
    expect(output).toContain("COMMITTED");
    expect(output).toContain("TEMPORARY");
    expect({
      files: ws.snapshot(),
      status: ws.git("status", "--porcelain"),
      refs: ws.git("show-ref", "main"),
    }).toEqual(before);
    const branches = [...given(server).matchAll(/branch (pi\/task-\w+)/g)].map((match) => match[1]!);
    expect(branches.map((branch) => ws.git("log", "-1", "--format=%s", branch).trim())).toEqual([
      expect.stringMatching(/^pi task-\w+: VICTIM$/),
      "mine",
    ]);
    expect(ws.git("ls-tree", "--name-only", branches[0]!).trim().split("\n")).toEqual(["a.txt", "made.txt"]);
    expect(leftovers(ws.marker)).toEqual([]);
  },
);

test("started from a git hook, a subagent on a worktree commits there: the user's branch and index stay [A-SUB-04][A01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  ws.write("a.txt", "staged\n");
  ws.git("add", "a.txt");
  plays(
    server,
    "JOB",
    [call("bash", { command: "echo x > made.txt && git add -A && git commit -qm theirs" })],
    "did it",
  );
  server.when(first).reply(call("agent", { agent: "task", task: "JOB" }));
  server.when(told("go!")).reply(say("done"));
  const before = [ws.git("log", "--all", "--format=%s"), ws.git("status", "--porcelain"), ws.snapshot()];
  const env = { GIT_DIR: ws.at(".git"), GIT_INDEX_FILE: ws.at(".git/index") };
  expect((await pi(ws, ["-p", "go!"], options(server, { env }))).stdout).toBe("done\n");
  const branch = /branch (pi\/task-\w+)/.exec(given(server))![1]!;
  expect(ws.git("log", "-1", "--format=%s", branch)).toBe("theirs\n");
  expect([
    ws.git("log", "--exclude=refs/heads/pi/*", "--all", "--format=%s"),
    ws.git("status", "--porcelain"),
    ws.snapshot(),
  ]).toEqual(before);
});

test("without a repository a task works in the project itself, and that is said [A06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  plays(server, "JOB", [call("write", { file_path: "made.txt", content: "x" })], "made it");
  server.when(first).reply(call("agent", { agent: "task", task: "JOB" }));
  server.when(told("go!")).reply(say("done"));
  await pi(ws, ["-p", "go!"], options(server));
  expect(ws.read("made.txt")).toBe("x");
  expect(given(server)).toContain("not on a worktree: this is no git repository");
});

test("an interrupted parent ends its subagents, and their work is on a branch [A04][A01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  server
    .when((request) => told("JOB")(request) && request.results.length === 0)
    .reply(call("write", { file_path: "made.txt", content: "x" }));
  server.when(told("JOB")).reply(hang());
  server.when(first).reply(call("agent", { agent: "task", task: "JOB" }));
  await using run = startPi(ws, ["-p", "go!"], options(server));
  await server.waitFor(3);
  process.kill(run.pid, "SIGINT");
  expect((await run.exited).code).toBe(130);
  expect(leftovers(ws.marker)).toEqual([]);
  const branch = ws.git("branch", "--list", "pi/*").trim();
  expect(ws.git("show", `${branch}:made.txt`)).toBe("x");
  server.allowProblems();
});

test("kill -9 of the parent leaves no process, and the work of its subagents is listed and pruned only where that is no loss [A01][A04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  server
    .when((request) => told("JOB1")(request) && request.results.length === 0)
    .reply(call("bash", { command: "echo work > made.txt; sleep 1000 & setsid sleep 1000 &" }));
  server.when(told("JOB")).reply(hang());
  const tasks = [1, 2].map((n) => ({ agent: "task", task: `JOB${n}` }));
  server.when(first).reply(call("agent", { tasks }));
  const run = startPi(ws, ["-p", "go!"], options(server));
  await server.waitFor(4);
  process.kill(run.pid, "SIGKILL");
  await run.exited;
  await until(() => leftovers(ws.marker).length === 0);
  const folder = ws.at(".git/pi-worktrees");
  const worktrees = () =>
    readdirSync(folder)
      .filter((name) => !name.endsWith(".json"))
      .sort();
  expect(worktrees()).toHaveLength(2);
  // The next subagent of anybody looks after them.
  server
    .when((request) => told("next!")(request) && request.results.length === 0)
    .reply(call("agent", { agent: "explore", task: "MORE" }));
  server.otherwise(() => [say("done")]);
  const next = await pi(ws, ["-p", "next!"], options(server));
  expect(next.stderr).toContain("/agents lists it");
  const [kept, ...more] = worktrees();
  expect(more).toEqual([]);
  expect(readFileSync(join(folder, kept!, "made.txt"), "utf8")).toBe("work\n");
  server.allowProblems();
});

test("kill -9 of a subagent is told as such with its work kept, and all it started is gone [A04][A01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  server
    .when((request) => told("JOB")(request) && request.results.length === 0)
    .reply(say("I begin"), call("bash", { command: "echo work > made.txt; setsid sleep 1000 &" }));
  server.when(told("JOB")).reply(say("half an ans"), hang());
  server.when(first).reply(call("agent", { agent: "task", task: "JOB" }));
  server.when(told("go!")).reply(say("done"));
  await using run = startPi(ws, ["-p", "go!"], options(server));
  await server.waitFor(3);
  for (const pid of pidsOf(ws, "--subagent")) process.kill(pid, "SIGKILL");
  expect((await run.exited).code).toBe(0);
  expect(given(server)).toMatch(/task-\w+ was killed: it was ended by SIGKILL/);
  const branch = /branch (pi\/task-\w+)/.exec(given(server))![1]!;
  expect(ws.git("show", `${branch}:made.txt`)).toBe("work\n");
  expect(leftovers(ws.marker)).toEqual([]);
});

test.skipIf(process.platform !== "linux")(
  "kill -9 of the parent, or of a subagent that has subagents, takes all of them along [A03][A04]",
  async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    userConfig(ws, { subagent: { maxDepth: 2 } });
    ws.write(
      join(stateFolder(ws), "agents", "boss.md"),
      "---\nname: boss\ntools: agent, read\n---\nYou delegate.\n",
    );
    server.when(told("DEEP")).reply(hang());
    server
      .when((request) => told("BOSS")(request) && request.results.length === 0)
      .reply(call("agent", { agent: "explore", task: "DEEP" }));
    server.when(first).reply(call("agent", { agent: "boss", task: "BOSS" }));
    server.when(told("go!")).reply(say("done"));
    await using run = startPi(ws, ["-p", "go!"], options(server));
    await server.waitFor(3);
    const childOf = (parent: number) =>
      pidsOf(ws, "--subagent").find((pid) => textOf(`/proc/${pid}/status`).includes(`PPid:\t${parent}\n`))!;
    process.kill(childOf(run.pid), "SIGKILL");
    expect((await run.exited).code).toBe(0);
    expect(given(server)).toContain("was killed: it was ended by SIGKILL");
    expect(leftovers(ws.marker)).toEqual([]);

    const again = startPi(ws, ["-p", "go!"], options(server));
    await server.waitFor(7);
    expect(pidsOf(ws, "--subagent")).toHaveLength(2);
    process.kill(again.pid, "SIGKILL");
    await again.exited;
    await until(() => leftovers(ws.marker).length === 0);
    server.allowProblems();
  },
);
