/** `pi run SPEC` on the built executable: workers, checks, repairs, the merge, and what is left when something goes wrong. */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { call, hang, leftovers, modelServer, say, usage, workspace } from "@pi-ts/testkit";
import { eventsOf } from "./support/events.ts";
import { type PiResult, pi, startPi } from "./support/pi.ts";
import { allGoesWell, ofMender, ofReviewer, ofSlice, PLAN, PROMPT, spec, works } from "./support/plans.ts";
import { options, until, userConfig } from "./support/subagents.ts";

const codeAnd = ({ code, stdout, stderr }: PiResult) => ({ code, stdout, stderr: code === 0 ? "" : stderr });

test("a spec is carried out by workers, mended after a failing gate, reviewed and merged as one commit; slices are ticked [A-SOP-04][A-SUB-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws);
  allGoesWell(server);
  const run = await pi(ws, ["run", "files"], options(server));
  expect(codeAnd(run)).toMatchObject({ code: 0, stdout: expect.stringContaining("files: merged\n") });
  for (const name of ["one", "two", "three", "whole"]) expect(ws.read(`${name}.txt`)).toBe(`${name}\n`);
  expect(ws.git("log", "-1", "--format=%s")).toBe("feat: carry out the spec files\n");
  expect(ws.git("log", "--format=%s").trim().split("\n")).toHaveLength(2);
  expect(ws.read("specs/files/plan.md")).toBe(PLAN.replaceAll("[ ]", "[x]"));
  const summary = ws.read("specs/files/SUMMARY.md");
  expect(summary).toContain("outcome: **merged**");
  expect(summary).toContain("repairs of the whole: 1");
  expect(summary).toContain("passed: whole (`test -f whole.txt`, exit code 0");
  expect(ws.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
  expect(ws.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  const review = server.requests.find(ofReviewer)!.userTexts.join("\n");
  expect(review).toContain("+whole");
  expect(review).toContain("every file holds its own name");
  const mended = server.requests.find(ofMender)!.userTexts.join("\n");
  expect(mended).toContain("test -f whole.txt");
});

test("until the merge the user's files stay byte for byte, and their own changes meanwhile are kept [A-SOP-04][A06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws);
  ws.write("a.txt", "not committed\n");
  const before = {
    files: ws.snapshot(),
    status: ws.git("status", "--porcelain"),
    log: ws.git("log", "--oneline"),
  };
  let seen: unknown = null;
  for (const [slice, name] of [
    [1, "one"],
    [2, "two"],
    [3, "three"],
  ] as const)
    works(server, ofSlice(slice), { [`${name}.txt`]: `${name}\n` });
  works(server, ofMender, { "whole.txt": "whole\n" });
  server
    .when((request) => {
      if (!ofReviewer(request)) return false;
      seen = {
        files: ws.snapshot(),
        status: ws.git("status", "--porcelain"),
        log: ws.git("log", "--oneline"),
      };
      ws.write("b.txt", "written meanwhile\n");
      return true;
    })
    .reply(say("VERDICT: PASS"));
  const run = await pi(ws, ["run", "files"], options(server));
  expect(codeAnd(run)).toMatchObject({ code: 0 });
  expect(seen).toEqual(before);
  expect([ws.read("a.txt"), ws.read("b.txt"), ws.read("one.txt")]).toEqual([
    "not committed\n",
    "written meanwhile\n",
    "one\n",
  ]);
  expect(ws.git("status", "--porcelain", "a.txt", "b.txt")).toBe(" M a.txt\n?? b.txt\n");
});

