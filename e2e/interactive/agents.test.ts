/** Subagents in the terminal. */
import { expect, test } from "bun:test";
import {
  call,
  hang,
  hold,
  leftovers,
  modelServer,
  say,
  type TerminalProgram,
  workspace,
} from "@pi-ts/testkit";
import { first, told, userConfig as userSettings } from "../support/subagents.ts";
import { idle, leave, marked, openPi, send, talk, viewIsClosed } from "./support.ts";

test("/agents shows subagents as they work, opens the transcript of one, which goes on, and stops it; its change is applied, and what is left is dropped [A-TUI-02][A-SUB-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  const gate = Promise.withResolvers<void>();
  server
    .when((request) => told("JOB")(request) && request.results.length === 0)
    .reply(call("write", { file_path: "made.txt", content: "made by it" }));
  server
    .when((request) => told("JOB 1")(request) && request.results.length === 1)
    .reply(hold(gate.promise), say("Now I read it."), call("read", { file_path: "nowhere.txt" }));
  server.when(told("JOB")).reply(hang());
  const tasks = [1, 2].map((n) => ({ agent: "task", task: `JOB ${n}` }));
  server.when(first).reply(call("agent", { tasks, background: true }));
  server.when(told("go!")).reply(say("they work"));
  await using program = await openPi(ws, server, { cols: 160, rows: 50 });
  send(program, "go!");
  await program.waitFor("they work");
  await idle(program);
  await program.waitFor("2 subagents");
  const results = server.requests.filter(told("go!")).at(-1)!.results;
  const [one, two] = results[0]!.text.match(/task-\w+/g)!;
  send(program, "/agents");
  await program.waitFor(
    new RegExp(`Subagents: 2 at work[\\s\\S]*› running +${one} +\\d+s +\\S+ JOB 1 *\\n +write made.txt`),
  );
  program.press("enter");
  await program.waitFor(/Task\n +JOB 1[\s\S]*• write made\.txt/);
  gate.resolve();
  await program.waitFor(/Now I read it\.\n• read nowhere\.txt\n +.*nowhere\.txt/);
  program.press("escape");
  await program.waitFor("Subagents: 2 at work");
  program.type("s");
  await program.waitFor(`s again: stop ${one}`);
  program.type("s");
  await program.waitFor(`${one} is stopped; its work is on the branch pi/${one}.`);
  await program.waitFor(new RegExp(`Subagents: 1 at work, 1 with work[\\s\\S]*stopped +${one}`));
  program.press("escape");
  await viewIsClosed(program);
  send(program, "/agents list");
  await program.waitFor(new RegExp(`${two} +running[\\s\\S]*JOB 2`));
  send(program, `/agents show ${one}`);
  await program.waitFor("made by it");
  send(program, `/agents stop ${two}`);
  await program.waitFor(`${two} is stopped`);
  expect(ws.exists("made.txt")).toBe(false);
  send(program, `/agents apply ${one}`);
  await program.waitFor("is in the project now");
  expect(ws.read("made.txt")).toBe("made by it");
  send(program, "/agents");
  await program.waitFor(new RegExp(`1 with work[\\s\\S]*› stopped +${two}`));
  program.type("d");
  await program.waitFor("Forget the work of");
  program.press("enter");
  await program.waitFor("is forgotten");
  await program.waitFor(/─ Subagents ─/);
  program.press("escape");
  await viewIsClosed(program);
  expect(ws.git("branch", "--list", "pi/*")).toBe("");
  expect(await leave(program)).toBe(0);
  expect(leftovers(ws.marker)).toEqual([]);
  server.allowProblems();
});

