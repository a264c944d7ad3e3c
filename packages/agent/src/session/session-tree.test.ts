import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import type { JsonObject } from "../contract/json.ts";
import { memorySession } from "./memory-session.ts";
import { assistant, readRecords, storeOf, texts, user } from "./test-support/sessions.ts";

type Line = { id: string; parent: string | null; type: string } & Record<string, unknown>;

/** Writes a log by hand: a time is added to each record; a text stands for a damaged line. */
function withLog(root: string, lines: (Line | string)[]) {
  const folder = join(root, "handmade");
  mkdirSync(folder, { recursive: true });
  const text = lines.map((line, index) => {
    if (typeof line === "string") return line;
    const { id, parent, type, ...rest } = line;
    return JSON.stringify({
      id,
      parent,
      ts: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
      type,
      ...rest,
    });
  });
  writeFileSync(join(folder, "events.jsonl"), `${text.join("\n")}\n`);
  return storeOf(root).store;
}

const said = (id: string, parent: string | null): Line => ({
  id,
  parent,
  type: "message",
  message: user(id),
});
const control = (id: string, type: string, rest: JsonObject): Line => ({ id, parent: null, type, ...rest });
const read = (root: string, lines: (Line | string)[]) => {
  const { messages, branch, branches } = withLog(root, lines).read("handmade");
  return { said: texts(messages), branch, branches };
};

test("a rewind shows the branch up to its target, and what follows hangs there [A-SESS-02]", async () => {
  await using ws = await workspace({});
  const lines = [
    said("a", null),
    said("b", "a"),
    said("c", "b"),
    control("h", "head", { branch: "main", target: "a" }),
  ];
  expect(read(ws.path, lines).said).toEqual(["a"]);
  expect(read(ws.path, [...lines, said("d", "a")]).said).toEqual(["a", "d"]);
  expect(read(ws.path, [...lines, control("i", "head", { branch: "main", target: null })]).said).toEqual([]);
});

test("branches are created, switched, renamed and deleted by records, and the active one is remembered [A-SESS-02]", async () => {
  await using ws = await workspace({});
  const lines = [
    said("a", null),
    said("b", "a"),
    control("1", "branch", { branch: "try", action: "create", target: "a" }),
    said("c", "b"),
    control("2", "head", { branch: "try", target: "a" }),
    said("d", "a"),
  ];
  expect(read(ws.path, lines)).toEqual({ said: ["a", "d"], branch: "try", branches: ["main", "try"] });
  const back = [...lines, control("3", "head", { branch: "main", target: "c" })];
  expect(read(ws.path, back)).toEqual({ said: ["a", "b", "c"], branch: "main", branches: ["main", "try"] });
  const renamed = [...lines, control("4", "branch", { branch: "try", action: "rename", to: "better" })];
  expect(read(ws.path, renamed)).toEqual({
    said: ["a", "d"],
    branch: "better",
    branches: ["main", "better"],
  });
  const deleted = [...lines, control("5", "branch", { branch: "try", action: "delete" })];
  expect(read(ws.path, deleted)).toEqual({ said: ["a", "b", "c"], branch: "main", branches: ["main"] });
});

test("branches.json follows the records and is rebuilt when it is wrong [A-SESS-02]", async () => {
  await using ws = await workspace({});
  const store = withLog(ws.path, [
    said("a", null),
    control("1", "branch", { branch: "try", action: "create", target: "a" }),
  ]);
  ws.write("handmade/branches.json", '{"active":"nonsense"');
  const session = store.open("handmade");
  expect(session.branch).toBe("main");
  session.close();
  expect(JSON.parse(ws.read("handmade/branches.json"))).toEqual({
    active: "main",
    branches: { main: { head: "a" }, try: { head: "a" } },
  });
});

test("a record whose parent is lost hangs on the nearest ancestor that survives [C02]", async () => {
  await using ws = await workspace({});
  const torn = JSON.stringify({
    id: "b",
    parent: "a",
    ts: "2026-01-01T00:00:00.000Z",
    type: "message",
    message: user("b"),
  });
  for (const lost of ["garbage", "\0\0\0", torn.slice(0, 100), `${torn.slice(0, 100)}}`]) {
    expect(read(ws.path, [said("a", null), lost, said("c", "b"), said("d", "c")]).said).toEqual([
      "a",
      "c",
      "d",
    ]);
    const rewound = [
      said("a", null),
      lost,
      said("c", "b"),
      control("h", "head", { branch: "main", target: "b" }),
    ];
    expect(read(ws.path, rewound).said).toEqual(["a"]);
  }
});

test("records that name each other or themselves as parent do not hang the reader [C02]", async () => {
  await using ws = await workspace({});
  expect(read(ws.path, [said("a", "a"), said("b", "c"), said("c", "b")]).said).toEqual(["a", "b", "c"]);
});

