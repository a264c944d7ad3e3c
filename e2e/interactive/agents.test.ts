/** Subagents in the terminal. */
import { expect, test } from "bun:test";
import { call, hang, hold, leftovers, modelServer, say, workspace } from "@pi-ts/testkit";
import { first, told } from "../support/subagents.ts";
import { idle, leave, openPi, send } from "./support.ts";

test("/agents shows a subagent at work, opens its transcript and stops it; its change is applied, and what is left is dropped [A-TUI-02][A-SUB-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "a\n" }, { git: true });
  server
    .when((request) => told("JOB")(request) && request.results.length === 0)
    .reply(call("write", { file_path: "made.txt", content: "made by it" }));
  server.when(told("JOB")).reply(hang());
  const tasks = [1, 2].map((n) => ({ agent: "task", task: `JOB ${n}` }));
  server.when(first).reply(call("agent", { tasks, background: true }));
  server.when(told("go!")).reply(say("they work"));
  await using program = await openPi(ws, server, { cols: 160, rows: 50 });
  send(program, "go!");
  await program.waitFor("they work");
  await idle(program);
  await server.waitFor(6);
  await program.waitFor("2 subagents");
  const results = server.requests.filter(told("go!")).at(-1)!.results;
  const [one, two] = results[0]!.text.match(/task-\w+/g)!;
  send(program, "/agents");
  await program.waitFor(new RegExp(`${one} +running[\\s\\S]*write made.txt[\\s\\S]*JOB 1`));
  send(program, `/agents show ${one}`);
  await program.waitFor("made by it");
  send(program, `/agents stop ${one}`);
  await program.waitFor(`${one} is stopped; its work is on the branch pi/${one}.`);
  send(program, `/agents stop ${two}`);
  await program.waitFor(`${two} is stopped`);
  expect(ws.exists("made.txt")).toBe(false);
  send(program, `/agents apply ${one}`);
  await program.waitFor("is in the project now");
  expect(ws.read("made.txt")).toBe("made by it");
  send(program, `/agents drop ${two}`);
  await program.waitFor("Forget the work of");
  program.press("enter");
  await program.waitFor("is forgotten");
  expect(ws.git("branch", "--list", "pi/*")).toBe("");
  expect(await leave(program)).toBe(0);
  expect(leftovers(ws.marker)).toEqual([]);
  server.allowProblems();
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
