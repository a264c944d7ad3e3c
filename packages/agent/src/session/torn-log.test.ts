/** A log with everything in it (branches, compactions, undoings, rewinds, checkpoints, names, settings), torn or damaged at every byte. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, type ModelServer, modelServer, say, think, type Wire, workspace } from "@pi-ts/testkit";
import { found, MemoryConversation, tool } from "../agent/test-support/bench.ts";
import { runPatiently, stopReason, WIRES, wired } from "../agent/test-support/wired.ts";
import type { Message } from "../contract/messages.ts";
import type { Session } from "./session.ts";
import { readRecords, storeOf, texts, user } from "./test-support/sessions.ts";

const look = tool("look", { run: () => Promise.resolve(found("seen")) });
const LF = 10;

/** A server that answers each prompt with a thought, a call and a last word. */
async function service(): Promise<ModelServer> {
  const server = await modelServer();
  let turn = 0;
  server.otherwise(({ text }) => {
    if (text.includes("AFTERWARDS")) return [say("went on")];
    return turn++ % 2 === 0 ? [think("hm"), call("look", { x: turn })] : [say(`word ${turn}`)];
  });
  return server;
}

/** A session in which everything happened that a record tells of; its log, and how to open it again. */
async function eventful(root: string, server: ModelServer, wire: Wire) {
  const session = storeOf(root).store.create({ cwd: "/p", mode: "print", model: "m", provider: "p" });
  const conversation = session as unknown as MemoryConversation;
  const b = wired(server, wire, { tools: [look], conversation });
  const run = async (prompt: string) => expect(stopReason(await b.run(prompt))).toBe("end");
  const state = { kind: "link", target: "b.txt" } as const;
  const files = [{ path: "a.txt", before: { kind: "missing" } as const, after: state }];
  await run("one");
  session.setTitle("A title");
  session.createBranch("idea");
  session.switchBranch("idea");
  await run("two");
  session.note({ type: "checkpoint", files });
  session.note({ type: "label", target: session.head!, name: "here" });
  session.compact(
    "summary",
    [{ ...user("[notes]"), origin: "summary" }, user("two")],
    session.messages().length,
  );
  const from = { branch: session.branch, head: session.head };
  session.switchBranch("main");
  session.note({ type: "rewind", from, files, replaced: files });
  const place = session.head;
  session.append({ ...user("[notes of idea]"), origin: "branch_summary" });
  session.append(user("three"));
  session.rewind(place);
  session.compact("shed", [user("one, short"), ...session.messages().slice(1).map(withoutBoundThinking)], 4);
  session.undoCompaction();
  session.append(user("four"));
  session.renameBranch("idea", "wild");
  session.createBranch("gone");
  session.deleteBranch("gone");
  session.saveSettings({ thinking: "high" });
  session.close();
  const path = join(session.folder!, "events.jsonl");
  return {
    path,
    bytes: readFileSync(path),
    open: (later: number) => storeOf(root, later).store.open(session.id),
  };
}

/** As a compaction leaves an answer behind something that it has changed, where thinking is bound to that. */
function withoutBoundThinking(message: Message): Message {
  if (message.role !== "assistant" || message.source.wire !== "anthropic") return message;
  return { ...message, parts: message.parts.filter(({ type }) => type !== "thinking") };
}

const stateOf = (session: Session) => ({
  messages: structuredClone([...session.messages()]),
  said: structuredClone([...session.said()]),
  outdated: session.outdated,
  branch: session.branch,
  head: session.head,
  branches: session.branches(),
  settings: { ...session.settings },
});

/** Histories before a strict service; each kind of history is asked about once. */
class Histories {
  readonly #seen = new Set<string>();
  readonly #server: ModelServer;
  readonly #wire: Wire;

  constructor(server: ModelServer, wire: Wire) {
    this.#server = server;
    this.#wire = wire;
  }