test("a worker whose verify command fails gets its output and goes on in the same session; slices run beside each other only where the plan says so [A-SOP-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws, PLAN, PROMPT.replace(/- \*\*whole.*\n/, ""));
  server
    .when((request) => ofSlice(1)(request) && request.results.length === 0)
    .reply(call("write", { file_path: "one.txt", content: "wrong\n" }));
  server
    .when((request) => ofSlice(1)(request) && !request.text.includes("It is not done yet"))
    .reply(say("handed over"));
  server
    .when((request) => ofSlice(1)(request) && request.results.length === 1)
    .reply(call("edit", { file_path: "one.txt", old_string: "wrong", new_string: "one" }));
  server.when(ofSlice(1)).reply(say("mended"));
  works(server, ofSlice(2), { "two.txt": "two\n" });
  works(server, ofSlice(3), { "three.txt": "three\n" });
  server.when(ofReviewer).reply(say("VERDICT: PASS"));
  const run = await pi(ws, ["run", "files", "--mode", "json"], options(server));
  expect(codeAnd(run)).toMatchObject({ code: 0 });
  const events = eventsOf(run);
  expect(events[0]).toMatchObject({ type: "message_start" });
  expect(events.at(-1)).toMatchObject({ type: "message_end", stop_reason: "end" });
  const retry = server.requests.find((request) => request.text.includes("It is not done yet"))!;
  expect(retry.userTexts.at(-1)).toContain("grep -q one one.txt");
  const steps = events
    .filter(({ type }) => type === "slice_begin" || type === "slice_end")
    .map(({ type, slice, attempt }) => `${type} ${slice}${attempt === undefined ? "" : `.${attempt}`}`);
  expect(steps.slice(0, 5)).toEqual([
    "slice_begin 1.1",
    "slice_begin 1.2",
    "slice_end 1",
    "slice_begin 2.1",
    "slice_begin 3.1",
  ]);
  expect(events.find(({ type }) => type === "run_end")).toMatchObject({ outcome: "merged", kept: [] });
});

test("what does not get done is not merged: the run fails after its repairs, and the work is kept and named [A-SOP-04][A01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws);
  const before = ws.snapshot();
  works(server, ofSlice(1), { "one.txt": "wrong\n" });
  const run = await pi(ws, ["run", "files", "--retries", "1"], options(server));
  expect(run.code).toBe(1);
  expect(run.stdout).toContain("files: failed\nSlice 1 (the first file) was not done in 2 attempts.");
  const [, branch] = /kept: (pi\/task-\w+)/.exec(run.stdout)!;
  expect(ws.git("show", `${branch}:one.txt`)).toBe("wrong\n");
  const { "specs/files/SUMMARY.md": summary, ...after } = ws.snapshot();
  expect(summary).toBeDefined();
  expect(after).toEqual(before);
});

test("a run that the day's token limit ends is not tried again, keeps its work, and exits with 3 [A-SOP-04][H03][Q03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws);
  userConfig(ws, { guardrail: { max_daily_tokens: 60_000 } });
  server
    .when((request) => ofSlice(1)(request) && request.results.length === 0)
    .reply(
      usage({ input: 50_000, output: 5_000 }),
      call("write", { file_path: "one.txt", content: "one\n" }),
    );
  const run = await pi(ws, ["run", "files", "--mode", "json"], options(server));
  expect(run.code).toBe(3);
  const events = eventsOf(run);
  expect(events.filter(({ type }) => type === "retry")).toEqual([]);
  expect(events.find(({ type }) => type === "run_end")).toMatchObject({
    outcome: "failed",
    used_up: true,
    kept: [expect.stringMatching(/^pi\/task-/)],
  });
  expect(events.at(-1)).toMatchObject({ type: "message_end", stop_reason: "limit" });
  expect(server.requests).toHaveLength(1);
});

test("a gate that hangs fails, a reviewer who says no ends the run after the repairs, and nothing is merged [A-SOP-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  const one = PLAN.slice(0, PLAN.indexOf("- [ ] Slice 2"));
  spec(ws, one, PROMPT.replace(/- \*\*files[\s\S]*$/, "- **slow**: `sleep 600`\n"));
  works(server, ofSlice(1), { "one.txt": "one\n" });
  const slow = await pi(ws, ["run", "files", "--retries", "0", "--gate-timeout", "1"], options(server));
  expect(slow.code).toBe(1);
  expect(slow.stdout).toContain("The gate failed (it took longer than 1 s and was ended)");
  expect(server.requests.some(ofReviewer)).toBe(false);

  spec(ws, one, PROMPT.replace(/- \*\*files[\s\S]*$/, "- **quick**: `true`\n"));
  server.when(ofReviewer).reply(say("one.txt:1 is no good.\nVERDICT: FAIL"));
  const refused = await pi(ws, ["run", "files", "--retries", "0"], options(server));
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain("The reviewer said no:\none.txt:1 is no good.");
  expect(ws.exists("one.txt")).toBe(false);
  expect(ws.read("specs/files/SUMMARY.md")).toContain("FAIL\n\none.txt:1 is no good.");
});

