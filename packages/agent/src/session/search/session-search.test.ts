import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProcess, type Workspace, workspace } from "@pi-ts/testkit";
import type { Message } from "../../contract/messages.ts";
import type { Session } from "../session.ts";
import { assistant, storeOf, user } from "../test-support/sessions.ts";
import { SessionSearch } from "./session-search.ts";

const NEW = { mode: "print", model: "m", provider: "p" };
const always = (): boolean => false;

/** Sessions with these messages, and a search over them. */
function world(ws: Workspace, ...conversations: (string | Message)[][]) {
  const { store } = storeOf(ws.at("sessions"));
  const sessions: Session[] = conversations.map((messages) => {
    const session = store.create({ cwd: ws.path, ...NEW });
    for (const message of messages) session.append(typeof message === "string" ? user(message) : message);
    session.sync();
    return session;
  });
  const ids = sessions.map(({ id }) => id);
  const open = () => new SessionSearch(ws.at("sessions"), ws.at("cache/search.db"));
  return {
    store,
    sessions,
    ids,
    open,
    end: () => {
      for (const session of sessions) session.close();
    },
  };
}

/** The numbers of the sessions in which a query is found. */
function found(search: SessionSearch, ids: readonly string[], query: string): number[] {
  return search
    .find(query, 10)
    .map(({ id }) => ids.indexOf(id))
    .sort();
}

test("what was said is found in any session, by words and by their beginnings, in either case", async () => {
  await using ws = await workspace({});
  const { ids, open, end } = world(
    ws,
    ["Fix the parser", assistant("The tokenizer was wrong in parse_line.ts")],
    ["Write the docs"],
  );
  const search = open();
  expect(search.update(ids, always)).toEqual({ left: 0, stopped: false });
  expect(found(search, ids, "PARSER")).toEqual([0]);
  expect(found(search, ids, "token wro")).toEqual([0]);
  expect(found(search, ids, "parse_line.ts")).toEqual([0]);
  expect(found(search, ids, "the")).toEqual([0, 1]);
  expect(found(search, ids, "zebra")).toEqual([]);
  expect(found(search, ids, '"*^ AND ) NEAR(')).toEqual([]);
  expect(found(search, ids, "++ !!")).toEqual([]);
  search.close();
  end();
});

const languages: [string, string, string, string][] = [
  ["Chinese", "请修复会话搜索的问题", "会话搜索", "搜索会话"],
  ["Japanese", "セッションの検索を直してください", "検索", "索検"],
  ["Korean", "세션을검색합니다", "검색", "색검"],
  ["Thai", "ค้นหาเซสชันเก่า", "เซสชัน", "ชันเซส"],
  ["Russian", "Почини разбор строки", "разбор", "разборка"],
  ["French", "Corrige la crème brûlée", "creme", "cremes"],
  ["Arabic", "أصلح المحلل اللغوي", "المحلل", "لمحل"],
  ["Hindi", "खोज को ठीक करो", "खोज", "खोजना"],
];
test.each(languages)("%s is found", async (_language, text, query, other) => {
  await using ws = await workspace({});
  const { ids, open, end } = world(ws, [text]);
  const search = open();
  search.update(ids, always);
  expect(found(search, ids, query)).toEqual([0]);
  expect(found(search, ids, other)).toEqual([]);
  search.close();
  end();
});

test("a hit shows a line around the words, and counts the places", async () => {
  await using ws = await workspace({});
  const filler = "nothing of interest stands here ".repeat(2_000);
  const { ids, open, end } = world(ws, [
    filler,
    `${filler}the needle is here\nand more`,
    filler,
    "needle again",
  ]);
  const search = open();
  search.update(ids, always);
  const [hit] = search.find("needle", 5);
  expect(hit?.places).toBeGreaterThan(1);
  expect(hit?.snippet).toContain("needle");
  expect(hit!.snippet.length).toBeLessThan(200);
  search.close();
  end();
});

test("words that stand in different places of one session are found together", async () => {
  await using ws = await workspace({});
  const filler = Array.from({ length: 400 }, (_, index) => `word${index} and ${"more ".repeat(8)}`);
  const { ids, open, end } = world(ws, ["the alpha", ...filler, "the omega"], ["only alpha"], ["only omega"]);
  const search = open();
  search.update(ids, always);
  expect(search.find("alpha omega", 5).map(({ id, places }) => [ids.indexOf(id), places])).toEqual([[0, 0]]);
  search.close();
  end();
});

test("tool calls are searched, of their results the beginning; thinking and pi's own notes are not", async () => {
  await using ws = await workspace({});
  const call: Message = {
    ...assistant("ok"),
    parts: [
      { type: "thinking", text: "secretthought" },
      { type: "tool_call", id: "c1", name: "bash", arguments: { command: "cargo nextest" } },
    ],
  };
  const result: Message = {
    role: "tool",
    parts: [
      {
        type: "tool_result",
        id: "c1",
        name: "bash",
        content: [{ type: "text", text: `firstline ${"x ".repeat(2_000)} lastline` }],
        isError: false,
      },
    ],
  };
  const note: Message = { role: "user", origin: "reminder", parts: [{ type: "text", text: "reminderword" }] };
  const { ids, open, end } = world(ws, [call, result, note]);
  const search = open();
  search.update(ids, always);
  const hits = ["nextest", "firstline", "lastline", "secretthought", "reminderword"].map(
    (word) => found(search, ids, word).length,
  );
  expect(hits).toEqual([1, 1, 0, 0, 0]);
  search.close();
  end();
});

