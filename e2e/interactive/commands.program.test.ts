/** Slash commands about the program itself, and what is no command. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { modelServer, say, workspace } from "@pi-ts/testkit";
import { SLASH_INFOS } from "../../packages/agent/src/commands/slash/slash-infos.ts";
import { onlySession } from "../support/state.ts";
import { draftIs, isReady, openPi, send, talk, userConfig } from "./support.ts";

test("every slash command has an end-to-end test in this folder", () => {
  const tests = readdirSync(import.meta.dir)
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => readFileSync(join(import.meta.dir, name), "utf8"))
    .join("\n");
  const missing = SLASH_INFOS.flatMap(({ name, aliases }) => [name, ...aliases]).filter(
    (name) => !new RegExp(`^test\\(\\s*["'\`]/${name}\\b`, "m").test(tests),
  );
  expect(missing).toEqual([]);
});

test("a command that does not exist is named, with the nearest one, and no model is asked [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/sesssion");
  await program.waitFor(/There is no command \/sesssion\.[\s\S]*\/session/);
  expect(server.requests).toEqual([]);
});

test("a path and a doubled slash are prompts, not commands [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("a file"));
  await using program = await openPi(ws, server);
  await talk(program, "/etc/hosts is what?", "a file");
  expect(server.request(1).userTexts.at(-1)).toContain("/etc/hosts is what?");
});

test("/help lists every command, and PgDn and PgUp read on and back [A-TUI-02][A-TUI-03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/help");
  await program.waitFor(/\/help ─.* 1-\d+ of \d+/);
  const place = () => program.screen().find((row) => /─ \d+-\d+ of \d+ ─/.test(row)) ?? "";
  const seen: string[] = [];
  let end: string[];
  do {
    seen.push(...program.screen());
    const now = place();
    end = /-(\d+) of (\d+)/.exec(now)!.slice(1);
    program.press("pageDown");
    if (end[0] !== end[1]) await program.waitFor(() => place() !== now);
  } while (end[0] !== end[1]);
  for (const { name } of SLASH_INFOS) expect(seen.some((row) => row.startsWith(`/${name} `))).toBe(true);
  const last = place();
  program.press("pageUp");
  await program.waitFor(() => place() !== last);
  program.press("escape");
  await program.waitFor((shown) => !shown.screen().join("\n").includes("Esc closes"));
  await draftIs(program, "");
});

test("/help NAME explains one command with its forms [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/help branch");
  await program.waitFor("/branch rename [OLD] NEW");
  send(program, "/help nonsense");
  await program.waitFor("There is no command /nonsense.");
});

test("/theme shows each theme while it is marked, and the chosen one is saved [A-TUI-02][A-TUI-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  const colors = () =>
    JSON.stringify(program.styles().map((runs) => runs.map(({ style }) => style.foreground)));
  send(program, "/theme");
  await program.waitFor("Theme ─");
  await program.waitFor(/› Automatic \(current\)/);
  const before = colors();
  program.press("up");
  await program.waitFor(() => colors() !== before && !/› Automatic/.test(program.screen().join("\n")));
  program.press("escape");
  await program.waitFor("The theme stays as it is.");
  expect(userConfig(ws)).toBeNull();
  send(program, "/theme");
  await program.waitFor("› Automatic (current)");
  program.press("up", "enter");
  await program.waitFor(/The theme is "[\w-]+" now\. Saved in ~\/\.pi-go\/config\.json/);
  expect(userConfig(ws)?.["theme"]).toBeString();
  send(program, "/theme auto");
  await program.waitFor("The theme follows the terminal's background now.");
  expect(userConfig(ws)?.["theme"]).toBeUndefined();
  send(program, "/theme plaid");
  await program.waitFor('There is no theme "plaid".');
});

test("/notify is saved, and a bell rings at the end of an answer in a window that is not in front [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/notify loud");
  await program.waitFor('/notify does not know "loud".');
  send(program, "/notify bell");
  await program.waitFor('The signal for the end of a long answer is "bell" now.');
  expect(userConfig(ws)).toMatchObject({ notify: "bell" });
  server.otherwise(({ userTexts }) => [say(`reply to ${userTexts.at(-1)}`)]);
  program.focus(true);
  await talk(program, "one", "reply to one");
  expect(program.bells).toBe(0);
  program.focus(false);
  await talk(program, "two", "reply to two");
  await program.waitFor((shown) => shown.bells === 1);
});

test("/notify desktop tells the desktop the start of the answer [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("The work is done."));
  await using program = await openPi(ws, server, { env: { TERM_PROGRAM: "ghostty" } });
  send(program, "/notify desktop");
  await program.waitFor('is "desktop" now.');
  program.focus(false);
  await talk(program, "work", "The work is done.");
  await program.waitFor((shown) => shown.notifications.length > 0);
  expect(JSON.stringify(program.notifications)).toContain("The work is done.");
});

test("/keys lists the keys with their names, and what the config file changed [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(
    join(ws.home, ".pi-go", "config.json"),
    JSON.stringify({ keybindings: { "app.model.choose": "ctrl+y" } }),
  );
  await using program = await openPi(ws, server, { rows: 100 });
  send(program, "/keys");
  await program.waitFor(/app\.model\.choose/);
  expect(program.screen().find((row) => row.includes("app.model.choose"))).toContain("Ctrl+Y");
  program.press("escape");
  send(program, "/keys conflicts");
  await program.waitFor(/1 conflict:\s+keybindings: Ctrl\+Y is set for app\.model\.choose/);
});

test("/doctor says what is found on this machine [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server, { rows: 60, cols: 120 });
  send(program, "/doctor");
  await program.waitFor(/git[\s\S]*ripgrep/i);
  expect(program.output).not.toContain("0123456789-abcdefghijkl");
});

test("/restart replaces the process and comes back with the conversation [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("remembered"));
  server.reply(say("still here"));
  await using program = await openPi(ws, server);
  await talk(program, "the word is plum", "remembered");
  const { pid } = program;
  const started = program.counts.frames;
  send(program, "/restart");
  await program.waitFor(
    (shown) => shown.output.split("\x1b[?1049h").length > 2 && shown.counts.frames > started,
  );
  await program.waitFor(isReady);
  expect(program.screen().join("\n")).toContain("remembered");
  await talk(program, "which word?", "still here");
  expect(server.request(2).userTexts.join("\n")).toContain("the word is plum");
  expect(program.pid).toBe(pid);
  program.press("ctrl+d");
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.unrestored()).toEqual({});
  onlySession(ws);
});

test("/exit ends with exit code 0 and tells how to come back [A-TUI-02]", () => endsWith("/exit"));

test("/quit is /exit under another name [A-TUI-02]", () => endsWith("/quit"));

async function endsWith(word: string): Promise<void> {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("bye then"));
  await using program = await openPi(ws, server);
  await talk(program, "hello", "bye then");
  send(program, word);
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.screen().join("\n")).toContain(`pi --session ${onlySession(ws).id}`);
}
