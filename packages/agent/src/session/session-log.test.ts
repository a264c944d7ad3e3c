import { expect, test } from "bun:test";
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { runProcess, workspace } from "@pi-ts/testkit";
import { readRecords, storeOf, texts, user } from "./test-support/sessions.ts";

/** A session with `prompts`, closed; its log as bytes. */
function saved(root: string, prompts: string[]) {
  const { store } = storeOf(root);
  const session = store.create({ cwd: root, mode: "print", model: "m", provider: "p" });
  for (const prompt of prompts) session.append(user(prompt));
  session.close();
  const path = join(session.folder!, "events.jsonl");
  return { id: session.id, path, bytes: readFileSync(path) };
}

test("a log cut at any byte of its last records keeps every whole record and takes the next one [C02][A-SESS-01]", async () => {
  await using ws = await workspace({});
  const { id, path, bytes } = saved(ws.path, ["one", "two é\u2028😀", "three {}{"]);
  const first = bytes.indexOf(10) + 1;
  for (let cut = first; cut <= bytes.length; cut++) {
    writeFileSync(path, bytes.subarray(0, cut));
    // A record is whole with its closing brace; only its LF may be missing.
    const kept = readRecords(bytes.subarray(0, cut));
    const { store, notices } = storeOf(ws.path, cut);
    const session = store.open(id);
    const expected = texts(
      kept.filter((record) => record.type === "message").map((record) => record.message),
    );
    expect(texts(session.messages())).toEqual(expected);
    session.append(user("after"));
    session.close();
    const torn = cut < bytes.length && bytes[cut - 1] !== 10 && bytes[cut] !== 10;
    expect(notices.length).toBe(torn ? 1 : 0);
    const again = readRecords(readFileSync(path));
    expect(again.slice(0, kept.length)).toEqual(kept);
    expect(again.at(-1)).toMatchObject({ type: "message", parent: kept.at(-1)!.id });
    expect(texts(storeOf(ws.path).store.read(id).messages)).toEqual([...expected, "after"]);
  }
});

test("a bad line costs that line only, and is named by its number [C02]", async () => {
  await using ws = await workspace({});
  const { id, path, bytes } = saved(ws.path, ["one", "two", "three"]);
  const lines = bytes.toString("utf8").split("\n");
  const bad: Record<string, [text: string, left: string[], notices: number]> = {
    "a half line": [lines[2]!.slice(0, 90), ["one", "three"], 1],
    "a half line with a brace at its end": [`${lines[2]!.slice(0, 90)}}`, ["one", "three"], 1],
    "a run of NULs": ["\0".repeat(4096), ["one", "three"], 0],
    "NULs before a record": ["\0".repeat(64) + lines[2], ["one", "two", "three"], 0],
    "NULs inside of a record": [lines[2]!.replace("two", "t\0o"), ["one", "three"], 1],
    "no JSON": ["what is this", ["one", "three"], 1],
    "JSON that is no record": ['{"a":1}', ["one", "three"], 1],
    "an array": ["[1]", ["one", "three"], 1],
    "a message without parts": [lines[2]!.replace(/"parts":\[.*\]/, '"parts":7'), ["one", "three"], 1],
    "an empty line": ["", ["one", "three"], 0],
    "a CR at its end": [`${lines[2]}\r`, ["one", "two", "three"], 0],
  };
  for (const [name, [text, left, count]] of Object.entries(bad)) {
    writeFileSync(path, [lines[0], lines[1], text, lines[3], ""].join("\n"));
    const { store, notices } = storeOf(ws.path);
    const session = store.open(id);
    expect({ name, left: texts(session.messages()) }).toEqual({ name, left });
    expect({ name, count: notices.length }).toEqual({ name, count });
    session.append(user("after"));
    session.close();
    expect(texts(storeOf(ws.path).store.read(id).messages)).toEqual([...left, "after"]);
  }
});

test("records glued together, or to the half of another one, are all recovered [C02]", async () => {
  await using ws = await workspace({});
  const { id, path, bytes } = saved(ws.path, ["one", 'two {"id":"x"}', "three", "four"]);
  const lines = bytes.toString("utf8").split("\n");
  const variants: [string, string[]][] = [
    [
      `${lines[0]}\n${lines[1]}${lines[2]}\n${lines[3]}${lines[4]}\n`,
      ["one", 'two {"id":"x"}', "three", "four"],
    ],
    [
      `${lines[0]}\n${lines[1]}\n${lines[2]!.slice(0, 90)}${lines[3]}\n${lines[4]}\n`,
      ["one", "three", "four"],
    ],
    [
      `${lines[0]}\n${lines[1]}${lines[2]!.slice(0, 90)}\n${lines[3]}\n${lines[4]}\n`,
      ["one", "three", "four"],
    ],
  ];
  for (const [text, left] of variants) {
    writeFileSync(path, text);
    const { store, notices } = storeOf(ws.path);
    expect(texts(store.read(id).messages)).toEqual(left);
    expect(notices).toHaveLength(1);
  }
});

