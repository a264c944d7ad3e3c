import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { call, modelServer, say, think, workspace } from "@pi-ts/testkit";
import { found, type MemoryConversation, tool } from "../agent/test-support/bench.ts";
import { stopReason, WIRES, wired } from "../agent/test-support/wired.ts";
import { textOf } from "../contract/messages.ts";
import { readTurns, turnsUpTo } from "./checkpoint/tree-turns.ts";
import { memorySession } from "./memory-session.ts";
import type { Session } from "./session.ts";
import { assistant, readRecords, storeOf, texts, user } from "./test-support/sessions.ts";

const NEW = { mode: "print", model: "m", provider: "p" };

function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function step(session: Session, random: (below: number) => number, n: number): void {
  const branches = session.branches();
  const nodes = [...session.tree.nodes.keys()];
  const upTo = random(session.messages().length + 1);
  const kind = random(12);
  if (kind === 0) session.compact("summary", [user(`summary ${n}`)], upTo);
  else if (kind === 1) session.undoCompaction();
  else if (kind === 2 && branches.length < 4) session.createBranch(`branch-${n}`);
  else if (kind === 3) session.switchBranch(branches[random(branches.length)]!.name);
  else if (kind < 7) session.rewind(random(6) === 0 ? null : nodes[random(nodes.length)]!);
  else if (kind === 7) session.note({ type: "label", target: nodes[random(nodes.length)]!, name: `${n}` });
  else session.append(random(2) === 0 ? user(`message ${n}`) : assistant(`answer ${n}`));
}

const stateOf = (session: Session) => ({
  messages: structuredClone([...session.messages()]),
  said: structuredClone([...session.said()]),
  outdated: session.outdated,
  branch: session.branch,
  head: session.head,
  branches: session.branches(),
});

test.each(Array.from({ length: 16 }, (_, seed) => seed))(
  "after any appending, compacting, undoing, switching and rewinding a reload gives what memory has, and nothing is removed (%d) [A-SESS-02][C07][C10]",
  async (seed) => {
    await using ws = await workspace({});
    const random = numbers(seed + 7);
    const { store } = storeOf(ws.path);
    let session = store.create({ cwd: ws.path, ...NEW });
    session.append(user("message 0"));
    const path = join(session.folder!, "events.jsonl");
    let before = readFileSync(path);
    for (let n = 1; n <= 60; n++) {
      step(session, random, n);
      const now = readFileSync(path);
      expect(now.subarray(0, before.length).equals(before)).toBe(true);
      before = now;
      if (n % 5 !== 0) continue;
      const state = stateOf(session);
      session.close();
      session = storeOf(ws.path, n * 100).store.open(session.id);
      expect(stateOf(session)).toEqual(state);
    }
    session.close();
  },
);

test("a rewind is one head record, and another one takes it back [A-SESS-02]", async () => {
  await using ws = await workspace({});
  const session = storeOf(ws.path).store.create({ cwd: ws.path, ...NEW });
  for (const text of ["a", "b", "c"]) session.append(user(text));
  const end = session.head;
  const [first] = session.tree.nodes.values();
  session.rewind([...session.tree.nodes.keys()][1]!);
  expect(texts(session.messages())).toEqual(["a"]);
  session.rewind(end);
  expect(texts(session.messages())).toEqual(["a", "b", "c"]);
  session.rewind(null);
  expect(session.messages()).toEqual([]);
  session.append(user("anew"));
  expect(first!.parent).toBeNull();
  expect(texts(session.messages())).toEqual(["anew"]);
  const heads = readRecords(readFileSync(join(session.folder!, "events.jsonl"))).filter(
    ({ type }) => type === "head",
  );
  expect(heads).toHaveLength(3);
  session.close();
});

test("a rewind to a record that is not there is refused, and nothing is written [A-SESS-02]", async () => {
  const session = memorySession({ cwd: "/", ...NEW }, () => 0);
  session.append(user("a"));
  const { head } = session;
  expect(() => session.rewind("nowhere")).toThrow(expect.objectContaining({ code: "record_missing" }));
  expect(session.head).toBe(head);
});

test("one can go back to before a message only where no call is left without its result", async () => {
  const session = memorySession({ cwd: "/", ...NEW }, () => 0);
  session.append(user("first"));
  const [part] = assistant("").parts;
  const callPart = { type: "tool_call" as const, id: "1", name: "read", arguments: {} };
  session.append({ ...assistant(""), parts: [part!, callPart] });
  session.append(user("second"));
  expect(turnsUpTo(readTurns(session).turnOf(session.tree.head)).map(({ clean }) => clean)).toEqual([
    true,
    false,
  ]);
});

test.each(WIRES)(
  "a strict service takes the history after any rewind, and sees nothing of what was left, on %s [A-SESS-02][C01]",
  async (wire) => {
    await using ws = await workspace({});
    await using server = await modelServer();
    const session = storeOf(ws.path).store.create({ cwd: ws.path, ...NEW });
    const look = tool("look", { run: () => Promise.resolve(found("seen")) });
    const b = wired(server, wire, { conversation: session as unknown as MemoryConversation, tools: [look] });
    const runs = async (prompt: string) => {
      server.reply(think("a thought"), say("Let me look."), call("look", {}));
      server.reply(say(`done: ${prompt}`));
      expect(stopReason(await b.run(prompt))).toBe("end");
    };
    for (const n of [1, 2, 3]) await runs(`prompt ${n}`);
    for (const n of [3, 2, 1]) {
      const point = turnsUpTo(readTurns(session).turnOf(session.tree.head)).find(
        ({ message }) => textOf(message.parts) === `prompt ${n}`,
      );
      expect(point?.clean).toBe(true);
      session.rewind(point!.node.parent?.id ?? null);
      const { head } = session;
      await runs(`instead ${n}`);
      const { userTexts } = server.requests.at(-1)!;
      expect(userTexts.join()).not.toContain(`prompt ${n}`);
      expect(userTexts.join()).toContain(`instead ${n}`);
      session.rewind(head);
    }
    session.close();
  },
);
