/** Slash commands about the project: commits and trust. */
import { expect, test } from "bun:test";
import { executable, modelServer, say, workspace } from "@pi-ts/testkit";
import { openPi, send } from "./support.ts";

test("/commit proposes a message for what is staged, and Enter commits exactly that [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n", "b.txt": "one\n" }, { git: true });
  ws.write("a.txt", "two\n");
  ws.write("b.txt", "two\n");
  ws.git("add", "a.txt");
  server.reply(say("feat: count to two"));
  await using program = await openPi(ws, server);
  send(program, "/commit");
  await program.waitFor(/Commit 1 file\?[\s\S]*feat: count to two/);
  expect(server.request(1).text).toContain("a.txt");
  expect(server.request(1).tools).toEqual([]);
  program.press("enter");
  await program.waitFor(/Committed \w+ on main: feat: count to two/);
  expect(ws.git("log", "-1", "--format=%s").trim()).toBe("feat: count to two");
  expect(ws.git("show", "--name-only", "--format=", "HEAD").trim()).toBe("a.txt");
  expect(ws.git("status", "--short").trim()).toBe("M b.txt");
});

test("/commit in a folder below the top shows the model what is staged anywhere, but for secret files [A-TUI-02][X04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "sub/a.txt": "a\n", "b.txt": "b\n", x: "x\n" }, { git: true });
  ws.git("rm", "--quiet", "x");
  for (const name of ["sub/a.txt", "b.txt"]) ws.write(name, `changed in ${name}\n`);
  for (const name of ["x/.env", "sub/.env"]) ws.write(name, "PASSWORD=hunter2hunter2\n");
  ws.git("add", "--all", "--force");
  server.reply(say("feat: both"));
  await using program = await openPi(ws, server, { cwd: ws.at("sub") });
  send(program, "/commit");
  await program.waitFor("Commit 5 files?");
  const { text } = server.request(1);
  expect(text).toContain("changed in sub/a.txt");
  expect(text).toContain("changed in b.txt");
  expect(text).not.toContain("hunter2");
});

test("Esc at /commit commits nothing and leaves what is staged [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  ws.write("a.txt", "two\n");
  ws.git("add", "a.txt");
  server.reply(say("feat: count to two"));
  await using program = await openPi(ws, server);
  send(program, "/commit");
  await program.waitFor("Commit 1 file?");
  program.press("escape");
  await program.waitFor("Nothing was committed; what is staged stays staged.");
  expect(ws.git("log", "--format=%s").trim()).toBe("first commit");
  expect(ws.git("status", "--short").trim()).toBe("M  a.txt");
});

test("/commit MESSAGE asks no model, and its message can be edited first [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  ws.write("a.txt", "two\n");
  ws.git("add", "a.txt");
  await using program = await openPi(ws, server);
  send(program, "/commit fix: my own words");
  await program.waitFor("Commit 1 file?");
  program.press("down", "enter");
  await program.waitFor("Commit message");
  program.type(" and more");
  program.press("enter");
  await program.waitFor(/Commit 1 file\?[\s\S]*fix: my own words and more/);
  program.press("enter");
  await program.waitFor("fix: my own words and more");
  await program.waitFor(/Committed \w+/);
  expect(ws.git("log", "-1", "--format=%s").trim()).toBe("fix: my own words and more");
  expect(server.requests).toEqual([]);
});

test("/commit with nothing staged says what to stage and asks no model [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  await using program = await openPi(ws, server);
  send(program, "/commit");
  await program.waitFor("Nothing is staged, and nothing has changed.");
  ws.write("a.txt", "two\n");
  send(program, "/commit");
  await program.waitFor("Nothing is staged; 1 file changed but not staged.");
  expect(server.requests).toEqual([]);
});

test("/commit tells what a hook of git said, and what is staged stays staged [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  ws.write(".git/hooks/pre-commit", executable("#!/bin/sh\necho not on a Friday >&2\nexit 1\n"));
  ws.write("a.txt", "two\n");
  ws.git("add", "a.txt");
  await using program = await openPi(ws, server);
  send(program, "/commit fix: it");
  await program.waitFor("Commit 1 file?");
  program.press("enter");
  await program.waitFor(/git refused the commit[\s\S]*not on a Friday/);
  expect(ws.git("status", "--short").trim()).toBe("M  a.txt");
});

test("/commit outside of a repository says so [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/commit");
  await program.waitFor("This folder is in no git repository");
});

test("/trust shows what would act, asks, and what is trusted acts after a restart [A-TUI-02][X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ ".pi-go/config.json": JSON.stringify({ thinking: "low" }) });
  await using program = await openPi(ws, server, { until: "frame" });
  await program.waitFor("Do you trust what this project brings");
  program.press("escape");
  await program.waitFor(/Opus 5\.5 medium .*%/);
  send(program, "/trust");
  await program.waitFor(/Trust .*\?[\s\S]*config\.json/);
  program.press("escape");
  await program.waitFor("is not trusted; nothing in it acts.");
  send(program, "/trust yes");
  await program.waitFor(/Trust .*\?[\s\S]*config\.json/);
  program.press("enter");
  await program.waitFor("is trusted as it is now (1 file).");
  send(program, "/restart");
  await program.waitFor(/Opus 5\.5 low .*%/);
  send(program, "/trust no");
  await program.waitFor("is not trusted any more.");
  send(program, "/restart");
  await program.waitFor("Do you trust what this project brings");
});

test("/trust says so when nothing of the project acts [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/trust");
  await program.waitFor("there is nothing to trust.");
});
