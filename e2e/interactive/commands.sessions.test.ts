/** Slash commands that find and share conversations. */
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { modelServer, say, workspace } from "@pi-ts/testkit";
import { pi } from "../support/pi.ts";
import { onlySession } from "../support/state.ts";
import { leave, openPi, send, talk } from "./support.ts";

test("/export writes the conversation as a page of its own, without its secrets [A-TUI-02][C13]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
  server.reply(say("It **works**."));
  await using program = await openPi(ws, server);
  send(program, "/export");
  await program.waitFor("There is nothing to export yet");
  await talk(program, `keep ${secret}`, "It works.");
  send(program, "/export talk.html");
  await program.waitFor("The conversation is in talk.html (");
  await program.waitFor("was taken out");
  const page = ws.read("talk.html");
  expect(page).toContain("<strong>works</strong>");
  expect(page).toContain("keep [redacted]");
  expect(page).not.toContain(secret);
  expect(statSync(ws.at("talk.html")).mode & 0o777).toBe(0o600);
  send(program, "/export markdown");
  const file = `session-${onlySession(ws).id}.md`;
  await program.waitFor(`The conversation is in ${file}`);
  expect(ws.read(file)).toContain("It **works**.");
  expect(await leave(program)).toBe(0);
});

test("/resume finds a conversation of another project by what was said in it [A-TUI-02][A-SESS-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("A zebrafish it was."));
  server.reply(say("Still a zebrafish."));
  await pi(ws, ["-p", "which animal?"], { server, cwd: ws.outside });
  await using program = await openPi(ws, server);
  send(program, "/resume zebrafish");
  await program.waitFor('Go on with a session that has "zebrafish"');
  await program.waitFor("A zebrafish it was.");
  program.press("enter");
  await program.waitFor("goes on with 1 message");
  await talk(program, "and now?", "Still a zebrafish.");
  expect(server.request(2).userTexts).toContain("which animal?");
});
