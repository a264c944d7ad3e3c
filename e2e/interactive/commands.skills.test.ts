/** Skills, prompts and hooks in the terminal. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { call, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { stateFolder } from "../support/state.ts";
import { draftIs, idle, openPi, send, talk } from "./support.ts";

const SKILL = "---\nname: release\ndescription: make a release\n---\n\nTag it.\n";

function addSkill(ws: Workspace): void {
  ws.write(join(stateFolder(ws), "skills/release/SKILL.md"), SKILL);
}

test("/skills lists skills and prompts and what could not be loaded, with its line [A-TUI-02][A-EXT-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  addSkill(ws);
  ws.write(join(stateFolder(ws), "skills/broken/SKILL.md"), "---\nname: x\n---\nbody\n");
  ws.write(join(stateFolder(ws), "prompts/fix.md"), "Mend $1.");
  await using program = await openPi(ws, server);
  await program.waitFor("SKILL.md:1: it has no");
  send(program, "/skills");
  await program.waitFor(/\/release[\s\S]*make a release[\s\S]*\/fix[\s\S]*not loaded[\s\S]*SKILL\.md:1/);
});

test("skills and prompts stand in the slash menu and in /help, and /name sends one with its arguments [A-EXT-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  addSkill(ws);
  ws.write(join(stateFolder(ws), "prompts/fix.md"), "Mend $1.");
  server.otherwise(() => [say("answered it")]);
  await using program = await openPi(ws, server);
  program.type("/rele");
  await program.waitFor("make a release (skill)");
  program.press("escape", "ctrl+c");
  send(program, "/help fix");
  await program.waitFor("/fix [arguments]: Mend $1 (prompt).");
  send(program, "/fix everything");
  await program.waitFor("answered it");
  await idle(program);
  expect(server.request(1).text).toContain("Mend everything.");
  send(program, "/release version 2");
  await program.waitFor("Tag it.");
  await idle(program);
  expect(server.request(2).text).toContain("Tag it.");
  expect(server.request(2).text).toContain("version 2");
});

test("/skills create makes a skill that is used at once, and the model learns of it with the next message [A-EXT-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("answered it")]);
  await using program = await openPi(ws, server);
  await talk(program, "hello", "answered it");
  send(program, "/skills create deploy");
  await program.waitFor("When is deploy to be used");
  program.type("when we ship");
  program.press("enter");
  await program.waitFor("Where does deploy belong?");
  program.press("enter");
  await program.waitFor("Made ~/.pi-go/skills/deploy/SKILL.md");
  expect(existsSync(join(stateFolder(ws), "skills/deploy/SKILL.md"))).toBe(true);
  send(program, "and now");
  await program.waitFor(() => server.requests.length === 2);
  await idle(program);
  expect(server.request(2).text).toContain("skills/deploy/SKILL.md): when we ship");
  expect(server.request(2).field("system")).toEqual(server.request(1).field("system"));
});

test("with --no-skills /skills says that there are none in this run [A-EXT-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  addSkill(ws);
  await using program = await openPi(ws, server, { args: ["--no-skills"] });
  send(program, "/skills");
  await program.waitFor("There are no skills in this run: it was started with --no-skills.");
});

test("a hook may have the person asked before a call, with its reason [A-EXT-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const command = `echo '{"ask": "it makes a file"}'`;
  ws.write(
    join(stateFolder(ws), "config.json"),
    JSON.stringify({ hooks: [{ event: "before_tool", tools: ["bash"], command }] }),
  );
  server.reply(call("bash", { command: "touch made" }));
  server.reply(say("answered it"));
  await using program = await openPi(ws, server);
  send(program, "go");
  await program.waitFor(/asks: it makes a file[\s\S]*Yes, this once/);
  expect(ws.exists("made")).toBe(false);
  program.press("escape");
  await program.waitFor("answered it");
  expect(ws.exists("made")).toBe(false);
  expect(server.request(2).results[0]?.text).toContain("the user refused this call");
});

test("a prompt that a hook blocks comes back into the editor, and nothing was sent [A-EXT-01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const command = "echo it holds a name >&2; exit 2";
  ws.write(join(stateFolder(ws), "config.json"), JSON.stringify({ hooks: [{ event: "prompt", command }] }));
  await using program = await openPi(ws, server);
  send(program, "tell me of Ann");
  await program.waitFor("the prompt was not sent: it holds a name");
  await draftIs(program, "tell me of Ann");
  expect(server.requests).toEqual([]);
});