test("a clash at the merge is reported and loses nothing; when it is out of the way the next run brings the work in [A-SOP-04][A01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws);
  for (const [slice, name] of [
    [1, "one"],
    [2, "two"],
    [3, "three"],
  ] as const)
    works(server, ofSlice(slice), { [`${name}.txt`]: `${name}\n` });
  works(server, ofMender, { "whole.txt": "whole\n" });
  server
    .when((request) => {
      if (!ofReviewer(request)) return false;
      if (!ws.exists("one.txt")) ws.write("one.txt", "mine\n");
      return true;
    })
    .reply(say("VERDICT: PASS"));
  const run = await pi(ws, ["run", "files"], options(server));
  expect(run.code).toBe(1);
  expect(run.stdout).toContain("files: conflict\n");
  expect(run.stdout).toContain("one.txt");
  const [, branch] = /kept: (pi\/run-files-\w+)/.exec(run.stdout)!;
  expect([ws.read("one.txt"), ws.exists("two.txt"), ws.git("show", `${branch}:two.txt`)]).toEqual([
    "mine\n",
    false,
    "two\n",
  ]);

  const workers = server.requests.length;
  ws.write("one.txt", "one\n");
  const again = await pi(ws, ["run", "files"], options(server));
  expect(codeAnd(again)).toMatchObject({ code: 0 });
  // Nothing but the review was done again.
  expect(server.requests.slice(workers).every(ofReviewer)).toBe(true);
  expect([ws.read("one.txt"), ws.read("two.txt")]).toEqual(["one\n", "two\n"]);
});

test("after kill -9 in the middle of a run the next one goes on, loses nothing and finishes [A-SOP-04][A04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws);
  const before = ws.snapshot();
  works(server, ofSlice(1), { "one.txt": "one\n" });
  let killed = false;
  const held = (request: Parameters<ReturnType<typeof ofSlice>>[0]) =>
    !killed && ofSlice(2)(request) && request.results.length > 0;
  server
    .when((request) => ofSlice(2)(request) && !killed && request.results.length === 0)
    .reply(call("write", { file_path: "half.txt", content: "half done\n" }));
  server.when(held).reply(hang());
  works(server, ofSlice(2), { "two.txt": "two\n" });
  works(server, ofSlice(3), { "three.txt": "three\n" });
  works(server, ofMender, { "whole.txt": "whole\n" });
  server.when(ofReviewer).reply(say("VERDICT: PASS"));
  await using first = startPi(ws, ["run", "files"], options(server));
  await until(() => server.requests.some(held));
  first.kill("SIGKILL");
  await first.exited;
  await until(() => leftovers(ws.marker).length === 0);
  expect(ws.snapshot()).toEqual(before);

  killed = true;
  const begun = server.requests.length;
  const again = await pi(ws, ["run", "files"], options(server));
  expect(codeAnd(again)).toMatchObject({ code: 0 });
  for (const name of ["one", "two", "three", "whole"]) expect(ws.read(`${name}.txt`)).toBe(`${name}\n`);
  expect(server.requests.slice(begun).some(ofSlice(1))).toBe(false);
  const kept = [...again.stdout.matchAll(/kept: (pi\/task-\w+)/g)].map(([, branch]) => branch!);
  expect(kept.some((branch) => ws.git("ls-tree", "--name-only", branch).includes("half.txt"))).toBe(true);
});