  /** True when the service takes the history with one more prompt. */
  async taken(session: Session): Promise<boolean> {
    const { outdated } = session;
    const messages = structuredClone([...session.messages()]);
    const key = JSON.stringify([outdated, messages.map(shapeOf)]);
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    const conversation = new MemoryConversation(messages, { ...outdated });
    const b = wired(this.#server, this.#wire, { tools: [look], conversation });
    const events = await runPatiently(b, "AFTERWARDS");
    return stopReason(events) === "end";
  }
}

/** What of a message a service may refuse: all but the words of its texts and the program's own notes. */
function shapeOf({ role, parts }: Message): unknown {
  return [role, parts.map((part) => (part.type === "text" ? "text" : part))];
}

test("a log cut at any byte gives what it held up to its last whole record, changes no byte of that, and goes on [C02][A-SESS-01]", async () => {
  await using ws = await workspace({});
  await using server = await service();
  const { path, bytes, open } = await eventful(ws.path, server, "anthropic");
  let whole: ReturnType<typeof stateOf> | undefined;
  for (let cut = bytes.indexOf(LF); cut <= bytes.length; cut++) {
    writeFileSync(path, bytes.subarray(0, cut));
    const session = open(cut);
    const state = stateOf(session);
    // With its closing brace a record is whole; only its LF is missing.
    if (bytes[cut] === LF || cut === bytes.length) whole = state;
    else expect([cut, state]).toEqual([cut, whole!]);
    session.append(user("more"));
    session.close();
    expect(readFileSync(path).subarray(0, cut).equals(bytes.subarray(0, cut))).toBe(true);
    if (cut % 8 !== 0) continue;
    const again = open(cut + 10);
    expect([cut, texts(again.messages())]).toEqual([cut, [...texts(state.messages), "more"]]);
    again.close();
  }
});

test.each(WIRES)(
  "a strict service takes the history of a log cut behind any record, on %s [C01][C02]",
  async (wire) => {
    await using ws = await workspace({});
    await using server = await service();
    const { path, bytes, open } = await eventful(ws.path, server, wire);
    const histories = new Histories(server, wire);
    for (let cut = bytes.indexOf(LF); cut !== -1; cut = bytes.indexOf(LF, cut + 1)) {
      writeFileSync(path, bytes.subarray(0, cut));
      const session = open(cut);
      expect([cut, await histories.taken(session)]).toEqual([cut, true]);
      session.close();
    }
  },
);

/** The records of the lines that a byte does not lie in (an LF lies in both that it parts). */
function untouched(bytes: Buffer, at: number): ReturnType<typeof readRecords> {
  const from = at === 0 ? 0 : bytes.lastIndexOf(LF, at - 1) + 1;
  const next = bytes.indexOf(LF, at);
  const end = next === at ? bytes.indexOf(LF, at + 1) : next;
  const after = end === -1 ? Buffer.alloc(0) : bytes.subarray(end + 1);
  return readRecords(Buffer.concat([bytes.subarray(0, from), after]));
}

const MEANINGFUL = [0x00, LF, 0x22, 0x5c, 0x7b, 0x7d, 0xff, 0x80, 0x2c, 0x30, 0x7f];

test.each<[string, (byte: number, at: number) => number]>([
  ["a bit of it tipped over", (byte, at) => byte ^ (1 << (at % 8))],
  [
    "it became a byte that means something",
    (byte, at) => {
      const meaning = MEANINGFUL[at % MEANINGFUL.length]!;
      return meaning === byte ? byte ^ 1 : meaning;
    },
  ],
])(
  "whichever byte of a log is damaged (%s), every other record is still read, strict services take the history, and it goes on [C02][C01][A-SESS-01]",
  async (_, damage) => {
    await using ws = await workspace({});
    await using server = await service();
    const { path, bytes, open } = await eventful(ws.path, server, "anthropic");
    const histories = WIRES.map((wire) => new Histories(server, wire));
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = damage(bytes[at]!, at);
      writeFileSync(path, damaged);
      const session = open(1_000);
      const nodes = [...session.tree.nodes.values()];
      const read = session.records(nodes);
      const records = new Map(nodes.map(({ id }, place) => [id, read[place]]));
      for (const record of untouched(bytes, at))
        if (!["head", "branch"].includes(record.type as string))
          expect([at, records.get(record.id)]).toEqual([at, record]);
      session.transcript();
      expect([at, await histories[at % WIRES.length]!.taken(session)]).toEqual([at, true]);
      session.append(user("more"));
      const state = stateOf(session);
      session.close();
      if (at % 4 !== 0) continue;
      const again = open(2_000);
      expect([at, stateOf(again)]).toEqual([at, state]);
      again.close();
    }
    // A damaged thought, or one behind something that is lost, is refused once and left out then.
    for (const problem of server.problems)
      expect(problem).toMatch(/thinking|bound to a different conversation/);
    server.allowProblems();
  },
);
