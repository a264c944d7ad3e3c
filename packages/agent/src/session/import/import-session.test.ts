import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { exportSession } from "../../export/export-session.ts";
import { readTurns } from "../checkpoint/tree-turns.ts";
import { assistant, storeOf, texts, user } from "../test-support/sessions.ts";
import { readForeignSession } from "./read-session.ts";

const TIME = Date.UTC(2026, 2, 1);
const at = (second: number): string => new Date(TIME + second * 1_000).toISOString();
const lines = (...values: unknown[]): string =>
  `${values.map((value) => JSON.stringify(value)).join("\n")}\n`;

const USAGE = {
  input: 10,
  output: 5,
  cacheRead: 100,
  cacheWrite: 0,
  totalTokens: 115,
  cost: { total: 0.25 },
};

function piEntry(id: string, parentId: string | null, second: number, body: object): object {
  return { id, parentId, timestamp: at(second), ...body };
}

function piMessage(id: string, parentId: string | null, second: number, message: object): object {
  return piEntry(id, parentId, second, { type: "message", message });
}

const ASSISTANT = {
  role: "assistant",
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-x",
  usage: USAGE,
};

/** Two branches: one left at `a2`, and the one that goes on. */
const PI = lines(
  { type: "session", version: 3, id: "0198-uuid", timestamp: at(0), cwd: "/home/me/project" },
  piEntry("m1", null, 0, { type: "model_change", provider: "anthropic", modelId: "claude-x" }),
  piEntry("t1", "m1", 0, { type: "thinking_level_change", thinkingLevel: "high" }),
  piMessage("s1", "t1", 0, { role: "system", content: "You are Pi" }),
  piMessage("u1", "s1", 1, {
    role: "user",
    content: [
      { type: "text", text: "Fix it" },
      { type: "image", mimeType: "image/png", data: "AAAA" },
    ],
  }),
  piMessage("a1", "u1", 2, {
    ...ASSISTANT,
    stopReason: "toolUse",
    content: [
      { type: "thinking", thinking: "hmm", thinkingSignature: "c2ln" },
      { type: "text", text: "I look" },
      { type: "toolCall", id: "call|fc_1", name: "bash", arguments: { command: "ls" } },
    ],
  }),
  piMessage("r1", "a1", 3, {
    role: "toolResult",
    toolCallId: "call|fc_1",
    toolName: "bash",
    content: [{ type: "text", text: "a.ts" }],
    isError: false,
    details: { exit: 0 },
  }),
  piMessage("a2", "r1", 4, { ...ASSISTANT, stopReason: "stop", content: [{ type: "text", text: "Left" }] }),
  piMessage("u2", "r1", 5, { role: "user", content: "Other way" }),
  piEntry("l1", "u2", 5, { type: "label", targetId: "u2", label: "here" }),
  piMessage("b1", "l1", 6, { role: "bashExecution", command: "git status", output: "clean\n", exitCode: 0 }),
  piEntry("c1", "b1", 7, {
    type: "compaction",
    summary: "Looked at files",
    firstKeptEntryId: "u2",
    tokensBefore: 1_000,
  }),
  piMessage("a3", "c1", 8, { ...ASSISTANT, stopReason: "stop", content: [{ type: "text", text: "Done" }] }),
  piEntry("n1", "a3", 9, { type: "session_info", name: "My title" }),
  piEntry("x1", "n1", 9, { type: "custom", customType: "todo", data: {} }),
);

async function imported(ws: Workspace, path: string) {
  const { store, notices } = storeOf(ws.at("sessions"));
  const session = readForeignSession(path);
  const meta = store.adopt(session);
  return { store, notices, meta, notes: session.notes.sentences() };
}

