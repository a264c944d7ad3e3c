/** Plan mode, planning and carrying out a spec in the terminal. */
import { expect, test } from "bun:test";
import {
  call,
  hang,
  leftovers,
  modelServer,
  type RecordedRequest,
  say,
  type TerminalProgram,
  workspace,
} from "@pi-ts/testkit";
import { allGoesWell, ofReviewer, ofSlice, PLAN, PROMPT, spec, works } from "../support/plans.ts";
import { until } from "../support/subagents.ts";
import { idle, leave, marked, openPi, send, talk, viewIsClosed } from "./support.ts";

/** Closes the question whether a phase is approved. */
async function notYet(program: TerminalProgram): Promise<void> {
  await marked(program, "pageDown", "Not yet");
  program.press("escape");
  await program.waitFor((shown) => !shown.screen().some((row) => row.includes("› Not yet")));
  await idle(program);
}

/** Requests whose newest words of a person or of the program have these in them. */
const newest = (words: string) => (request: RecordedRequest) =>
  request.userTexts.findLast((text) => !text.startsWith("<"))?.includes(words) === true;

test("/plan takes an idea through seven approved phases into files, and /run carries it out, checks it and merges it [A-SOP-01][A-SOP-03][A-SOP-04][A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  const write = (file: string, content: string) =>
    call("write", { file_path: `specs/three-files/${file}`, content });
  const phase = (number: number) => newest(`phase ${number} of 7`);
  server.when(phase(2)).reply(say("How many files should there be?"));
  server
    .when(newest("three of them"))
    .reply(call("read", { file_path: "specs/three-files/requirements.md" }))
    .reply(
      call("edit", {
        file_path: "specs/three-files/requirements.md",
        old_string: "**Answer:** three of them",
        new_string: "**Answer:** three of them\n\n## Summary\n\n1. Three files.",
      }),
    )
    .reply(say("The requirements are complete."));
  server.when(phase(3)).reply(write("research/files.md", "a.txt is there\n")).reply(say("Researched."));
  server
    .when(phase(4))
    .reply(
      write("plan.md", PLAN),
      write("design.md", "# Design\n"),
      call("write", { file_path: "one.txt", content: "early" }),
    )
    .reply(say("Designed."));
  server.when(phase(5)).reply(write("outline.md", "# Outline\n")).reply(say("Outlined."));
  server.when(phase(6)).reply(write("plan.md", PLAN)).reply(say("Planned."));
  server.when(phase(7)).reply(write("PROMPT.md", PROMPT)).reply(say("Briefed."));
  allGoesWell(server);
  await using program = await openPi(ws, server, { cols: 120, rows: 50 });
  send(program, "/plan Three files");
  await program.waitFor("How many files should there be?");
  await program.waitFor(/New spec specs\/three-files, in plan mode: phase 2 of 7/);
  await idle(program);
  expect(program.screen().at(-1)).toContain("plan");
  send(program, "three of them");
  const approve = async (title: string, file: string) => {
    await program.waitFor(new RegExp(`\\(${title}\\) is written: specs/three-files/${file}`));
    await marked(program, "pageDown", "Not yet");
    await marked(program, "up", "Approve it");
    program.press("enter");
  };
  await approve("Requirements", "requirements.md");
  expect(ws.read("specs/three-files/requirements.md")).toContain(
    "## Question 1\n\nHow many files should there be?\n\n**Answer:** three of them\n",
  );
  await approve("Research", "research/");
  await approve("Design", "design.md");
  expect([ws.exists("specs/three-files/plan.md"), ws.exists("one.txt")]).toEqual([false, false]);
  await approve("Outline", "outline.md");
  await approve("Plan", "plan.md");
  await approve("PROMPT.md", "PROMPT.md");
  await program.waitFor("/run three-files");
  await idle(program);
  const early = server.requests.findLast(phase(4))!.results.map(({ text }) => text);
  expect(early.some((text) => text.includes("belongs to phase 6"))).toBe(true);
  send(program, "/plan status");
  await program.waitFor("Plan mode is off.");

  send(program, "/run three-files");
  await program.waitFor(/Carry out three-files\?[\s\S]*Gates: files, whole\./);
  program.press("enter");
  await program.waitFor("three-files is carried out and in your project.");
  expect(["one", "two", "three", "whole"].map((name) => ws.read(`${name}.txt`))).toEqual([
    "one\n",
    "two\n",
    "three\n",
    "whole\n",
  ]);
  expect(ws.read("specs/three-files/plan.md")).toBe(PLAN.replaceAll("[ ]", "[x]"));
  expect(await leave(program)).toBe(0);
  expect(leftovers(ws.marker)).toEqual([]);
});

