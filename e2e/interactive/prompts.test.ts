/** From a prompt to its answer: what is shown, what waits, what is stopped, and what the model gets. */
import { expect, test } from "bun:test";
import { call, fail, hang, hold, modelServer, say, streamError, think, workspace } from "@pi-ts/testkit";
import { messagesOf, onlySession } from "../support/state.ts";
import { draftIs, gate, idle, openPi, send, talk, timesShown } from "./support.ts";

test("an answer is shown as it comes, as rendered Markdown [A-TUI-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const rest = gate();
  server.reply(say("# Title\n\nThis is **bold** and `code`.\n\n"), hold(rest.passed), say("- a point\n"));
  await using program = await openPi(ws, server);
  send(program, "tell me");
  await program.waitFor("This is bold and code.");
  const row = program.screen().findIndex((line) => line.includes("This is bold"));
  const bold = program.styles()[row]!.find(({ text }) => text.includes("bold"));
  expect(bold?.style.bold).toBe(true);
  expect(program.screen().join("\n")).not.toContain("a point");
  rest.open();
  await program.waitFor("a point");
});

test("tools are cards with their outcome, and an edit shows its diff [A-TUI-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\ntwo\n" });
  server.reply(
    call("read", { file_path: "a.txt" }),
    call("edit", { file_path: "a.txt", old_string: "two", new_string: "three" }),
    call("bash", { command: "cat a.txt; exit 3" }),
  );
  server.reply(say("all done"));
  await using program = await openPi(ws, server);
  await talk(program, "change it", "all done");
  const shown = program.screen().join("\n");
  expect(shown).toMatch(/✓ read a\.txt/);
  expect(shown).toMatch(/✓ edit a\.txt +\+1 +−1/);
  expect(shown).toMatch(/2 - two\n.*2 \+ three/);
  expect(shown).toMatch(/bash|cat a\.txt; exit 3/);
  expect(ws.read("a.txt")).toBe("one\nthree\n");
});

test("what is typed while a tool runs reaches the model with its next request [A-TUI-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(call("bash", { command: "until [ -e go ]; do sleep 0.02; done; echo went" }));
  server.reply(say("I heard you"));
  await using program = await openPi(ws, server);
  send(program, "work");
  await program.waitFor(/until/);
  send(program, "also mind the gap");
  await program.waitFor("takes them back");
  await draftIs(program, "");
  expect(server.requests).toHaveLength(1);
  ws.write("go", "");
  await program.waitFor("I heard you");
  expect(server.request(2).userTexts.at(-1)).toContain("also mind the gap");
  await idle(program);
  expect(timesShown(program, "also mind the gap")).toBe(1);
});

test("Alt+Enter sends after the answer, not into it", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(call("bash", { command: "until [ -e go ]; do sleep 0.02; done" }));
  server.reply(say("the first is done"));
  server.reply(say("and the second, too"));
  await using program = await openPi(ws, server);
  send(program, "first");
  await program.waitFor(/until/);
  program.type("second");
  program.press("alt+enter");
  await program.waitFor("takes them back");
  ws.write("go", "");
  await program.waitFor("and the second, too");
  expect(server.request(2).userTexts.join("\n")).not.toContain("second");
  expect(server.request(3).userTexts.at(-1)).toContain("second");
});

test("Alt+Up takes what waits back into the editor", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const rest = gate();
  server.reply(say("The beginning"), hold(rest.passed), say(" and the end."));
  await using program = await openPi(ws, server);
  send(program, "go");
  await program.waitFor("The beginning");
  send(program, "one more thing");
  await program.waitFor("takes them back");
  program.press("alt+up");
  await draftIs(program, "one more thing");
  rest.open();
  await program.waitFor("and the end.");
  await idle(program);
  expect(server.requests).toHaveLength(1);
});

test("an interrupt gives what waited back as a draft, above what was being typed [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const never = gate();
  server.reply(say("The beginning"), hold(never.passed));
  await using program = await openPi(ws, server);
  send(program, "go");
  await program.waitFor("The beginning");
  send(program, "waiting words");
  await program.waitFor("takes them back");
  program.type("typed words");
  await draftIs(program, "typed words");
  program.press("escape");
  await server.waitForAborted();
  await program.waitFor(/waiting words\n\n?typed words/);
  await idle(program);
  expect(server.requests).toHaveLength(1);
  server.reply(say("continued"));
  program.press("enter");
  await program.waitFor("continued");
  expect(server.request(2).userTexts.join("\n")).toContain("typed words");
  expect(server.request(2).assistantTexts.join("\n")).toContain("The beginning");
});