test("an object that begins with an id inside of a record is no other record [C02]", async () => {
  await using ws = await workspace({});
  const { store, notices } = storeOf(ws.path);
  const session = store.create({ cwd: ws.path, mode: "print", model: "m", provider: "p" });
  session.append({
    role: "user",
    origin: "user",
    parts: [{ type: "text", text: "x", opaque: [{ id: "a", parent: null }] }],
  });
  session.close();
  expect(store.read(session.id).messages).toEqual([...session.messages()]);
  expect(notices).toEqual([]);
});

test("a byte that is no UTF-8 is replaced and reported, the record stays [C02]", async () => {
  await using ws = await workspace({});
  const { id, path, bytes } = saved(ws.path, ["one", "two", "three"]);
  const at = bytes.indexOf("two");
  bytes[at + 1] = 0xff;
  writeFileSync(path, bytes);
  const { store, notices } = storeOf(ws.path);
  expect(texts(store.read(id).messages)).toEqual(["one", "t\ufffdo", "three"]);
  expect(notices).toHaveLength(1);
});

test("a line of 200 MB is skipped and named, and its neighbours are kept in bounded memory [C02]", async () => {
  await using ws = await workspace({});
  const { id, path, bytes } = saved(ws.path, ["one", "two", "three"]);
  const second = bytes.indexOf('"two"');
  const fd = openSync(path, "r+");
  // A hole in the file: 200 MB of NULs inside of the second message, at no cost of disk.
  const tail = bytes.subarray(second);
  ftruncateSync(fd, second + 200_000_000);
  writeSync(fd, Buffer.alloc(tail.length), 0, tail.length, second);
  writeSync(fd, tail, 0, tail.length, second + 200_000_000);
  closeSync(fd);
  const code = `const { SessionStore } = await import(${JSON.stringify(import.meta.resolve("./session-store.ts"))});
    const peak = () => process.resourceUsage().maxRSS; // kilobytes
    const before = peak();
    const notices = [];
    const store = new SessionStore({ root: ".", now: Date.now, onNotice: (text) => notices.push(text) });
    const said = store.read("${id}").messages.map((message) => message.parts[0].text);
    console.log(JSON.stringify({ said, notices, megabytes: (peak() - before) / 1000 }));`;
  const child = await runProcess([process.execPath, "--no-env-file", "-e", code], {
    cwd: ws.path,
    env: ws.env(),
  });
  const { said, notices, megabytes } = JSON.parse(child.stdout);
  expect(said).toEqual(["one", "three"]);
  expect(notices.join()).toContain("1 line too long (line 3)");
  expect(megabytes).toBeLessThan(150);
});

test("a record of an unknown type is kept and the messages after it are found [C02]", async () => {
  await using ws = await workspace({});
  const { id, path, bytes } = saved(ws.path, ["one"]);
  const last = readRecords(bytes).at(-1)!;
  const unknown = {
    id: "later00",
    parent: last.id,
    ts: "2026-01-02T00:00:00.000Z",
    type: "hologram",
    data: 1,
  };
  appendFileSync(path, `${JSON.stringify(unknown)}\n`);
  const session = storeOf(ws.path).store.open(id);
  session.append(user("two"));
  session.close();
  expect(texts(storeOf(ws.path).store.read(id).messages)).toEqual(["one", "two"]);
  expect(readRecords(readFileSync(path)).map((record) => record.type as string)).toEqual([
    "setting",
    "message",
    "hologram",
    "message",
  ]);
});

test("a record that is there twice counts once, and is reported [C10]", async () => {
  await using ws = await workspace({});
  const { id, path, bytes } = saved(ws.path, ["one", "two"]);
  const lines = bytes.toString("utf8").trimEnd().split("\n");
  writeFileSync(path, `${[...lines, lines[1]].join("\n")}\n`);
  const { store, notices } = storeOf(ws.path);
  expect(texts(store.read(id).messages)).toEqual(["one", "two"]);
  expect(notices.join()).toContain("came twice");
});

test("a pipe in the log's place is refused instead of waited for", async () => {
  await using ws = await workspace({});
  if (process.platform === "win32") return;
  const { id, path } = saved(ws.path, ["one"]);
  const { unlinkSync } = await import("node:fs");
  const { execFileSync } = await import("node:child_process");
  unlinkSync(path);
  execFileSync("mkfifo", [path]);
  expect(() => storeOf(ws.path).store.open(id)).toThrow("is not a file");
});
