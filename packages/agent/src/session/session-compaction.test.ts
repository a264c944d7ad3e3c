import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import type { Message } from "../contract/messages.ts";
import type { OutdatedRange } from "../contract/session.ts";
import { memorySession } from "./memory-session.ts";
import type { Session } from "./session.ts";
import { assistant, readRecords, storeOf, texts, user } from "./test-support/sessions.ts";

const NEW = { mode: "print", model: "m", provider: "p" };

/** Numbers below `below`, the same in each run for one seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Does one thing that writes one record at most. */
function step(session: Session, random: (below: number) => number, n: number): void {
  const messages = session.messages();
  const branches = session.branches();
  const upTo = random(messages.length + 1);
  const kind = random(9);
  if (kind === 0) session.compact("summary", [user(`summary ${n} é\u2028😀`)], upTo);
  else if (kind === 1) session.compact("shed", [user(`shed ${n}`), ...messages.slice(1, upTo)], upTo);
  else if (kind === 2) session.undoCompaction();
  else if (kind === 3 && branches.length < 4) session.createBranch(`branch-${n}`);
  else if (kind === 4) session.switchBranch(branches[random(branches.length)]!.name);
  else session.append(random(2) === 0 ? user(`message ${n}`) : assistant(`answer ${n}`));
}

interface State {
  messages: Message[];
  outdated: OutdatedRange;
  branch: string;
}

const stateOf = (session: Session): State => ({
  messages: structuredClone([...session.messages()]),
  outdated: session.outdated,
  branch: session.branch,
});

test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  "after any appending, shedding, summarising, undoing and switching the log gives what memory has, and a log cut anywhere gives what was there then (%d) [C07][C10][A-SESS-03]",
  async (seed) => {
    await using ws = await workspace({});
    const random = numbers(seed + 1);
    const { store } = storeOf(ws.path);
    const session = store.create({ cwd: ws.path, ...NEW });
    session.append(user("message 0"));
    const path = join(session.folder!, "events.jsonl");
    const states: { size: number; state: State }[] = [];
    for (let n = 1; n <= 60; n++) {
      step(session, random, n);
      states.push({ size: readFileSync(path).length, state: stateOf(session) });
    }
    session.close();
    const bytes = readFileSync(path);
    const ids = readRecords(bytes).map(({ id }) => id);
    for (const { size, state } of states) {
      // At the end of each record, without its line end, and in the middle of the next one.
      for (const cut of [size, size - 1, Math.min(bytes.length, size + 1 + random(60))]) {
        writeFileSync(path, bytes.subarray(0, cut));
        const again = storeOf(ws.path).store.open(session.id);
        expect(stateOf(again)).toEqual(state);
        again.close();
      }
    }
    // Nothing that was ever written is gone.
    writeFileSync(path, bytes);
    expect(readRecords(readFileSync(path)).map(({ id }) => id)).toEqual(ids);
  },
);

test("a session that is opened again goes on with compactions and undoings as if it had never been closed [C07]", async () => {
  await using ws = await workspace({});
  for (let seed = 100; seed < 106; seed++) {
    const once = numbers(seed);
    const twice = numbers(seed);
    const kept = memorySession({ cwd: ws.path, ...NEW }, () => 0);
    let session = storeOf(ws.path).store.create({ cwd: ws.path, ...NEW });
    for (const each of [kept, session]) each.append(user("message 0"));
    for (let n = 1; n <= 40; n++) {
      step(kept, once, n);
      step(session, twice, n);
      if (n % 7 !== 0) continue;
      session.close();
      session = storeOf(ws.path, n * 100).store.open(session.id);
    }
    expect(stateOf(session)).toEqual(stateOf(kept));
    session.close();
  }
});

function compacted(root: string): Session {
  const session = storeOf(root).store.create({ cwd: root, ...NEW });
  for (const text of ["a", "b", "c"]) session.append(user(text));
  session.compact("summary", [user("summary of a and b")], 2);
  session.append(user("d"));
  return session;
}