test("/plan without an idea switches plan mode on and off; it is in the status line and comes back with the session [X03][C12][A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n" });
  server
    .when(newest("write!"))
    .reply(call("write", { file_path: "b.txt", content: "b" }))
    .reply(say("tried"));
  {
    await using program = await openPi(ws, server);
    send(program, "/plan");
    await program.waitFor("Plan mode is on");
    await program.waitFor((shown) => /\bplan\b/.test(shown.screen().at(-1) ?? ""));
    await talk(program, "write!", "tried");
    expect(ws.exists("b.txt")).toBe(false);
    expect(await leave(program)).toBe(0);
  }
  await using program = await openPi(ws, server, { args: ["-c"] });
  await program.waitFor((shown) => /\bplan\b/.test(shown.screen().at(-1) ?? ""));
  send(program, "/plan off");
  await program.waitFor("Plan mode is off: changes are allowed again.");
  await program.waitFor((shown) => !/\bplan\b/.test(shown.screen().at(-1) ?? ""));
});

test("/run stops at Esc with everything kept and named, and goes on with it later [A-SOP-04][A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws, PLAN, PROMPT.replace(/- \*\*whole.*\n/, ""));
  works(server, ofSlice(1), { "one.txt": "one\n" });
  let held = true;
  server.when((request) => held && (ofSlice(2)(request) || ofSlice(3)(request))).reply(hang());
  works(server, ofSlice(2), { "two.txt": "two\n" });
  works(server, ofSlice(3), { "three.txt": "three\n" });
  server.when(ofReviewer).reply(say("VERDICT: PASS"));
  await using program = await openPi(ws, server, { cols: 120, rows: 50 });
  send(program, "/run files");
  await program.waitFor("Carry out files?");
  program.press("enter");
  await until(
    () => server.requests.filter((request) => ofSlice(2)(request) || ofSlice(3)(request)).length === 2,
  );
  program.press("escape");
  await program.waitFor(/files was stopped; your project is as it was\.[\s\S]*Kept: pi\/run-files-\w+/);
  expect(ws.exists("one.txt")).toBe(false);
  held = false;
  send(program, "/run files");
  await program.waitFor("Go on with files?");
  program.press("enter");
  await program.waitFor("files is carried out and in your project.");
  expect(["one", "two", "three"].map((name) => ws.read(`${name}.txt`))).toEqual([
    "one\n",
    "two\n",
    "three\n",
  ]);
  expect(
    server.requests.filter((request) => ofSlice(1)(request) && request.results.length === 0),
  ).toHaveLength(1);
});

