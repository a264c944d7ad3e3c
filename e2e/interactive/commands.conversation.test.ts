/** Slash commands about the conversation: each is typed, and its effect is seen on the screen, at the model and on disk. */
import { expect, test } from "bun:test";
import { call, modelServer, say, workspace } from "@pi-ts/testkit";
import { messagesOf, onlySession, sessionsOf } from "../support/state.ts";
import { draftIs, leave, openPi, send, talk } from "./support.ts";

test("/clear begins a conversation that knows nothing of the old one, which stays on disk [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("Hello Ada."));
  server.reply(say("I do not know."));
  await using program = await openPi(ws, server);
  await talk(program, "my name is Ada", "Hello Ada.");
  send(program, "/clear");
  await program.waitFor("A fresh conversation");
  expect(program.screen().join("\n")).not.toContain("Hello Ada.");
  await talk(program, "what is my name?", "I do not know.");
  const second = server.request(2);
  expect(second.userTexts.join("\n")).toContain("what is my name?");
  expect(second.text).not.toContain("Ada");
  expect(await leave(program)).toBe(0);
  const [old, fresh, ...more] = sessionsOf(ws);
  expect(more).toEqual([]);
  expect(JSON.stringify(old && messagesOf(old))).toContain("Hello Ada.");
  expect(JSON.stringify(fresh && messagesOf(fresh))).not.toContain("Ada");
});

test("/new is /clear under another name, and says so when there is nothing to clear [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/new");
  await program.waitFor("This conversation is empty already.");
});

test("/clear asks before it drops a conversation that is not saved [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("answered")]);
  await using program = await openPi(ws, server, { args: ["--no-session"] });
  await talk(program, "one", "answered");
  send(program, "/clear");
  await program.waitFor("This conversation is not saved: its 1 message will be lost");
  program.press("escape");
  await program.waitFor("Nothing was cleared.");
  send(program, "/clear");
  await program.waitFor("will be lost");
  program.press("enter");
  await program.waitFor("A fresh conversation");
  await talk(program, "two", "answered");
  expect(server.request(2).userTexts.join("\n")).not.toContain("one");
});

test("/resume offers the project's earlier sessions, and the chosen one goes on [A-TUI-02][A-SESS-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(({ userTexts }) => [say(`reply to ${userTexts.at(-1)?.split("\n")[0]}`)]);
  await using program = await openPi(ws, server);
  await talk(program, "first topic", "reply to first topic");
  send(program, "/clear");
  await program.waitFor("A fresh conversation");
  await talk(program, "second topic", "reply to second topic");
  send(program, "/resume");
  await program.waitFor(/Go on with a session[\s\S]*first topic/);
  program.press("enter");
  await program.waitFor(/Session \w+ "first topic" goes on with 1 message\./);
  await program.waitFor("reply to first topic");
  await talk(program, "more of it", "reply to more of it");
  const { userTexts } = server.requests.at(-1)!;
  expect(userTexts.join("\n")).toContain("first topic");
  expect(userTexts.join("\n")).not.toContain("second topic");
});

test("/resume with words that no session has says so and keeps the open one [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/resume nothing like this");
  await program.waitFor('No session of this project matches "nothing like this".');
});

test("/resume of a session that another program has open is refused, and this one stays [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(({ userTexts }) => [say(`reply to ${userTexts.at(-1)}`)]);
  await using first = await openPi(ws, server);
  await talk(first, "taken words", "reply to taken words");
  const { id } = onlySession(ws);
  await using second = await openPi(ws, server);
  await talk(second, "my own words", "reply to my own words");
  send(second, `/resume ${id}`);
  await second.waitFor(new RegExp(`session ${id} is in use`));
  await talk(second, "still mine", "reply to still mine");
  expect(server.requests.at(-1)!.userTexts.join("\n")).toContain("my own words");
});

test("/session shows the open session, and its title can be given [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one" });
  server.reply(call("read", { file_path: "a.txt" }));
  server.reply(say("It says one."));
  await using program = await openPi(ws, server, { rows: 40 });
  await talk(program, "read it", "It says one.");
  send(program, "/session name The Great Reading");
  await program.waitFor('This session is called "The Great Reading" now.');
  send(program, "/session");
  const { id, meta } = onlySession(ws);
  await program.waitFor(/messages +4: 1 yours, 2 of the model, 1 of tools/);
  expect(program.screen().join("\n")).toMatch(new RegExp(`id +${id}`));
  expect(program.screen().join("\n")).toMatch(/title +The Great Reading/);
  expect(meta["title"]).toBe("The Great Reading");
  expect(program.title).toContain("The Great Reading");
});

test("/session list is /resume [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/session list");
  await program.waitFor("This project has no other saved session");
});