test("/rewind takes back what /agents apply and merge brought into the files [A-TUI-02][A-SUB-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  server
    .when((request) => told("JOB")(request) && request.results.length === 0)
    .reply(call("bash", { command: "echo changed by it > a.txt; echo new > b.txt" }));
  server.when(told("JOB")).reply(say("changed"));
  server.when(first).reply(call("agent", { agent: "task", task: "JOB" }));
  server.when(told("go!")).reply(say("it is done"));
  await using program = await openPi(ws, server, { cols: 120, rows: 50 });
  await talk(program, "go!", "it is done");
  const [id] = /task-\w+/.exec(server.requests.filter(told("go!")).at(-1)!.results[0]!.text)!;
  send(program, `/agents apply ${id}`);
  await program.waitFor("is in the project now");
  expect(ws.read("a.txt")).toBe("changed by it\n");
  send(program, "/rewind");
  await program.waitFor(/Go back to before a message[\s\S]*go! +.*2 files changed since/);
  program.press("enter");
  await program.waitFor("Conversation and files");
  program.press("enter");
  await program.waitFor("Change 2 files like this?");
  program.press("enter");
  await program.waitFor('You are before "go!".');
  expect([ws.read("a.txt"), ws.exists("b.txt")]).toEqual(["a\n", false]);
});

test("what an asking rule asks a subagent for is asked in the terminal with its name, one after the other; a yes holds for it alone [A07][A-SUB-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" });
  userSettings(ws, { permissions: { ask: ["bash(touch:*)"] } });
  const touch = call("bash", { command: "touch made" });
  const jobs = [told("JOB 1"), told("JOB 2")];
  for (const of of jobs) {
    for (const calls of [0, 1])
      server.when((request) => of(request) && request.results.length === calls).reply(touch);
    server.when(of).reply(say("it is over"));
  }
  const tasks = [1, 2].map((n) => ({ agent: "quick-task", task: `JOB ${n}` }));
  server.when(first).reply(call("agent", { tasks }));
  server.when(told("go!")).reply(say("all is over"));
  await using program = await openPi(ws, server, { cols: 120, rows: 50 });
  send(program, "go!");
  const asking = (program: TerminalProgram) =>
    /Run bash for the subagent (quick_task-\w+)\?[\s\S]*touch made/.exec(program.screen().join("\n"))?.[1];
  await program.waitFor((shown) => asking(shown) !== undefined);
  const one = asking(program);
  expect(program.screen().join("\n")).not.toContain("Yes, always");
  await marked(program, "down", "Yes, for this subagent");
  program.press("enter");
  // Its second call is not asked for; both of the other one are.
  for (const _ of [1, 2]) {
    await program.waitFor((shown) => asking(shown) !== undefined && asking(shown) !== one);
    await marked(program, "pageDown", "No");
    program.press("enter");
    await program.waitFor("What should it do instead?");
    program.press("enter");
    await program.waitFor((shown) => !shown.screen().join("\n").includes("What should it do instead?"));
  }
  await program.waitFor("all is over");
  const refused = jobs.map((of) => server.requests.findLast(of)!.results.map(({ isError }) => isError));
  expect(refused.toSorted()).toEqual([
    [false, false],
    [true, true],
  ]);
  expect(ws.exists("made")).toBe(true);
  expect(await leave(program)).toBe(0);
  expect(leftovers(ws.marker)).toEqual([]);
});

test("a background subagent that ends says so once in the terminal, and once to the model with its next request [A-SUB-03][A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const gate = Promise.withResolvers<void>();
  server.when(told("FIND")).reply(hold(gate.promise), say("found it"));
  server.when(first).reply(call("agent", { agent: "explore", task: "FIND the parser", background: true }));
  const asked = ["next?", "last?"];
  for (const words of asked.toReversed()) server.when(told(words)).reply(say(`heard ${words}`));
  server.when(told("go!")).reply(say("it works"));
  await using program = await openPi(ws, server, { cols: 120, rows: 40 });
  send(program, "go!");
  await program.waitFor("it works");
  await idle(program);
  gate.resolve();
  await program.waitFor(/the subagent explore-\w+ is done \(FIND the parser\)/);
  for (const words of asked) {
    send(program, words);
    await program.waitFor(`heard ${words}`);
    await idle(program);
    const { userTexts } = server.requests.at(-1)!;
    const reminders = userTexts.filter((text) => text.includes("The background subagent"));
    expect(reminders.join("\n").match(/The background subagent explore-\w+ is done/g)).toHaveLength(1);
  }
  expect(
    program
      .screen()
      .join("\n")
      .match(/the subagent explore-\w+ is done/g),
  ).toHaveLength(1);
  expect(await leave(program)).toBe(0);
  expect(leftovers(ws.marker)).toEqual([]);
});
