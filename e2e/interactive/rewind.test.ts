/** Going back: /rewind and /tree, with the files that tools changed. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { call, hold, modelServer, say, workspace } from "@pi-ts/testkit";
import { filesBelow, messagesOf, onlySession, sessionsOf } from "../support/state.ts";
import { draftIs, gate, leave, openPi, send, talk } from "./support.ts";

test("/rewind shows the diff, brings files and conversation back, and the message is a draft again; undo takes that back [A-TUI-02][A-SESS-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "sky.txt": "grey\n" });
  await using program = await openPi(ws, server, { rows: 40 });
  server.reply(call("edit", { file_path: "sky.txt", old_string: "grey", new_string: "blue" }));
  server.reply(say("It is blue now."));
  await talk(program, "make the sky blue", "It is blue now.");
  server.reply(call("bash", { command: "echo black > sky.txt; echo one > star.txt" }));
  server.reply(say("It is night now."));
  await talk(program, "make it night", "It is night now.");

  send(program, "/rewind");
  await program.waitFor(/Go back to before a message[\s\S]*make it night[\s\S]*make the sky blue/);
  expect(program.screen().join("\n")).toMatch(/› make it night +\S.*2 files changed since/);
  program.press("enter");
  await program.waitFor("Conversation and files");
  program.press("enter");
  await program.waitFor(/Change 2 files like this\?[\s\S]*-black[\s\S]*\+blue/);
  expect(program.screen().join("\n")).toContain("--- a/star.txt");
  expect(ws.read("sky.txt")).toBe("black\n");
  program.press("enter");
  await program.waitFor('You are before "make it night". 2 files changed.');
  await draftIs(program, "make it night");
  expect(ws.read("sky.txt")).toBe("blue\n");
  expect(ws.exists("star.txt")).toBe(false);
  expect(program.screen().join("\n")).not.toContain("It is night now.");

  program.press("ctrl+c");
  await draftIs(program, "");
  server.reply(say("Dawn it is."));
  await talk(program, "make it dawn", "Dawn it is.");
  const { userTexts } = server.requests.at(-1)!;
  expect(userTexts.join("\n")).toContain("make the sky blue");
  expect(userTexts.join("\n")).not.toContain("make it night");

  send(program, "/rewind undo");
  await program.waitFor("Leave the 1 message of yours since the last rewind?");
  program.press("enter");
  await program.waitFor("Conversation and files");
  program.press("enter");
  await program.waitFor(/Change 2 files like this\?[\s\S]*\+black/);
  program.press("enter");
  await program.waitFor("It is night now.");
  expect(ws.read("sky.txt")).toBe("black\n");
  expect(ws.read("star.txt")).toBe("one\n");
  expect(await leave(program)).toBe(0);
  const stored = JSON.stringify(messagesOf(onlySession(ws)));
  for (const said of ["make it night", "make it dawn"]) expect(stored).toContain(said);
});

test("/rewind names files that somebody else changed and leaves them; Esc changes nothing [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n", "b.txt": "one\n" });
  await using program = await openPi(ws, server, { rows: 40 });
  server.reply(
    call("edit", { file_path: "a.txt", old_string: "one", new_string: "two" }),
    call("edit", { file_path: "b.txt", old_string: "one", new_string: "two" }),
  );
  server.reply(say("Both are two."));
  await talk(program, "count on", "Both are two.");
  ws.write("b.txt", "mine\n");
  send(program, "/rewind");
  await program.waitFor("› count on");
  program.press("enter");
  await program.waitFor("Conversation and files");
  program.press("escape");
  await program.waitFor("Nothing was changed.");
  expect(ws.read("a.txt")).toBe("two\n");
  send(program, "/rewind");
  await program.waitFor("› count on");
  program.press("enter");
  await program.waitFor("Conversation and files");
  program.press("enter");
  await program.waitFor(
    /1 file changed since by something else than pi[\s\S]*b\.txt[\s\S]*› Leave it as it is/,
  );
  program.press("enter");
  await program.waitFor("Change 1 file like this?");
  program.press("enter");
  await program.waitFor('You are before "count on". 1 file changed.');
  expect([ws.read("a.txt"), ws.read("b.txt")]).toEqual(["one\n", "mine\n"]);
});

test("/rewind waits while an answer is in progress, and runs then [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const held = gate();
  server.reply(hold(held.passed), say("at last"));
  await using program = await openPi(ws, server);
  send(program, "slowly");
  await program.waitFor("Esc interrupts");
  send(program, "/rewind");
  await program.waitFor("/rewind waits until the answer is over");
  held.open();
  await program.waitFor("at last");
  await program.waitFor(/› slowly/);
});

test("/rewind works in a session that a killed process left in the middle of a command [A-TUI-02][C01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n" });
  {
    await using first = await openPi(ws, server);
    server.reply(call("bash", { command: "echo two > a.txt; echo changed; sleep 600" }));
    send(first, "change it");
    await first.waitFor(/^.*changed *$/m);
    await first.waitFor(() => ws.read("a.txt") === "two\n");
    // the whole group: where nothing is built, a launcher stands before the program
    process.kill(-first.pid, "SIGKILL");
    await first.exited;
  }
  await using program = await openPi(ws, server, { args: ["--continue"], rows: 40 });
  send(program, "/rewind");
  await program.waitFor(/› change it .*1 file changed since/);
  program.press("enter");
  await program.waitFor("Conversation and files");
  program.press("enter");
  await program.waitFor("1 file changed since by something else than pi");
  program.press("down", "enter");
  await program.waitFor("Change 1 file like this?");
  program.press("enter");
  await program.waitFor('You are before "change it". 1 file changed.');
  expect(ws.read("a.txt")).toBe("one\n");
});

test("/tree shows what was left by going back, goes there again with its files, names a place, and begins a new session [A-TUI-02][A-SESS-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server, { rows: 40 });
  server.reply(say("Hello."));
  await talk(program, "good morning", "Hello.");
  server.reply(call("write", { file_path: "plan.txt", content: "bold\n" }));
  server.reply(say("A bold plan."));
  await talk(program, "be bold", "A bold plan.");
  send(program, "/tree label the bold way");
  await program.waitFor('The place after "be bold" is called "the bold way" now.');
  send(program, "/rewind");
  await program.waitFor("› be bold");
  program.press("enter");
  await program.waitFor("Conversation and files");
  program.press("enter");
  await program.waitFor("Change 1 file like this?");
  program.press("enter");
  await draftIs(program, "be bold");
  program.press("ctrl+c");
  expect(ws.exists("plan.txt")).toBe(false);
  server.reply(say("A sober plan."));
  await talk(program, "be sober", "A sober plan.");

  send(program, "/tree");
  await program.waitFor(/good morning[\s\S]*\[the bold way\] be bold[\s\S]*› ● be sober/);
  expect(program.screen().join("\n")).toContain("left by going back");
  program.type("bold way");
  await program.waitFor(/› │ · \[the bold way\] be bold/);
  program.press("enter");
  await program.waitFor("Go on after its answer");
  program.press("enter");
  await program.waitFor("Conversation and files");
  program.press("enter");
  await program.waitFor("Change 1 file like this?");
  program.press("enter");
  await program.waitFor(/You leave \d messages behind[\s\S]*› Just go/);
  program.press("enter");
  await program.waitFor("A bold plan.");
  expect(ws.read("plan.txt")).toBe("bold\n");
  expect(program.screen().join("\n")).not.toContain("A sober plan.");

  send(program, "/tree");
  await program.waitFor(/› ● \[the bold way\] be bold/);
  program.press("home");
  await program.waitFor(/› ○ good morning/);
  program.press("enter");
  await program.waitFor("Begin a new session from here");
  program.press("down", "down", "enter");
  await program.waitFor(/A new session \(\w+\) begins/);
  expect(program.screen().join("\n")).not.toContain("A bold plan.");
  server.reply(say("A third way."));
  await talk(program, "be curious", "A third way.");
  expect(server.requests.at(-1)!.userTexts.join("\n")).not.toMatch(/bold|sober/);
  await leave(program);
  const sessions = sessionsOf(ws);
  expect(sessions).toHaveLength(2);
  expect(JSON.stringify(messagesOf(sessions[0]!))).not.toContain("be curious");
  // What the first one had kept, the new one has as well.
  for (const { folder } of sessions) expect(filesBelow(join(folder, "checkpoints"))).not.toEqual([]);
});
