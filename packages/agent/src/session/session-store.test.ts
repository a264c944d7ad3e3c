import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { link, runProcess, startProcess, workspace } from "@pi-ts/testkit";
import type { ToolMessage } from "../contract/messages.ts";
import { assistant, readRecords, storeOf, texts, user } from "./test-support/sessions.ts";

const NEW = { mode: "print", model: "m", provider: "p" };

test("a session folder holds meta.json and an append-only events.jsonl, private to the user [A-SESS-01][C13]", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.at("sessions"));
  const session = store.create({ cwd: ws.path, ...NEW });
  session.append(user("hello"));
  session.sync();
  const meta = JSON.parse(ws.read(`sessions/${session.id}/meta.json`));
  expect(meta).toEqual({
    id: session.id,
    app: "pi-ts",
    user: "local",
    cwd: ws.path,
    mode: "print",
    model: "m",
    provider: "p",
    created: "2026-01-01T00:00:01.000Z",
    updated: expect.any(String),
    title: "hello",
  });
  const before = readFileSync(join(session.folder!, "events.jsonl"));
  session.append(assistant("hi"));
  const after = readFileSync(join(session.folder!, "events.jsonl"));
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  if (process.platform !== "win32") {
    expect(statSync(session.folder!).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(session.folder!))
      expect([file, statSync(join(session.folder!, file)).mode & 0o777]).toEqual([file, 0o600]);
  }
  session.close();
});

test("a session that was never used leaves nothing on disk", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.at("sessions"));
  const session = store.create({ cwd: ws.path, ...NEW });
  session.saveSettings({ thinking: "high" });
  session.sync();
  session.close();
  expect(ws.exists("sessions")).toBe(false);
});

test("a reload gives exactly the messages, settings and ids that memory had [C10][C12]", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.path);
  const session = store.create({ cwd: ws.path, ...NEW });
  const results: ToolMessage = {
    role: "tool",
    parts: [
      {
        type: "tool_result",
        id: "c1",
        name: "read",
        content: [{ type: "text", text: "ok\u2028\u0000" }],
        isError: false,
        details: { n: 1 },
      },
      {
        type: "tool_result",
        id: "c2",
        name: "read",
        content: [{ type: "image", mimeType: "image/png", data: "AA==" }],
        isError: true,
      },
    ],
  };
  session.append(user("cut \ud83d here"));
  session.append({
    ...assistant("t"),
    parts: [
      { type: "thinking", text: "hm", signature: "c2ln==", opaque: { a: [1, null] } },
      { type: "tool_call", id: "c1", name: "read", arguments: { path: "é" } },
      { type: "tool_call", id: "c2", name: "read", arguments: { id: "x" } },
    ],
    stop: "tool",
    partial: true,
  });
  session.append(results);
  session.saveSettings({ model: "n", mode: "plan", thinking: "low" });
  const [messages, head, settings] = [
    structuredClone(session.messages()),
    session.head,
    { ...session.settings },
  ];
  session.close();
  const again = store.open(session.id);
  expect([...again.messages()]).toEqual([...messages]);
  expect([again.head, again.settings, again.meta]).toEqual([head, settings, session.meta]);
  expect(settings).toEqual({ cwd: ws.path, mode: "plan", model: "n", provider: "p", thinking: "low" });
  expect(texts(again.messages())[0]).toBe("cut \ufffd here");
  again.close();
});

test("opening and closing a session changes no byte of its log [C01]", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.path);
  const session = store.create({ cwd: ws.path, ...NEW });
  session.append(user("x"));
  session.append({
    ...assistant(""),
    parts: [{ type: "tool_call", id: "c", name: "bash", arguments: {} }],
    stop: "tool",
  });
  session.close();
  const path = join(session.folder!, "events.jsonl");
  const before = readFileSync(path, "utf8");
  const again = store.open(session.id);
  expect(again.messages()).toHaveLength(2);
  again.close();
  expect(readFileSync(path, "utf8")).toBe(before);
});

test("record times strictly increase, also when the clock stands still, goes back, or goes back between two runs [A-SESS-01]", async () => {
  await using ws = await workspace({});
  const { SessionStore } = await import("./session-store.ts");
  let time = Date.UTC(2026, 0, 2);
  const store = new SessionStore({ root: ws.path, now: () => time, onNotice: () => undefined });
  const session = store.create({ cwd: ws.path, ...NEW });
  session.append(user("1"));
  session.append(user("2"));
  time -= 3_600_000;
  session.append(user("3"));
  session.close();
  const again = store.open(session.id);
  again.append(user("4"));
  again.close();
  const records = readRecords(readFileSync(join(session.folder!, "events.jsonl")));
  const times = records.map((record) => Date.parse(record.ts));
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  expect(new Set(records.map((record) => record.id)).size).toBe(5);
});