test("a session of Pi becomes one of ours with its messages, model, times, title and branches [A-SESS-01]", async () => {
  await using ws = await workspace({ "pi.jsonl": PI });
  const { store, meta, notices } = await imported(ws, ws.at("pi.jsonl"));
  expect(meta).toMatchObject({
    cwd: "/home/me/project",
    title: "My title",
    model: "claude-x",
    provider: "anthropic",
    created: at(0),
    updated: at(9),
    imported: "pi:0198-uuid",
    mode: "interactive",
  });
  const session = store.open(meta.id);
  expect(session.settings).toMatchObject({ model: "claude-x", provider: "anthropic", thinking: "high" });
  const said = session.said();
  expect(texts(said)).toEqual([
    "Fix it",
    "I look",
    "",
    "Other way",
    "$ git status\nclean\n(exit code 0)",
    "Done",
  ]);
  expect(said[0]).toEqual({
    role: "user",
    origin: "user",
    parts: [
      { type: "text", text: "Fix it" },
      { type: "image", mimeType: "image/png", data: "AAAA" },
    ],
  });
  const [, look, result] = said;
  const id = (look as { parts: { id?: string }[] }).parts[2]!.id!;
  expect(id).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(look).toEqual({
    role: "assistant",
    parts: [
      { type: "thinking", text: "hmm", signature: "c2ln" },
      { type: "text", text: "I look" },
      { type: "tool_call", id, name: "bash", arguments: { command: "ls" } },
    ],
    source: { provider: "anthropic", wire: "anthropic", model: "claude-x" },
    usage: {
      input: 10,
      output: 5,
      cache_read: 100,
      cache_write: 0,
      reasoning: 0,
      total: 115,
      cost_usd: 0.25,
    },
    stop: "tool",
  });
  expect(result).toEqual({
    role: "tool",
    parts: [
      {
        type: "tool_result",
        id,
        name: "bash",
        content: [{ type: "text", text: "a.ts" }],
        isError: false,
        details: { exit: 0 },
      },
    ],
  });
  expect(session.transcript().entries[0]?.time).toBe(TIME + 1_000);
  // Its compaction holds, and the branch that was left is there.
  expect(texts(session.messages())).toEqual([
    "Looked at files",
    "Other way",
    "$ git status\nclean\n(exit code 0)",
    "Done",
  ]);
  expect(session.branches().map(({ name, current }) => [name, current])).toEqual([
    ["main", true],
    ["branch-2", false],
  ]);
  session.switchBranch("branch-2");
  expect(texts(session.messages())).toEqual(["Fix it", "I look", "", "Left"]);
  session.append(user("on we go"));
  session.close();
  expect(notices).toEqual([]);
});

test("names that were given to places of Pi's tree, and summaries of branches, come along [A-SESS-02]", async () => {
  const more = lines(
    piEntry("s1", "x1", 10, { type: "branch_summary", fromId: "a2", summary: "Left was no good" }),
    piEntry("l2", "s1", 10, { type: "label", targetId: "a3", label: "done here" }),
    piEntry("l3", "l2", 10, { type: "label", targetId: "u1", label: "begin" }),
    piEntry("l4", "l3", 10, { type: "label", targetId: "u1" }),
    piEntry("l5", "l4", 10, { type: "label", targetId: "nowhere", label: "lost" }),
  );
  await using ws = await workspace({ "pi.jsonl": `${PI}${more}` });
  const { store, meta, notes } = await imported(ws, ws.at("pi.jsonl"));
  const session = store.open(meta.id);
  const { labels } = readTurns(session);
  expect([...labels.values()]).toEqual(["done here"]);
  expect(session.messages().at(-1)).toEqual({
    role: "user",
    origin: "branch_summary",
    parts: [{ type: "text", text: "Left was no good" }],
  });
  expect(notes).toContain("1 name of a place that is not there was left out.");
  session.close();
});

test("what has no place in our sessions is told, once a kind", async () => {
  await using ws = await workspace({ "pi.jsonl": `${PI}{"broken\n[1]\n` });
  const { notes } = await imported(ws, ws.at("pi.jsonl"));
  expect(notes).toEqual([
    "1 system prompt (pi writes its own) was left out.",
    "1 record of an extension was left out.",
    "2 damaged lines were left out.",
  ]);
});

test("a session of Pi of a later version is refused, and what is no session too", async () => {
  await using ws = await workspace({
    "later.jsonl": lines({ type: "session", version: 4, id: "x", timestamp: at(0), cwd: "/" }),
    "other.json": "{}",
    "empty.jsonl": "",
  });
  expect(() => readForeignSession(ws.at("later.jsonl"))).toThrow("version 4");
  for (const path of ["other.json", "empty.jsonl"])
    expect(() => readForeignSession(ws.at(path))).toThrow("no session that can be imported");
  expect(() => readForeignSession(ws.at("missing.jsonl"))).toThrow("there is no such file");
  mkdirSync(ws.at("nothing"));
  expect(() => readForeignSession(ws.at("nothing"))).toThrow("has no meta.json of pi-go");
});

/** Field names in the framework's spelling of one version and of another. */
function piGoEvent(
  id: string,
  author: string,
  second: number,
  parts: object[],
  role: string,
  upper: boolean,
): object {
  return upper
    ? { ID: id, Author: author, Timestamp: at(second), Partial: false, Content: { Role: role, Parts: parts } }
    : { id, author, timestamp: at(second), content: { role, parts } };
}