test("a retry is shown with its cause while it waits, and the answer comes", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(fail(529, { headers: { "retry-after": "1" } }));
  server.reply(say("made it"));
  await using program = await openPi(ws, server);
  send(program, "go");
  await program.waitFor(/529|overloaded/i);
  await program.waitFor("made it");
});

test("an error is shown with what to do, and the program goes on", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(fail(401));
  server.reply(say("better now"));
  await using program = await openPi(ws, server);
  send(program, "go");
  await program.waitFor(/answered 401[\s\S]*Check the API key for anthropic/);
  await idle(program);
  await talk(program, "again", "better now");
});

test("Esc ends the wait for a retry and the wait for a service that says nothing [T06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(fail(529, { headers: { "retry-after": "50" } }));
  server.reply(hang());
  server.reply(say("here I am"));
  await using program = await openPi(ws, server);
  send(program, "go");
  await program.waitFor(/529|overloaded/i);
  program.press("escape");
  await idle(program);
  send(program, "go on");
  await server.waitFor(2);
  program.press("escape");
  await server.waitForAborted();
  await idle(program);
  await talk(program, "and now?", "here I am");
});

test("what waits when an answer fails is not lost: it is sent after it", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const rest = gate();
  server.reply(say("a start"), hold(rest.passed), streamError("invalid_request_error", "scripted"));
  server.reply(say("the second one works"));
  await using program = await openPi(ws, server);
  send(program, "first");
  await server.waitFor(1);
  send(program, "second");
  await program.waitFor("takes them back");
  rest.open();
  await program.waitFor("the second one works");
  expect(server.request(2).userTexts.at(-1)).toContain("second");
});

test("thinking is told, and Ctrl+T shows and folds it [A-TUI-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(think("Let me see what the moon is made of."), say("Cheese."));
  await using program = await openPi(ws, server);
  await talk(program, "moon?", "Cheese.");
  const shows = () => program.screen().join("\n").includes("what the moon is made of");
  const before = shows();
  program.press("ctrl+t");
  await program.waitFor(() => shows() !== before);
  program.press("ctrl+t");
  await program.waitFor(() => shows() === before);
});

test("Ctrl+O shows and folds the whole output of tools [A-TUI-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(call("bash", { command: "for i in $(seq 40); do echo row$i; done" }));
  server.reply(say("forty rows"));
  await using program = await openPi(ws, server, { rows: 70 });
  await talk(program, "go", "forty rows");
  const rows = () => program.screen().filter((row) => /row\d+$/.test(row)).length;
  expect(rows()).toBeLessThan(40);
  program.press("ctrl+o");
  await program.waitFor(() => rows() === 40);
  program.press("ctrl+o");
  await program.waitFor(() => rows() < 40);
});

test("the output of !command is shown and goes before the model, that of !!command is only shown", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("I see"));
  await using program = await openPi(ws, server);
  send(program, "!echo kept$((1 + 1))");
  await program.waitFor("kept2");
  send(program, "!!echo private$((1 + 1)); exit 3");
  await program.waitFor("private2");
  await program.waitFor(/✗ !! .* exit 3 .*not told to the model/);
  await talk(program, "look", "I see");
  expect(server.request(1).text).toContain("$ echo kept$((1 + 1))");
  expect(server.request(1).text).toContain("kept2");
  expect(server.request(1).text).not.toContain("private");
  program.press("ctrl+d");
  await program.exited;
  expect(JSON.stringify(messagesOf(onlySession(ws)))).not.toContain("private2");
});

test("!command during an answer runs at once, and its output comes after that answer", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const rest = gate();
  server.reply(say("The beginning"), hold(rest.passed), say(" and the end."));
  server.reply(say("noted"));
  await using program = await openPi(ws, server);
  send(program, "go");
  await program.waitFor("The beginning");
  send(program, "!echo now$((1 + 1))");
  await program.waitFor("now2");
  rest.open();
  await program.waitFor("and the end.");
  await idle(program);
  await talk(program, "next", "noted");
  expect(server.request(2).userTexts.join("\n")).toContain("now2");
});