test("every record is on disk when append returns, so that a kill right after loses nothing [C02]", async () => {
  await using ws = await workspace({});
  const code = `const { SessionStore } = await import(${JSON.stringify(import.meta.resolve("./session-store.ts"))});
    const store = new SessionStore({ root: "sessions", now: Date.now, onNotice: console.error });
    const session = store.create({ cwd: ".", mode: "print", model: "m", provider: "p" });
    for (const text of ["one", "two"]) session.append({ role: "user", origin: "user", parts: [{ type: "text", text }] });
    process.kill(process.pid, "SIGKILL");`;
  await runProcess([process.execPath, "--no-env-file", "-e", code], { cwd: ws.path, env: ws.env() });
  const { store, notices } = storeOf(ws.at("sessions"));
  const meta = store.newest({ cwd: ws.path });
  const session = store.open(meta!.id);
  expect(texts(session.messages())).toEqual(["one", "two"]);
  session.close();
  expect(notices).toEqual([]);
});

test("a second process is refused with the pid of the first, may read, may fork, and gets it when the first was killed [C03]", async () => {
  await using ws = await workspace({});
  const code = `const { SessionStore } = await import(${JSON.stringify(import.meta.resolve("./session-store.ts"))});
    const store = new SessionStore({ root: "sessions", now: Date.now, onNotice: console.error });
    const session = store.create({ cwd: ".", mode: "print", model: "m", provider: "p" });
    session.append({ role: "user", origin: "user", parts: [{ type: "text", text: "one" }] });
    console.log("open " + session.id + " "); setInterval(() => {}, 1000);`;
  await using first = startProcess([process.execPath, "--no-env-file", "-e", code], {
    cwd: ws.path,
    env: ws.env(),
  });
  await first.waitForOutput(/open \w+ /);
  const id = /open (\w+) /.exec(first.stdout)![1]!;
  const { store } = storeOf(ws.at("sessions"));
  let refused: unknown;
  try {
    store.open(id);
  } catch (thrown) {
    refused = thrown;
  }
  expect(refused).toMatchObject({
    code: "session_locked",
    message: expect.stringContaining(String(first.pid)),
    hint: expect.any(String),
  });
  expect(texts(store.read(id).messages)).toEqual(["one"]);
  const fork = store.fork(id, "interactive");
  fork.append(user("mine"));
  expect(texts(fork.messages())).toEqual(["one", "mine"]);
  fork.close();
  expect(texts(store.read(id).messages)).toEqual(["one"]);
  first.kill("SIGKILL");
  await first.exited;
  const second = store.open(id);
  second.append(user("two"));
  second.close();
  expect(texts(store.read(id).messages)).toEqual(["one", "two"]);
});

test("a session is found by the unique start of its id; none or several are errors with candidates [A-SESS-04]", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.path);
  const ids = ["one", "two"].map((text) => {
    const session = store.create({ cwd: ws.path, ...NEW });
    session.append(user(text));
    session.close();
    return session.id;
  });
  const shared = ids[0]!.slice(0, 3);
  expect(ids[1]).toStartWith(shared);
  const found = store.open(ids[0]!.slice(0, -1).toUpperCase());
  expect(found.id).toBe(ids[0]!);
  found.close();
  const code = (word: string) => {
    try {
      store.open(word).close();
    } catch (thrown) {
      const { code, message, hint, exitCode } = thrown as {
        code: string;
        message: string;
        hint: string;
        exitCode: number;
      };
      return { code, exitCode, text: message + hint };
    }
    return null;
  };
  expect(code(shared)).toMatchObject({ code: "session_ambiguous", exitCode: 2 });
  for (const id of ids) expect(code(shared)!.text).toContain(id);
  for (const word of ["zzz", "", "../sessions", ".."])
    expect(code(word)).toMatchObject({ code: "session_not_found", exitCode: 2 });
  expect(code("zzz")!.text).toContain(`${ids[1]} (two)`);
});

test("the newest session is the one of this project and these modes that was written last, through links too [A-SESS-04]", async () => {
  await using ws = await workspace({ "a/x": "", "b/x": "", toA: link("a") });
  const { store } = storeOf(ws.at("sessions"));
  let time = 1_000;
  const make = (cwd: string, mode: string) => {
    const session = store.create({ cwd: ws.at(cwd), mode, model: "m", provider: "p" });
    session.append(user(mode));
    session.close();
    utimesSync(join(session.folder!, "events.jsonl"), time, time);
    time += 10;
    return session.id;
  };
  expect(store.newest({ cwd: ws.at("a") })).toBeNull();
  const older = make("a", "json");
  const newer = make("toA", "interactive");
  make("a", "rpc");
  const other = make("b", "print");
  expect(store.newest({ cwd: ws.at("a") })?.id).toBe(newer);
  expect(store.newest({ cwd: ws.at("toA"), modes: ["json"] })?.id).toBe(older);
  expect(store.newest({ cwd: ws.at("b") })?.id).toBe(other);
  utimesSync(join(store.folderOf(older), "events.jsonl"), time, time);
  expect(store.newest({ cwd: ws.at("a") })?.id).toBe(older);
});