test("the index follows sessions that grow, that are gone and that became another", async () => {
  await using ws = await workspace({});
  const { store, sessions, ids, open, end } = world(
    ws,
    ["alpha"],
    ["beta"],
    ["gamma and a longer line of it"],
  );
  const search = open();
  search.update(ids, always);
  sessions[0]!.append(user("delta"));
  end();
  rmSync(ws.at(`sessions/${ids[1]}`), { recursive: true });
  const log = ws.at(`sessions/${ids[2]}/events.jsonl`);
  truncateSync(log, 0);
  const other = store.create({ cwd: ws.path, ...NEW });
  other.append(user("epsilon"));
  other.close();
  writeFileSync(log, readFileSync(ws.at(`sessions/${other.id}/events.jsonl`)));
  search.update([ids[0]!, ids[2]!], always);
  expect(found(search, ids, "alpha")).toEqual([0]);
  expect(found(search, ids, "delta")).toEqual([0]);
  expect(found(search, ids, "beta")).toEqual([]);
  expect(found(search, ids, "gamma")).toEqual([]);
  expect(found(search, ids, "epsilon")).toEqual([2]);
  search.close();
});

test("an update stops when it is told to, says what is left, and goes on there the next time", async () => {
  await using ws = await workspace({});
  const { ids, open, end } = world(ws, ["one alpha"], ["two alpha"], ["three alpha"]);
  const search = open();
  let looks = 0;
  expect(search.update(ids, () => looks++ >= 1)).toEqual({ left: 2, stopped: false });
  expect(found(search, ids, "alpha")).toEqual([0]);
  search.update(ids, always);
  expect(found(search, ids, "alpha")).toEqual([0, 1, 2]);
  search.close();
  end();
});

test("a line that is not finished is read when it is, and damaged or huge ones hold up nothing [C02]", async () => {
  await using ws = await workspace({});
  const { ids, open, end } = world(ws, ["alpha"]);
  end();
  const log = ws.at(`sessions/${ids[0]}/events.jsonl`);
  const line = readFileSync(log, "utf8").split("\n")[1]!;
  const next = line.replace('"alpha"', '"omega"').replace(/"id":"[^"]*"/, '"id":"zzzzzzzz"');
  appendFileSync(log, `{"broken\n${"\0".repeat(100)}\n${"x".repeat(20 * 1024 * 1024)}\n${next.slice(0, 60)}`);
  const search = open();
  search.update(ids, always);
  expect(found(search, ids, "omega")).toEqual([]);
  appendFileSync(log, `${next.slice(60)}\n`);
  search.update(ids, always);
  expect(found(search, ids, "omega alpha")).toEqual([0]);
  search.close();
});

const damages: [string, (path: string) => void][] = [
  ["is no database", (path) => writeFileSync(path, "nothing of the kind ".repeat(500))],
  ["lost its second half", (path) => truncateSync(path, Math.floor(statSync(path).size / 2))],
  [
    "is of a later version",
    (path) => {
      const { Database } = require("bun:sqlite") as typeof import("bun:sqlite");
      const database = new Database(path);
      database.run("PRAGMA user_version = 99");
      database.close();
    },
  ],
];
test.each(damages)("an index that %s is made anew", async (_what, damage) => {
  await using ws = await workspace({});
  const { ids, open, end } = world(ws, ["alpha"], ["beta"]);
  const before = open();
  before.update(ids, always);
  before.close();
  damage(ws.at("cache/search.db"));
  const search = open();
  // A damage may show only when the index is used.
  for (let round = 0; round < 2; round++) {
    search.update(ids, always);
    search.find("alpha", 5);
  }
  expect(found(search, ids, "alpha")).toEqual([0]);
  search.close();
  end();
});

test("several processes may index at once; none fails and nothing is lost [C03]", async () => {
  await using ws = await workspace({});
  const { ids, open, end } = world(ws, ...Array.from({ length: 40 }, (_, index) => [`alpha ${index}`]));
  end();
  const script = `import { SessionSearch } from ${JSON.stringify(join(import.meta.dir, "session-search.ts"))};
    const search = new SessionSearch(${JSON.stringify(ws.at("sessions"))}, ${JSON.stringify(ws.at("cache/search.db"))});
    let left = 1;
    for (let round = 0; left > 0 && round < 100; round++) left = search.update(${JSON.stringify(ids)}, () => false).left;
    console.log(left, search.find("alpha", 100).length);
    search.close();`;
  const runs = Array.from({ length: 3 }, () =>
    runProcess([process.execPath, "-e", script], { cwd: ws.path, env: ws.env() }),
  );
  for (const { stdout, stderr } of await Promise.all(runs))
    expect({ stdout, stderr }).toEqual({ stdout: "0 40\n", stderr: "" });
  const search = open();
  expect(search.find("alpha", 100)).toHaveLength(40);
  search.close();
});
