/** Slash commands that move in a conversation or take it elsewhere: /tree, /rewind and /export. */
import { expect, test } from "bun:test";
import { call, type ModelServer, modelServer, say, type TerminalProgram, workspace } from "@pi-ts/testkit";
import { TEST_KEY } from "../support/pi.ts";
import { draftIs, openPi, send, talk } from "./support.ts";

const FILES = { "a.txt": "one\n" };

/** Two prompts; the second one changes a file. */
async function twoPrompts(program: TerminalProgram, server: ModelServer): Promise<void> {
  server.reply(say("the first reply"));
  server.reply(call("edit", { file_path: "a.txt", old_string: "one", new_string: "two" }));
  server.reply(say("the second reply"));
  await talk(program, "first thing", "the first reply");
  await talk(program, "second thing", "the second reply");
}

test("/tree shows every prompt, and goes on after an earlier one: the model sees nothing of what came later [A-TUI-02][A-SESS-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace(FILES);
  await using program = await openPi(ws, server, { rows: 40 });
  await twoPrompts(program, server);
  send(program, "/tree");
  await program.waitFor(/› ● second thing/);
  program.press("up");
  await program.waitFor(/› ○ first thing/);
  program.press("enter");
  await program.waitFor(/› Go on after its answer/);
  program.press("enter");
  await program.waitFor(/Go to after "first thing"/);
  program.press("down");
  await program.waitFor("› Conversation only");
  program.press("enter");
  await program.waitFor(/You leave 4 messages behind[\s\S]*› Just go/);
  program.press("enter");
  await program.waitFor('You are after "first thing"');
  expect(program.screen().join("\n")).not.toContain("the second reply");
  expect(ws.read("a.txt")).toBe("two\n");
  server.reply(say("a third reply"));
  await talk(program, "another thing", "a third reply");
  const said = server.request(4).userTexts.join("\n");
  expect(said).toContain("first thing");
  expect(said).not.toContain("second thing");
});

test("/tree label names the place, and an Esc leaves everything where it is [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace(FILES);
  await using program = await openPi(ws, server, { rows: 40 });
  send(program, "/tree");
  await program.waitFor("Nothing has been said yet.");
  await twoPrompts(program, server);
  send(program, "/tree label good state");
  await program.waitFor('is called "good state" now.');
  send(program, "/tree");
  await program.waitFor(/› ● \[good state\] second thing/);
  program.press("escape");
  await program.waitFor("You stay where you are.");
});

test("/rewind goes back to before a prompt with its files, and undo brings both back [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace(FILES);
  await using program = await openPi(ws, server, { rows: 40 });
  send(program, "/rewind");
  await program.waitFor("There is no message yet that one could go back to.");
  await twoPrompts(program, server);
  send(program, "/rewind");
  await program.waitFor(/› second thing/);
  program.press("enter");
  await program.waitFor(/› Conversation and files/);
  program.press("enter");
  await program.waitFor(/Change 1 file like this\?[\s\S]*-two\n\+one/);
  expect(ws.read("a.txt")).toBe("two\n");
  program.press("enter");
  await program.waitFor('You are before "second thing"');
  await draftIs(program, "second thing");
  expect(ws.read("a.txt")).toBe("one\n");
  expect(program.screen().join("\n")).not.toContain("the second reply");
  program.press("ctrl+c");
  await draftIs(program, "");
  send(program, "/rewind undo");
  await program.waitFor(/› Conversation and files/);
  program.press("enter");
  await program.waitFor("Change 1 file like this?");
  program.press("enter");
  await program.waitFor("You are where you were before the last rewind");
  expect(ws.read("a.txt")).toBe("two\n");
  await program.waitFor("the second reply");
});

test("Esc at any question of /rewind changes nothing [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace(FILES);
  await using program = await openPi(ws, server, { rows: 40 });
  await twoPrompts(program, server);
  send(program, "/rewind");
  await program.waitFor(/› second thing/);
  program.press("enter");
  await program.waitFor(/› Conversation and files/);
  program.press("enter");
  await program.waitFor("Change 1 file like this?");
  program.press("escape");
  await program.waitFor("Nothing was changed.");
  expect(ws.read("a.txt")).toBe("two\n");
  expect(program.screen().join("\n")).toContain("the second reply");
});

test("/export writes the conversation without keys, as the file's ending says [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("a reply to keep"));
  await using program = await openPi(ws, server, { rows: 40 });
  send(program, "/export talk.md");
  await program.waitFor("There is nothing to export yet");
  await talk(program, `my key is ${TEST_KEY}`, "a reply to keep");
  send(program, "/export talk.md");
  await program.waitFor(/The conversation is in .*talk\.md/);
  expect(ws.read("talk.md")).toContain("a reply to keep");
  expect(ws.read("talk.md")).not.toContain(TEST_KEY);
  send(program, "/export page html");
  await program.waitFor(/The conversation is in .*page/);
  send(program, "/export --nonsense");
  await program.waitFor("/export has no option --nonsense.");
});