test("the workers of a run stand in /agents with their slices, their work is the run's while it goes on, and one that is stopped is not replaced [A-SOP-04][A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws, PLAN, PROMPT.replace(/- \*\*whole.*\n/, ""));
  works(server, ofSlice(1), { "one.txt": "one\n" });
  server.when((request) => ofSlice(2)(request) || ofSlice(3)(request)).reply(hang());
  await using program = await openPi(ws, server, { cols: 140, rows: 50 });
  send(program, "/run files");
  await program.waitFor("Carry out files?");
  program.press("enter");
  await until(
    () => server.requests.filter((request) => ofSlice(2)(request) || ofSlice(3)(request)).length >= 2,
  );
  send(program, "/agents");
  const working =
    /running +(task-\w+) .*slice 2: the second file[\s\S]*running +task-\w+ .*slice 3: the third file[\s\S]*done +task-\w+ .*slice 1: the first file/;
  await program.waitFor(working);
  // What is in the run's copy is no work of its worker's any more.
  expect(program.screen().join("\n")).not.toContain("on pi/task-");
  const [, second] = working.exec(program.screen().join("\n"))!;
  program.press("escape");
  await viewIsClosed(program);
  const [copy] = ws.git("branch", "--list", "--format=%(refname:short)", "pi/run-*").trim().split("\n");
  send(program, `/agents drop ${copy!.replace("pi/", "")}`);
  await program.waitFor(/is still running|works for run-files/);
  send(program, `/agents stop ${second}`);
  await program.waitFor(/slice 2 \(the second file\) was not done in one attempt/);
  program.press("escape");
  await program.waitFor(
    /files was not carried out; your project is as it was|files was stopped; your project/,
  );
  send(program, "/agents");
  await program.waitFor(new RegExp(`left over +${copy!.replace("pi/", "")}`));
  program.press("escape");
  await viewIsClosed(program);
  expect(ws.exists("one.txt")).toBe(false);
  expect(await leave(program)).toBe(0);
  expect(leftovers(ws.marker)).toEqual([]);
  server.allowProblems();
});

test("a conversation in which a run works is not left, and an exit stops the run in order: its work is kept and named [A-SOP-04][A04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  spec(ws, PLAN, PROMPT.replace(/- \*\*whole.*\n/, ""));
  server.when(newest("hello")).reply(say("hi there"));
  works(server, ofSlice(1), { "one.txt": "one\n" });
  server.when((request) => ofSlice(2)(request) || ofSlice(3)(request)).reply(hang());
  await using program = await openPi(ws, server, { cols: 140, rows: 50 });
  await talk(program, "hello", "hi there");
  send(program, "/run files");
  await program.waitFor("Carry out files?");
  program.press("enter");
  await until(
    () => server.requests.filter((request) => ofSlice(2)(request) || ofSlice(3)(request)).length === 2,
  );
  send(program, "/clear");
  await program.waitFor(/run-files-\w+ is in progress in this conversation/);
  send(program, "/exit");
  expect((await program.exited).code).toBe(0);
  const summary = ws.read("specs/files/SUMMARY.md");
  expect(summary).toContain("outcome: **stopped**");
  const [, branch] = /- (pi\/run-files-\w+)/.exec(summary)!;
  expect(ws.git("show", `${branch}:one.txt`)).toBe("one\n");
  expect(leftovers(ws.marker)).toEqual([]);
});

test("an existing spec goes on at its phase, in a conversation of its own; /plan back and approve move it [A-SOP-01][A-SOP-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({
    "specs/login/rough-idea.md": "# Rough idea\n\nLogin\n",
    "specs/login/requirements.md": "# R\n\n## Summary\n\n1. x\n",
    "specs/login/research/a.md": "facts\n",
    "specs/login/design.md": "# Design\n",
  });
  server.when(newest("hello")).reply(say("hi there"));
  server.when(newest("phase 4 of 7")).reply(say("the design again"));
  server.when(newest("phase 3 of 7")).reply(say("more research"));
  await using program = await openPi(ws, server, { cols: 120, rows: 50 });
  await talk(program, "hello", "hi there");
  send(program, "/plan login");
  await program.waitFor(/Going on with specs\/login, in plan mode: phase 4 of 7, Design/);
  await program.waitFor(/new conversation; \/resume \w+/);
  await program.waitFor("(Design) is written");
  await notYet(program);
  expect(server.requests.at(-1)!.text).not.toContain("hi there");
  send(program, "/plan back");
  await program.waitFor("Back at phase 3 of 7, Research");
  await program.waitFor("(Research) is written");
  await notYet(program);
  send(program, "/plan approve");
  await program.waitFor(/Phase 3 \(Research\) is approved\.[\s\S]*the design again/);
});