test("an interrupt stops the run with 130, keeps all work and names it, and the next run goes on [A-SOP-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws);
  works(server, ofSlice(1), { "one.txt": "one\n" });
  server
    .when((request) => ofSlice(2)(request) && request.results.length === 0)
    .reply(call("write", { file_path: "two.txt", content: "half" }));
  server.when(ofSlice(2)).reply(hang());
  server.when(ofSlice(3)).reply(hang());
  await using run = startPi(ws, ["run", "files"], options(server));
  await until(
    () =>
      server.requests.some((request) => ofSlice(2)(request) && request.results.length > 0) &&
      server.requests.some(ofSlice(3)),
  );
  run.kill("SIGINT");
  const end = await run.exited;
  expect(end.code).toBe(130);
  const text = run.stdout;
  expect(text).toContain("files: stopped\n");
  const [, branch] = /kept: (pi\/run-files-\w+)/.exec(text)!;
  expect(ws.git("show", `${branch}:one.txt`)).toBe("one\n");
  const [, worker] = /kept: (pi\/task-\w+)/.exec(text)!;
  expect(ws.git("show", `${worker}:two.txt`)).toBe("half");
  expect(leftovers(ws.marker)).toEqual([]);
  expect(readdirSync(ws.path).sort()).toEqual([".git", "a.txt", "specs"]);
});

test("a spec that cannot be run, or that nothing would check, is refused before anything is started [A-SOP-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws, "- [ ] Slice 1: x\n  - depends: 2\n- [ ] Slise 2: y\n", "# p\n");
  const refusals = [
    await pi(ws, ["run", "fils"], options(server)),
    await pi(ws, ["run", "files"], options(server)),
    await pi(ws, ["run", "files", "--retries", "many"], options(server)),
  ];
  expect(refusals.map(({ code }) => code)).toEqual([2, 2, 2]);
  expect(refusals[0]!.stderr).toContain("Did you mean files?");
  expect(refusals[1]!.stderr).toContain("plan.md:1: slice 1 depends on slice 2, which there is not");
  spec(ws, "- [ ] Slice 1: x\n", "# p\n");
  const unchecked = await pi(ws, ["run", "files"], { ...options(server), input: "null" });
  expect(unchecked.code).toBe(2);
  expect(unchecked.stderr).toContain("nothing would check the work on files");
  const told = eventsOf(await pi(ws, ["run", "fils", "--mode", "json"], options(server)));
  expect(told.find(({ type }) => type === "error")).toMatchObject({ code: "spec_unknown" });
  expect(server.requests).toHaveLength(0);
  const withoutKey = await pi(ws, ["run", "fils"], {});
  expect(withoutKey.code).toBe(2);
  expect(withoutKey.stderr).toContain("Did you mean files?");
});

test("after kill -9 during the review only the review is done again, and a start in between takes nothing away [A-SOP-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws, PLAN, PROMPT.replace(/- \*\*whole.*\n/, ""));
  works(server, ofSlice(1), { "one.txt": "one\n" });
  works(server, ofSlice(2), { "two.txt": "two\n" });
  works(server, ofSlice(3), { "three.txt": "three\n" });
  let killed = false;
  server.when((request) => !killed && ofReviewer(request)).reply(hang());
  server.when(ofReviewer).reply(say("VERDICT: PASS"));
  server
    .when(/go!/)
    .reply(call("agent", { agent: "task", task: "LOOK around" }))
    .reply(say("looked"));
  server.when(/LOOK around/).reply(say("nothing to do"));
  await using first = startPi(ws, ["run", "files"], options(server));
  await until(() => server.requests.some(ofReviewer));
  first.kill("SIGKILL");
  await first.exited;
  await until(() => leftovers(ws.marker).length === 0);
  killed = true;
  // Its first subagent looks after what earlier runs have left.
  expect((await pi(ws, ["-p", "go!"], options(server))).stdout).toBe("looked\n");
  const begun = server.requests.length;
  const again = await pi(ws, ["run", "files"], options(server));
  expect(codeAnd(again)).toMatchObject({ code: 0 });
  expect(server.requests.slice(begun).every(ofReviewer)).toBe(true);
  for (const name of ["one", "two", "three"]) expect(ws.read(`${name}.txt`)).toBe(`${name}\n`);
});