function piGoFolder(ws: Workspace, upper: boolean): string {
  const call = { id: "c1", name: "read", args: { file_path: "a.ts" } };
  const response = { id: "c1", name: "read", response: { output: "text of a.ts" } };
  const word = (lower: string, name: string) => (upper ? name : lower);
  const root = [
    piGoEvent("1", "user", 1, [{ [word("text", "Text")]: "Explain a.ts" }], "user", upper),
    piGoEvent("2", "pi", 2, [{ [word("function_call", "FunctionCall")]: call }], "model", upper),
    piGoEvent("3", "pi", 3, [{ [word("functionResponse", "FunctionResponse")]: response }], "user", upper),
    { ...piGoEvent("4", "pi", 4, [{ text: "half" }], "model", false), partial: true },
    piGoEvent("5", "pi", 5, [{ [word("text", "Text")]: "It is a file" }], "model", upper),
  ];
  const folder = ws.at("sessions/go-session-1");
  mkdirSync(`${folder}/branches/try`, { recursive: true });
  mkdirSync(`${folder}/branches/main`, { recursive: true });
  const meta = {
    id: "go-session-1",
    appName: "pi-go",
    userID: "local",
    workDir: "/home/me/go",
    model: "gpt-x",
    createdAt: at(0),
    updatedAt: "2026-03-01T01:00:00.123456789+01:00",
  };
  writeFileSync(`${folder}/meta.json`, JSON.stringify(meta));
  writeFileSync(`${folder}/events.jsonl`, lines(...root));
  writeFileSync(`${folder}/branches.json`, JSON.stringify({ active: "main", branches: {} }));
  writeFileSync(`${folder}/branches/main/events.jsonl`, lines(...root));
  const other = piGoEvent("6", "user", 6, [{ text: "Another question" }], "user", false);
  writeFileSync(`${folder}/branches/try/events.jsonl`, lines(...root.slice(0, 3), other));
  return folder;
}

test.each([
  ["upper", true],
  ["lower", false],
] as const)(
  "a session folder of pi-go (names in %s case) becomes one of ours with calls, results and branches",
  async (_case, upper) => {
    await using ws = await workspace({});
    const folder = piGoFolder(ws, upper);
    const { store, meta, notes } = await imported(ws, folder);
    expect(notes).toEqual([]);
    expect(meta).toMatchObject({
      cwd: "/home/me/go",
      model: "gpt-x",
      title: "Explain a.ts",
      imported: "pi-go:go-session-1",
    });
    const session = store.open(meta.id);
    expect(texts(session.messages())).toEqual(["Explain a.ts", "", "", "It is a file"]);
    expect(session.messages()[1]).toMatchObject({
      parts: [{ type: "tool_call", id: "c1", name: "read", arguments: { file_path: "a.ts" } }],
      stop: "tool",
    });
    expect(session.messages()[2]).toMatchObject({
      role: "tool",
      parts: [{ content: [{ type: "text", text: "text of a.ts" }], isError: false }],
    });
    session.switchBranch("try");
    expect(texts(session.messages())).toEqual(["Explain a.ts", "", "", "Another question"]);
    session.close();
  },
);

test("a session of pi-go is listed among ours until it was imported, and its folder stays as it is", async () => {
  await using ws = await workspace({});
  const folder = piGoFolder(ws, true);
  const { store } = storeOf(ws.at("sessions"));
  expect(store.list()).toMatchObject([
    { id: "go-session-1", foreign: "pi-go", cwd: "/home/me/go", updated: at(0).replace(".000", ".123") },
  ]);
  expect(() => store.open("go-session-1")).toThrow("belongs to pi-go");
  const before = ws.read("sessions/go-session-1/events.jsonl");
  const meta = store.adopt(readForeignSession(folder));
  expect(store.list().map(({ id }) => id)).toEqual([meta.id]);
  expect(ws.read("sessions/go-session-1/events.jsonl")).toBe(before);
});

test("a JSON export is imported with everything that it holds [A-SESS-02]", async () => {
  await using ws = await workspace({});
  const { store } = storeOf(ws.at("sessions"));
  const session = store.create({ cwd: "/home/me/project", mode: "print", model: "m", provider: "p" });
  session.append(user("one"));
  session.createBranch("try");
  session.append(assistant("first"));
  session.switchBranch("try");
  session.append(user("two"));
  const transcript = session.transcript();
  session.close();
  const pieces = exportSession(transcript, { format: "json", redact: null, now: TIME });
  writeFileSync(ws.at("export.json"), [...pieces].join(""));
  const { meta, notes } = await imported(ws, ws.at("export.json"));
  expect(notes).toEqual([]);
  expect(meta.imported).toBe(`pi-ts:${session.id}`);
  const again = store.transcript(meta.id);
  expect({ branch: again.branch, entries: again.entries, others: again.others }).toEqual({
    branch: transcript.branch,
    entries: transcript.entries,
    others: transcript.others,
  });
});