test("a compaction stands for everything before it, or up to the record it names, and the records stay [A-SESS-03]", async () => {
  await using ws = await workspace({});
  const compaction = (upTo: string, parent: string): Line => ({
    id: "k",
    parent,
    type: "compaction",
    kind: "summary",
    messages: [user("summary")],
    upTo,
  });
  const begin = [said("a", null), said("b", "a"), said("c", "b")];
  expect(read(ws.path, [...begin, compaction("c", "c"), said("d", "k")]).said).toEqual(["summary", "d"]);
  expect(read(ws.path, [...begin, compaction("b", "c"), said("d", "k")]).said).toEqual(["summary", "c", "d"]);
  expect(read(ws.path, [...begin, compaction("gone", "c"), said("d", "k")]).said).toEqual(["summary", "d"]);
  const rewound = [...begin, compaction("c", "c"), control("h", "head", { branch: "main", target: "b" })];
  expect(read(ws.path, rewound).said).toEqual(["a", "b"]);
});

test("a compaction that cannot be read is passed over: the whole history is back [C02][A-SESS-03]", async () => {
  await using ws = await workspace({});
  const broken = `{"id":"k","parent":"a","ts":"2026-01-01T00:00:00.000Z","type":"compaction","messages":[{"role"}`;
  expect(read(ws.path, [said("a", null), broken, said("b", "k")]).said).toEqual(["a", "b"]);
});

test("a compaction in memory and after a reload are the same, also with messages that came while it was made [C10][A-SESS-03]", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.path);
  const session = store.create({ cwd: ws.path, mode: "print", model: "m", provider: "p" });
  for (const text of ["a", "b"]) session.append(user(text));
  const upTo = session.messages().length;
  const live = session.messages();
  session.append(assistant("came meanwhile"));
  session.compact("summary", [user("summary of a and b")], upTo);
  session.append(user("d"));
  expect(texts(live)).toEqual(["summary of a and b", "came meanwhile", "d"]);
  session.compact("shed", [user("all")], 3);
  session.saveSettings({ model: "n" });
  session.append(user("e"));
  session.close();
  expect(texts(live)).toEqual(["all", "e"]);
  expect(store.read(session.id).messages).toEqual([...live]);
  const records = readRecords(readFileSync(join(session.folder!, "events.jsonl")));
  expect(records.filter((record) => record.type === "message")).toHaveLength(5);
});

test("settings are restored, the latest value of each key [C12]", async () => {
  await using ws = await workspace({});
  const store = withLog(ws.path, [
    control("1", "setting", { values: { model: "old", mode: "print" } }),
    said("a", "1"),
    control("2", "setting", { values: { model: "new" } }),
  ]);
  expect(store.read("handmade").settings).toEqual({ model: "new", mode: "print" });
});

test("a setting that has its value already writes nothing [C13]", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.path);
  const session = store.create({ cwd: ws.path, mode: "print", model: "m", provider: "p" });
  session.append(user("a"));
  const before = ws.read(`${session.id}/events.jsonl`);
  session.saveSettings({ model: "m" });
  expect(ws.read(`${session.id}/events.jsonl`)).toBe(before);
  session.close();
});

test("opening a session does not read what a compaction stands for [C08]", async () => {
  await using ws = await workspace({});
  const unreadable = (id: string, parent: string | null) =>
    `{"id":"${id}","parent":${parent === null ? null : `"${parent}"`},"ts":"2026-01-01T00:00:00.000Z","type":"message","message":{{}}`;
  const { store, notices } = storeOf(ws.path);
  withLog(ws.path, [
    unreadable("a", null),
    unreadable("b", "a"),
    { id: "k", parent: "b", type: "compaction", kind: "summary", messages: [user("summary")], upTo: "b" },
    said("c", "k"),
  ]);
  expect(texts(store.read("handmade").messages)).toEqual(["summary", "c"]);
  expect(notices).toEqual([]);
});

test("a session in memory behaves the same and keeps nothing on disk", async () => {
  await using ws = await workspace({});
  const session = memorySession({ cwd: ws.path, mode: "print", model: "m", provider: "p" }, () => 0);
  session.append(user("one"));
  session.saveSettings({ model: "n" });
  session.compact("summary", [user("s")], 1);
  session.append(user("two"));
  session.sync();
  session.close();
  expect(texts(session.messages())).toEqual(["s", "two"]);
  expect([session.folder, session.degraded, session.meta.title, session.settings["model"]]).toEqual([
    null,
    false,
    "one",
    "n",
  ]);
  expect(Object.keys(ws.snapshot())).toEqual([]);
});

test("a log that grew by another program's line is read on [C02]", async () => {
  await using ws = await workspace({});
  const store = withLog(ws.path, [said("a", null)]);
  appendFileSync(ws.at("handmade/events.jsonl"), "# a note by hand\n");
  expect(texts(store.read("handmade").messages)).toEqual(["a"]);
});