test("undoing a compaction is one record more, and every old record is still there [C07]", async () => {
  await using ws = await workspace({});
  const session = compacted(ws.path);
  const path = join(session.folder!, "events.jsonl");
  const before = readFileSync(path);
  expect(texts(session.messages())).toEqual(["summary of a and b", "c", "d"]);
  expect(session.undoCompaction()).toBe("summary");
  expect(texts(session.messages())).toEqual(["a", "b", "c", "d"]);
  expect(session.outdated).toEqual({ from: 3, before: 4 });
  expect(session.undoCompaction()).toBeNull();
  const after = readFileSync(path);
  expect(after.subarray(0, before.length)).toEqual(before);
  expect(readRecords(after.subarray(before.length))).toMatchObject([{ type: "undo" }]);
  session.close();
});

test("the earlier one of two compactions is back when the later one is undone, then all is back", async () => {
  await using ws = await workspace({});
  const session = compacted(ws.path);
  session.compact("shed", [user("all of it")], 3);
  expect(session.undoCompaction()).toBe("shed");
  expect(texts(session.messages())).toEqual(["summary of a and b", "c", "d"]);
  expect(session.undoCompaction()).toBe("summary");
  expect(texts(session.messages())).toEqual(["a", "b", "c", "d"]);
  session.close();
});

test("a compaction of a part of what another one left holds the rest of that itself", async () => {
  await using ws = await workspace({});
  const session = compacted(ws.path);
  session.compact("summary", [user("x"), user("y"), user("z")], 1);
  session.compact("summary", [user("x and y")], 2);
  const expected = ["x and y", "z", "c", "d"];
  expect(texts(session.messages())).toEqual(expected);
  session.close();
  expect(texts(storeOf(ws.path).store.read(session.id).messages)).toEqual(expected);
});

test("a branch from before a compaction sees the messages as they were [C07][A-SESS-02]", async () => {
  await using ws = await workspace({});
  const session = storeOf(ws.path).store.create({ cwd: ws.path, ...NEW });
  for (const text of ["a", "b"]) session.append(user(text));
  session.createBranch("before");
  session.compact("summary", [user("summary")], 2);
  session.switchBranch("before");
  expect(texts(session.messages())).toEqual(["a", "b"]);
  expect(session.outdated).toEqual({ from: 0, before: 0 });
  session.switchBranch("main");
  expect(texts(session.messages())).toEqual(["summary"]);
  session.close();
});

test("a log that cannot be read refuses the undoing, and nothing has changed [C07]", async () => {
  await using ws = await workspace({});
  const session = compacted(ws.path);
  const path = join(session.folder!, "events.jsonl");
  const bytes = readFileSync(path);
  rmSync(path);
  expect(() => session.undoCompaction()).toThrow(expect.objectContaining({ code: "file_missing" }));
  expect(texts(session.messages())).toEqual(["summary of a and b", "c", "d"]);
  writeFileSync(path, bytes);
  session.close();
});

test("a line that another program adds between ours costs no message", async () => {
  await using ws = await workspace({});
  const session = storeOf(ws.path).store.create({ cwd: ws.path, ...NEW });
  session.append(user("a"));
  appendFileSync(join(session.folder!, "events.jsonl"), "# a note by hand\n");
  session.append(user("b"));
  session.compact("summary", [user("summary")], 2);
  session.undoCompaction();
  expect(texts(session.messages())).toEqual(["a", "b"]);
  session.close();
});

test("on a disk that refuses compaction and its undoing work in memory [B10]", async () => {
  await using ws = await workspace({ sessions: "a file, no folder" });
  const session = storeOf(ws.at("sessions")).store.create({ cwd: ws.path, ...NEW });
  for (const text of ["a", "b"]) session.append(user(text));
  expect(session.degraded).toBe(true);
  session.compact("summary", [user("summary")], 2);
  session.undoCompaction();
  expect(texts(session.messages())).toEqual(["a", "b"]);
  session.close();
});