test("one broken session folder hides no other, and a lost meta.json is rebuilt from the log [C02]", async () => {
  await using ws = await workspace({ file: "x" });
  const { store } = storeOf(ws.at("sessions"));
  const ids = ["one", "two", "three"].map((text) => {
    const session = store.create({ cwd: ws.path, ...NEW });
    session.append(user(text));
    session.close();
    return session.id;
  });
  writeFileSync(join(store.folderOf(ids[0]!), "meta.json"), '{"id":');
  rmSync(join(store.folderOf(ids[1]!), "meta.json"));
  mkdirSync(ws.at("sessions/empty"));
  ws.write("sessions/stray.txt", "x");
  mkdirSync(ws.at("sessions/foreign"));
  ws.write("sessions/foreign/meta.json", '{"id":"foreign","app":"other","cwd":"/x","updated":"2030"}');
  const list = store.list({ cwd: ws.path });
  expect(list.map((meta) => meta.id).sort()).toEqual(ids);
  expect(list.every((meta) => meta.model === "m" && meta.provider === "p")).toBe(true);
  const again = store.open(ids[0]!);
  expect(texts(again.messages())).toEqual(["one"]);
  again.close();
  expect(JSON.parse(readFileSync(join(store.folderOf(ids[0]!), "meta.json"), "utf8"))).toMatchObject({
    id: ids[0]!,
    cwd: ws.path,
  });
});

test("a title is in the log as well: the first prompt's, or the one that a person gave, outlives a lost meta.json [C02]", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.path);
  const begin = (title?: string) => {
    const session = store.create({ cwd: ws.path, ...NEW, ...(title === undefined ? {} : { title }) });
    session.append(user("mend the roof\nplease"));
    return session;
  };
  const sessions = [begin(), begin("The roof"), begin("The roof"), begin()];
  sessions[2]!.setTitle("Tiles");
  sessions[3]!.setTitle("Gutters");
  for (const session of sessions) {
    session.close();
    rmSync(join(session.folder!, "meta.json"));
  }
  const titles = ["mend the roof", "The roof", "Tiles", "Gutters"];
  const listed = new Map(store.list().map(({ id, title }) => [id, title]));
  expect(sessions.map(({ id }) => listed.get(id))).toEqual(titles);
  const opened = sessions.map(({ id }) => store.open(id));
  expect(opened.map(({ meta }) => meta.title)).toEqual(titles);
  for (const session of opened) session.close();
});

test("sessions are listed the latest first", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.path);
  const ids = ["one", "two"].map((text) => {
    const session = store.create({ cwd: ws.path, ...NEW });
    session.append(user(text));
    session.close();
    return session.id;
  });
  const first = store.open(ids[0]!);
  first.append(user("more"));
  first.close();
  expect(store.list().map((meta) => meta.id)).toEqual(ids);
});

test("a disk that refuses costs one notice, the session goes on in memory and is marked [B10]", async () => {
  await using ws = await workspace({ sessions: "a file where the folder should be" });
  const { store, notices } = storeOf(ws.at("sessions"));
  const session = store.create({ cwd: ws.path, ...NEW });
  for (const text of ["one", "two", "three"]) session.append(user(text));
  session.sync();
  expect(texts(session.messages())).toEqual(["one", "two", "three"]);
  expect([session.degraded, notices.length]).toEqual([true, 1]);
  expect(notices[0]).toContain("in memory only");
  rmSync(ws.at("sessions"));
  session.append(user("four"));
  expect([session.degraded, notices.length]).toEqual([false, 2]);
  session.close();
  expect(texts(store.read(session.id).messages)).toEqual(["one", "two", "three", "four"]);
});

test("a session whose folder is deleted while it runs says so, and is there again with its lock [B10]", async () => {
  await using ws = await workspace({});
  if (process.platform === "win32") return;
  const { store, notices } = storeOf(ws.at("sessions"));
  const session = store.create({ cwd: ws.path, ...NEW });
  session.append(user("one"));
  rmSync(session.folder!, { recursive: true });
  session.append(user("two"));
  session.sync();
  expect(session.degraded).toBe(false);
  expect(notices[0]).toContain("deleted");
  expect(() => store.open(session.id)).toThrow("in use");
  session.close();
  expect(texts(store.open(session.id).messages())).toEqual(["one", "two"]);
});