test("/branch makes, lists, switches, renames and deletes branches, and the model sees only the branch's messages [A-TUI-02][A-SESS-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(({ userTexts }) => [say(`reply to ${userTexts.at(-1)?.split("\n")[0]}`)]);
  await using program = await openPi(ws, server, { rows: 40 });
  await talk(program, "common ground", "reply to common ground");
  send(program, "/branch idea");
  await program.waitFor('Branch "idea" begins here');
  await talk(program, "wild idea", "reply to wild idea");
  send(program, "/branch switch main");
  await program.waitFor(/You leave \d messages behind/);
  program.press("enter");
  await program.waitFor('Branch "main" goes on with');
  expect(program.screen().join("\n")).not.toContain("wild idea");
  await talk(program, "sober plan", "reply to sober plan");
  const main = server.requests.at(-1)!.userTexts.join("\n");
  expect(main).toContain("common ground");
  expect(main).not.toContain("wild idea");

  send(program, "/branch rename idea wild");
  await program.waitFor('Branch "idea" is called "wild" now.');
  send(program, "/branch list");
  await program.waitFor(/\* main .*[\s\S]* wild /);
  send(program, "/branch");
  await program.waitFor("Go on with a branch");
  program.press("down", "enter");
  await program.waitFor(/You leave \d messages behind/);
  program.press("enter");
  await program.waitFor('Branch "wild" goes on with');
  await program.waitFor("reply to wild idea");
  await talk(program, "further", "reply to further");
  const wild = server.requests.at(-1)!.userTexts.join("\n");
  expect(wild).toContain("wild idea");
  expect(wild).not.toContain("sober plan");

  send(program, "/branch switch main plain");
  await program.waitFor('Branch "main" goes on with');
  send(program, "/branch delete wild");
  await program.waitFor('Delete branch "wild"');
  program.press("escape");
  await program.waitFor('Branch "wild" is kept.');
  send(program, "/branch delete wild");
  await program.waitFor('Delete branch "wild"');
  program.press("enter");
  await program.waitFor('Branch "wild" was deleted.');
  send(program, "/branch switch wild");
  await program.waitFor('There is no branch "wild".');
  await leave(program);
  expect(JSON.stringify(messagesOf(onlySession(ws)))).toContain("wild idea");
});

test("/compact puts a summary in place of what was said, and undo brings it all back [A-TUI-02][A-SESS-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const told = ["whales", "winds", "wrecks"].map((what) => `a tale of ${what} `.repeat(3_000));
  for (const tale of told) server.reply(say(`${tale}. told ${tale.slice(10, 14)}`));
  await using program = await openPi(ws, server);
  for (const [index, tale] of told.entries())
    await talk(program, `tale ${index}`, `told ${tale.slice(10, 14)}`);
  server.reply(say("SUMMARY: there were tales of the sea. ".repeat(20)));
  send(program, "/compact the whales");
  await program.waitFor("What was said is a summary now");
  expect(server.request(4).text).toContain("the whales");
  server.reply(say("after the summary"));
  await talk(program, "go on", "after the summary");
  expect(server.request(5).text).toContain("SUMMARY: there were tales of the sea.");
  expect(server.request(5).text).not.toContain("a tale of whales a tale of whales");
  send(program, "/compact undo");
  await program.waitFor("The last compaction is undone");
  server.reply(say("all is back"));
  await talk(program, "and now", "all is back");
  expect(server.request(6).text).toContain("a tale of whales a tale of whales");
  await leave(program);
  expect(JSON.stringify(messagesOf(onlySession(ws)))).toContain("a tale of whales a tale of whales");
});

test("/compact says plainly when there is nothing to make room for [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/compact");
  await program.waitFor(/Nothing was compacted: \S+/);
  send(program, "/compact undo");
  await program.waitFor("Nothing was undone: this conversation was not compacted");
});

test("/context tells where the tokens go, with the service's own count [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "AGENTS.md": "Speak like a pirate." });
  server.reply(say("Arr."));
  await using program = await openPi(ws, server, { rows: 70, cols: 120 });
  await talk(program, "hello", "Arr.");
  send(program, "/context");
  await program.waitFor("the next request takes about");
  const shown = program.screen().join("\n");
  for (const part of [
    "system prompt",
    "tool definitions",
    "your messages (1)",
    "AGENTS.md",
    "as the service counted",
  ])
    expect(shown).toContain(part);
});

test("/history puts an earlier prompt into the editor and sends nothing [A-TUI-02][A-TUI-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("fine")]);
  await using program = await openPi(ws, server);
  await talk(program, "paint the fence", "fine");
  await talk(program, "water the roses", "fine");
  send(program, "/history fence");
  await program.waitFor(/Earlier prompts[\s\S]*paint the fence/);
  expect(program.screen().join("\n")).toMatch(/› paint the fence/);
  program.press("enter");
  await draftIs(program, "paint the fence");
  send(program, " again");
  await program.waitFor("> paint the fence again");
  expect(server.request(3).userTexts.at(-1)).toContain("paint the fence again");
  send(program, "/history unicorns");
  await program.waitFor('No earlier prompt has "unicorns".');
});

test("/copy gives the last answer, all of it or a code block to the terminal's clipboard [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("First:\n\n```sh\nls -l\n```\n\nthen\n\n```sh\npwd\n```\n"));
  await using program = await openPi(ws, server);
  await talk(program, "how do I look around?", "pwd");
  send(program, "/copy code 1");
  await program.waitFor("Code block 1 of 2 was given to the terminal");
  send(program, "/copy");
  await program.waitFor("The last answer was given to the terminal");
  send(program, "/copy all");
  await program.waitFor("The conversation (");
  const [code, last, all] = program.clipboard.map(({ text }) => text);
  expect(code).toBe("ls -l");
  expect(last).toStartWith("First:\n\n```sh\nls -l");
  expect(all).toContain("how do I look around?");
  expect(all).toContain("pwd");
});

test("/copy says so when there is nothing to copy [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/copy");
  await program.waitFor("There is no answer to copy yet.");
  expect(program.clipboard).toEqual([]);
});
