/** `pi sessions` on the executable: what is listed, found, shared, brought in and deleted is what other runs saved. */
import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { pi, startPi } from "./support/pi.ts";
import { onlySession, sessionsOf, stateFolder } from "./support/state.ts";

const SECRET = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";

test("sessions of this project are listed with their titles, and --all lists those of every one [C08]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("ok")]);
  await pi(ws, ["-p", "fix the parser"], { server });
  await pi(ws, ["-p", "elsewhere"], { server, cwd: ws.outside });
  const here = await pi(ws, ["sessions", "list"]);
  expect(here.code).toBe(0);
  expect(here.stdout).toContain("fix the parser");
  expect(here.stdout).not.toContain("elsewhere");
  const all = JSON.parse((await pi(ws, ["sessions", "list", "--all", "--json"])).stdout) as {
    sessions: object[];
  };
  expect(all.sessions.map((session) => (session as { title: string }).title)).toEqual([
    "elsewhere",
    "fix the parser",
  ]);
});

test("search finds what was said in any project; a session that went on is found by its news [A-SESS-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("The tokenizer was wrong."));
  server.reply(say("Now the 漢字検索 works."));
  await pi(ws, ["-p", "begin"], { server, cwd: ws.outside });
  const first = await pi(ws, ["sessions", "search", "TOKENIZER"]);
  expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: "" });
  expect(first.stdout).toContain("The tokenizer was wrong.");
  expect((await pi(ws, ["sessions", "search", "漢字"])).code).toBe(1);
  await pi(ws, ["-c", "-p", "go on"], { server, cwd: ws.outside });
  expect((await pi(ws, ["sessions", "search", "漢字"])).stdout).toContain("漢字検索 works");
});

test("a session is exported as a page, as Markdown and as JSON without its secrets, and comes back by import [A-SESS-01][C13]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say(`I keep ${SECRET} to myself.`));
  server.otherwise(() => [say("still here")]);
  await pi(ws, ["-p", `my key is ${SECRET}`], { server });
  const { id } = onlySession(ws);
  const page = await pi(ws, ["sessions", "export", id.slice(0, 10), "--output", "page.html"]);
  expect(page.stdout).toContain(join(ws.path, "page.html"));
  expect(statSync(ws.at("page.html")).mode & 0o777).toBe(0o600);
  const markdown = await pi(ws, ["sessions", "export", id, "--format", "markdown"]);
  for (const text of [ws.read("page.html"), markdown.stdout]) {
    expect(text).toContain("to myself");
    expect(text).not.toContain(SECRET);
  }
  await pi(ws, ["sessions", "export", id, "--output", "copy.json", "--no-redact"]);
  expect((await pi(ws, ["sessions", "delete", id, "--yes"])).code).toBe(0);
  expect(sessionsOf(ws)).toEqual([]);
  const brought = JSON.parse((await pi(ws, ["sessions", "import", "copy.json", "--json"])).stdout) as {
    session: { id: string };
  };
  const again = await pi(ws, ["--session", brought.session.id, "-p", "and now?"], { server });
  expect(again.stdout).toBe("still here\n");
  expect(server.request(2).text).toContain(SECRET);
});

test("delete needs a yes: without a terminal nothing is deleted, and a session in use never is [C03][C13]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("ok")]);
  await pi(ws, ["-p", "keep me"], { server });
  const { id } = onlySession(ws);
  const unasked = await pi(ws, ["sessions", "delete", id]);
  expect(unasked.code).toBe(2);
  expect(unasked.stderr).toContain("--yes");
  const held = Promise.withResolvers<void>();
  server.reply({ kind: "hold", until: held.promise }, say("late"));
  await using running = startPi(ws, ["--session", id, "-p", "more"], { server });
  await server.waitFor(2);
  const busy = await pi(ws, ["sessions", "delete", id, "--yes"]);
  expect(busy.code).not.toBe(0);
  expect(busy.stderr).toContain("is in use by process");
  held.resolve();
  await running.exited;
  expect(onlySession(ws).id).toBe(id);
});

test("a session folder of pi-go is listed and goes on with --session, once imported [A-SESS-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("I remember.")]);
  const folder = join(stateFolder(ws), "sessions", "go-1");
  mkdirSync(folder, { recursive: true });
  const time = "2026-01-02T03:04:05Z";
  writeFileSync(
    join(folder, "meta.json"),
    JSON.stringify({
      id: "go-1",
      appName: "pi-go",
      workDir: ws.path,
      model: "m",
      createdAt: time,
      updatedAt: time,
    }),
  );
  const event = {
    ID: "1",
    Author: "user",
    Timestamp: time,
    Content: { Role: "user", Parts: [{ Text: "asked in pi-go" }] },
  };
  writeFileSync(join(folder, "events.jsonl"), `${JSON.stringify(event)}\n`);
  expect((await pi(ws, ["sessions", "list"])).stdout).toContain("(of pi-go)");
  for (let round = 1; round <= 2; round++) {
    const { stdout } = await pi(ws, ["--session", "go-1", "-p", `go on ${round}`], { server });
    expect(stdout).toBe("I remember.\n");
    expect(server.request(round).userTexts).toContain("asked in pi-go");
  }
  expect(server.request(2).userTexts).toContain("go on 1");
  expect(readdirSync(join(stateFolder(ws), "sessions"))).toHaveLength(2);
});

test("the retention setting deletes old sessions at the end of a run, says so once, and never the one in use [C13]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say("ok")]);
  await pi(ws, ["-p", "old"], { server });
  const old = onlySession(ws);
  age(ws, old.id);
  writeFileSync(join(stateFolder(ws), "config.json"), JSON.stringify({ retention: { days: 30 } }));
  const run = await pi(ws, ["-p", "new"], { server });
  expect(run.stdout).toBe("ok\n");
  expect(run.stderr).toContain("deleted 1 session last used more than 30 days ago (retention.days)");
  expect(sessionsOf(ws).map(({ id }) => id)).not.toContain(old.id);
  expect(sessionsOf(ws)).toHaveLength(1);
  const next = await pi(ws, ["-p", "again"], { server });
  expect(next.stderr).toBe("");
  expect(existsSync(join(stateFolder(ws), "sessions", old.id))).toBe(false);
});

/** Makes a session one that was used long ago. */
function age(ws: Workspace, id: string): void {
  const path = join(stateFolder(ws), "sessions", id, "meta.json");
  const meta = JSON.parse(readFileSync(path, "utf8")) as object;
  const time = new Date(Date.UTC(2020, 0, 1));
  writeFileSync(path, JSON.stringify({ ...meta, updated: time.toISOString() }));
  utimesSync(path, time, time);
}
