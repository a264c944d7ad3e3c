/** Something else stands where a session's files should: nothing waits for ever, and the other sessions stay usable. */
import { expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import type { Message } from "../contract/messages.ts";
import { assistant, storeOf, texts, user } from "./test-support/sessions.ts";

const NEW = { mode: "print", model: "m", provider: "p" };

function saved(ws: Workspace, text: string, later = 0) {
  const session = storeOf(ws.at("sessions"), later).store.create({ cwd: ws.path, ...NEW });
  session.append(user(text));
  session.append(assistant(`${text}!`));
  session.close();
  return { id: session.id, folder: session.folder! };
}

const HOSTILE: [string, (path: string) => void][] = [
  ["a FIFO", (path) => Bun.spawnSync(["mkfifo", path])],
  ["a link to an endless device", (path) => symlinkSync("/dev/zero", path)],
  ["a link to nothing", (path) => symlinkSync("/nowhere/at/all", path)],
  ["a folder", (path) => mkdirSync(path)],
];
const HUGE = (path: string) => {
  writeFileSync(path, "");
  truncateSync(path, 10 * 1024 * 1024 * 1024);
};

for (const [what, put] of process.platform === "win32" ? [] : HOSTILE) {
  test(`${what} instead of meta.json costs nothing, since the log is the truth [C02]`, async () => {
    await using ws = await workspace({});
    const { id, folder } = saved(ws, "one");
    rmSync(join(folder, "meta.json"));
    put(join(folder, "meta.json"));
    const { store } = storeOf(ws.at("sessions"));
    expect(store.newest({ cwd: ws.path })).toMatchObject({ id, mode: "print" });
    expect(texts(store.read(id).messages)).toEqual(["one", "one!"]);
  });

  test(`${what} instead of the newest log leaves the session before it to go on with [C02]`, async () => {
    await using ws = await workspace({});
    const { id } = saved(ws, "one");
    const broken = saved(ws, "two", 60);
    rmSync(join(broken.folder, "events.jsonl"));
    put(join(broken.folder, "events.jsonl"));
    const { store } = storeOf(ws.at("sessions"));
    expect(store.newest({ cwd: ws.path })?.id).toBe(id);
  });

  test(`${what} instead of the lock is named, and the session goes on in memory [C03]`, async () => {
    await using ws = await workspace({});
    const { id, folder } = saved(ws, "one");
    put(join(folder, "lock"));
    const { store, notices } = storeOf(ws.at("sessions"));
    const session = store.open(id);
    session.append(user("two"));
    expect(texts(session.messages())).toEqual(["one", "one!", "two"]);
    expect(session.degraded).toBe(true);
    expect(notices.join("\n")).toContain(join(folder, "lock"));
    session.close();
  });
}

test("a meta.json of 10 GB is not read [C02][C08]", async () => {
  await using ws = await workspace({});
  const { id, folder } = saved(ws, "one");
  HUGE(join(folder, "meta.json"));
  expect(storeOf(ws.at("sessions")).store.newest({ cwd: ws.path })).toMatchObject({ id });
});

test("a lock that nobody has signed yet names no process, and one from the future is as old as one from the past [C03]", async () => {
  await using ws = await workspace({});
  const { id, folder } = saved(ws, "one");
  const { store } = storeOf(ws.at("sessions"));
  writeFileSync(join(folder, "lock"), "");
  expect(() => store.open(id)).toThrow("in use by a process that takes it this moment");
  utimesSync(join(folder, "lock"), 4e9, 4e9);
  store.open(id).close();
});

test("stored values that are no messages, and parts that are none, are left out and told of [C01][C02]", async () => {
  await using ws = await workspace({});
  const { id, folder } = saved(ws, "one");
  const values: unknown[] = [
    null,
    5,
    [],
    { role: "system", parts: [] },
    { role: "user" },
    { role: "user", parts: null },
    { role: "user", parts: [null, 5, { type: "text" }, { type: "image" }, { type: "hologram" }] },
    { role: "assistant", parts: [{ type: "text", text: "no source" }] },
    {
      ...assistant("kept"),
      parts: [{ type: "tool_call" }, { type: "thinking" }, { type: "text", text: "kept" }],
      usage: { input: "7" },
    },
    {
      role: "tool",
      parts: [{ type: "tool_result" }, { type: "tool_result", id: "a", name: "b", content: "text" }],
    },
  ];
  let parent = storeOf(ws.at("sessions")).store.open(id).head;
  values.forEach((message, index) => {
    const record = { id: `odd${index}`, parent, ts: "2026-02-01T00:00:00.000Z", type: "message", message };
    appendFileSync(join(folder, "events.jsonl"), `${JSON.stringify(record)}\n`);
    parent = record.id;
  });
  rmSync(join(folder, "lock"), { force: true });
  const { store, notices } = storeOf(ws.at("sessions"));
  const { messages } = store.read(id);
  expect(texts(messages).filter((text) => text !== "")).toEqual(["one", "one!", "kept"]);
  expect(
    messages.flatMap((message: Message) => message.parts as { type: string }[]).map(({ type }) => type),
  ).toEqual(["text", "text", "text"]);
  expect(messages.find((message) => texts([message])[0] === "kept")).toMatchObject({ usage: { input: 0 } });
  expect(notices.join("\n")).toMatch(/10 records could not be read/);
});

test("a record from the end of all calendars leaves times for the records after it [C02]", async () => {
  await using ws = await workspace({});
  const { id, folder } = saved(ws, "one");
  const record = { id: "late", parent: null, ts: "+275760-09-13T00:00:00.000Z", type: "later", x: 1 };
  appendFileSync(join(folder, "events.jsonl"), `${JSON.stringify(record)}\n`);
  const session = storeOf(ws.at("sessions")).store.open(id);
  session.append(user("two"));
  expect(session.degraded).toBe(false);
  session.close();
});

test("a folder of a work tree without a session goes on with that of the nearest folder above, outside of git never [C09]", async () => {
  await using ws = await workspace({ "repo/a/b/x.txt": "", "repo/c/x.txt": "", "plain/a/x.txt": "" });
  mkdirSync(ws.at("repo/.git"));
  const begin = (cwd: string) => {
    const session = storeOf(ws.at("sessions")).store.create({ cwd: ws.at(cwd), ...NEW });
    session.append(user("x"));
    session.close();
    return session.id;
  };
  const top = begin("repo");
  const inner = begin("repo/a");
  begin("plain");
  const { store } = storeOf(ws.at("sessions"));
  const newest = (cwd: string) => store.newest({ cwd: ws.at(cwd) })?.id;
  expect([newest("repo/a/b"), newest("repo/a"), newest("repo/c"), newest("plain/a")]).toEqual([
    inner,
    inner,
    top,
    undefined,
  ]);
});
