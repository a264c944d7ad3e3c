/** `remem` and its store: health, copies, transfer, and stores that give trouble. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runProcess, type Workspace, workspace } from "@pi-ts/testkit";
import { openMemory } from "../packages/remem/src/runtime/index.ts";
import {
  ENTRANCES,
  listed,
  ON_BUN,
  remem,
  rememData,
  rememTerminal,
  settingsFile,
  typed,
} from "./support/remem.ts";

const POSIX = process.platform !== "win32";
const storeFile = (ws: Workspace) => join(ws.home, ".pi-go", "memory", "claude-mem.db");

interface Check {
  readonly name: string;
  readonly status: string;
  readonly found: string;
  readonly hint: string;
}

async function doctor(ws: Workspace): Promise<{ code: number | null; checks: readonly Check[] }> {
  const { code, stdout } = await remem(ws, ["doctor", "--json"]);
  return { code, checks: (JSON.parse(stdout) as { data: { checks: Check[] } }).data.checks };
}

const named = (checks: readonly Check[], name: string) => checks.filter((check) => check.name === name);

describe("doctor", () => {
  test("says of a sound store that all is well, with its layout, its vectors and its project", async () => {
    await using ws = await workspace({}, { git: true });
    await typed(ws, "one");
    const { code, checks } = await doctor(ws);
    expect(code).toBe(0);
    expect(checks.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(named(checks, "vectors")[0]!.found).toBe("static: 1 of 1 memories have one");
    expect(named(checks, "integrity")[0]!.found).toBe("sound");
  });

  test("names unknown keys with the nearest known one, and settings of a project that would widen", async () => {
    await using ws = await workspace({ ".pi-go/memory.json": '{"storage": {"path": "/tmp/x.db"}}' });
    mkdirSync(dirname(settingsFile(ws)), { recursive: true });
    writeFileSync(settingsFile(ws), '{"lookbackHuors": 3}');
    const found = named((await doctor(ws)).checks, "settings").map((check) => check.found);
    expect(found.join("\n")).toContain('did you mean "lookbackHours"?');
    expect(found.join("\n")).toContain("storage.path is not read from a project");
  });

  test("a file that is no database is told, is not touched, and every command says what to do [R01]", async () => {
    await using ws = await workspace({});
    mkdirSync(dirname(storeFile(ws)), { recursive: true });
    const bytes = "this is no database, but it is somebody's file ".repeat(100);
    writeFileSync(storeFile(ws), bytes);
    const { code, checks } = await doctor(ws);
    expect(code).toBe(1);
    expect(checks.filter(({ status }) => status === "error").length).toBeGreaterThan(0);
    for (const argv of [["add", "x"], ["list"], ["search", "x"]]) {
      const result = await remem(ws, argv);
      expect(result.code).toBe(1);
      expect(result.stderr).toContain("damaged or no database");
    }
    expect(readFileSync(storeFile(ws), "utf8")).toBe(bytes);
  });

  test("a store of a newer engine is told and left as it is [R01]", async () => {
    await using ws = await workspace({});
    await remem(ws, ["add", "one"]);
    change(storeFile(ws), "INSERT INTO remem_migrations(id, name, checksum) VALUES(999, 'later', 'x')");
    const { code, checks } = await doctor(ws);
    expect(code).toBe(1);
    expect(named(checks, "layout")[0]).toMatchObject({ status: "error" });
    const result = await remem(ws, ["list"]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("newer version");
  });
});

test("while another program holds the store, looking works, and a change waits or says so [R01]", async () => {
  await using ws = await workspace({});
  await remem(ws, ["add", "one"]);
  const holder = new Database(storeFile(ws));
  holder.exec("BEGIN IMMEDIATE");
  try {
    expect(named((await doctor(ws)).checks, "writing")[0]).toMatchObject({ status: "warn" });
    expect((await remem(ws, ["export"])).stdout).toContain('"one"');
    const refused = await remem(ws, ["add", "two"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("another program held the memory store for too long");
  } finally {
    holder.exec("ROLLBACK");
    holder.close();
  }
  expect((await remem(ws, ["add", "two"])).code).toBe(0);
  expect(await listed(ws)).toHaveLength(2);
});

test("eight at once, on Bun and on Node, lose nothing [R01]", async () => {
  await using ws = await workspace({});
  const entrances = ENTRANCES.slice(0, 2).filter(({ command }) => command !== null);
  const results = await Promise.all(
    [...Array(8).keys()].map((n) =>
      remem(ws, ["add", `fact number ${n}`], { entrance: entrances[n % entrances.length]! }),
    ),
  );
  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(results.map(() => [0, ""]));
  expect(await listed(ws)).toHaveLength(8);
});

/** Whether this system lets a user see a folder as one that cannot be written. */
const REMOUNTS = spawnSync("unshare", ["--mount", "--map-root-user", "true"]).status === 0;

test.skipIf(!REMOUNTS)(
  "a home that cannot be written is read, and a change says why it cannot be made",
  async () => {
    await using ws = await workspace({});
    await remem(ws, ["add", "kept"]);
    const readOnly = async (...argv: string[]) =>
      runProcess(
        [
          "unshare",
          "--mount",
          "--map-root-user",
          "sh",
          "-c",
          'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME" && exec "$@"',
          "sh",
          ...ON_BUN.command!,
          ...argv,
        ],
        { cwd: ws.path, env: ws.env() },
      );
    const listing = await readOnly("list");
    expect(listing.stdout).toContain("kept");
    expect(listing.stderr).toContain("cannot be written; it is read as it is now");
    const refused = await readOnly("add", "more");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("cannot be written");
    expect(readdirSync(ws.temp)).toEqual([]);
  },
);

test("a backup is a checked copy that a restore puts back, and what was there is kept [W8]", async () => {
  await using ws = await workspace({});
  await remem(ws, ["add", "before"]);
  expect((await remem(ws, ["backup", "--output", "b.db"])).code).toBe(0);
  const again = await remem(ws, ["backup", "--output", "b.db"]);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain("exists already");
  await remem(ws, ["add", "after"]);
  const asked = await remem(ws, ["restore", "b.db"]);
  expect(asked).toMatchObject({ code: 1, stdout: "" });
  expect(asked.stderr).toContain("add --confirm");
  expect(await listed(ws)).toHaveLength(2);
  const { kept } = await rememData<{ kept: string }>(ws, ["restore", "b.db", "--confirm"]);
  expect((await listed(ws)).map(({ text }) => text)).toEqual(["before"]);
  expect(existsSync(kept)).toBe(true);
});

test.each([
  ["overwritten", () => Buffer.alloc(9_000, 0x5a)],
  ["cut off", (bytes: Buffer) => bytes.subarray(0, 30_000)],
])(
  "a backup takes the place of a store that was %s, which is named and kept [R01][W8]",
  async (_, damage) => {
    await using ws = await workspace({});
    await remem(ws, ["add", "before"]);
    await remem(ws, ["backup", "--output", "b.db"]);
    const path = storeFile(ws);
    const bytes = damage(readFileSync(path));
    for (const log of ["-wal", "-shm"]) rmSync(`${path}${log}`, { force: true });
    writeFileSync(path, bytes);
    expect((await remem(ws, ["list"])).stderr).toContain(`the memory store at ${path} is damaged`);
    expect((await remem(ws, ["restore", "b.db"])).stderr).toContain(`${path} is damaged now`);
    const { kept } = await rememData<{ kept: string }>(ws, ["restore", "b.db", "--confirm"]);
    expect((await listed(ws)).map(({ text }) => text)).toEqual(["before"]);
    expect(readFileSync(kept).equals(bytes)).toBe(true);
  },
);

test("a restore of what is no backup changes nothing, and names it [W8]", async () => {
  await using ws = await workspace({ "bad.db": "no database" });
  await remem(ws, ["add", "stays"]);
  const refused = await remem(ws, ["restore", "bad.db", "--confirm"]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`the backup at ${ws.at("bad.db")} is damaged or no database`);
  expect(await listed(ws)).toHaveLength(1);
});

test("an export taken over as written is the same export again, byte for byte; twice adds nothing [D14]", async () => {
  if (!POSIX) return;
  await using ws = await workspace({});
  await typed(ws, "we use npm", "--subject", "package manager");
  await typed(ws, "we use pnpm — 日本", "--subject", "package manager", "--file", "package.json");
  await remem(ws, ["add", "-g", "a candidate"]);
  const { stdout: lines } = await remem(ws, ["export"]);
  await using other = await workspace({ "in.jsonl": lines });
  for (const told of ["3 memories came in", "3 known already"]) {
    await using program = rememTerminal(other, ["import", "in.jsonl", "--as-written"]);
    await program.waitFor(told);
    await program.exited;
  }
  expect((await remem(other, ["export"])).stdout).toBe(lines);
});

test("an export for which the disk has no room is told by its name, and no part of it is left [B10]", async () => {
  if (!POSIX) return;
  await using ws = await workspace({});
  for (let at = 0; at < 3; at++) await remem(ws, ["add", `${at} ${"x".repeat(15_000)}`]);
  const limited = `trap '' XFSZ; ulimit -f 34; exec "$@"`;
  const entrance = { name: "little room", command: ["bash", "-c", limited, "bash", ...ON_BUN.command!] };
  const result = await remem(ws, ["export", "-o", "all.jsonl"], { entrance });
  expect(result).toMatchObject({ code: 1, stdout: "" });
  expect(result.stderr).toContain(`${ws.at("all.jsonl")} cannot be used`);
  expect(ws.exists("all.jsonl")).toBe(false);
});

test("notes exported as Markdown come back as they were, and a note that cannot be read is named [D14]", async () => {
  if (!POSIX) return;
  await using ws = await workspace({});
  await typed(ws, "we use pnpm", "--subject", "package manager");
  await typed(ws, "two\nlines: with --- in it", "--title", 'a "title"');
  await remem(ws, ["export", "--format", "markdown", "--output", "notes"]);
  await using other = await workspace({});
  for (const name of readdirSync(ws.at("notes"))) other.write(`notes/${name}`, ws.read(`notes/${name}`));
  other.write("notes/bad.md", "---\nid: x\nkind: nonsense\n---\ntext\n");
  await using program = rememTerminal(other, ["import", "notes", "--as-written"]);
  await program.waitFor("2 memories came in");
  expect(program.screen().join("\n")).toContain("bad.md was left out");
  await program.exited;
  const sorted = (text: string) => text.trim().split("\n").sort();
  expect(sorted((await remem(other, ["export"])).stdout)).toEqual(
    sorted((await remem(ws, ["export"])).stdout),
  );
});

test("a database of claude-mem is recognised, brought in as import, only read, and its projects are linked by name", async () => {
  await using ws = await workspace({});
  const path = ws.at("claude-mem.db");
  change(
    path,
    `CREATE TABLE observations(id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT,
       subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, prompt_number INTEGER,
       created_at TEXT, created_at_epoch INTEGER);
     INSERT INTO observations(memory_session_id, project, type, title, narrative, created_at, created_at_epoch)
       VALUES('s1', 'shop', 'discovery', 'The cart', 'The cart is kept in Redis.', '2026-01-01T00:00:00.000Z', 1767225600000);`,
  );
  const before = readFileSync(path);
  const data = await rememData<{ format: string; added: number }>(ws, ["import", "claude-mem.db"]);
  expect(data).toMatchObject({ format: "claude-mem", added: 1, for_review: true });
  expect((await listed(ws, "--all"))[0]).toMatchObject({
    author: "import",
    typed: false,
    state: "candidate",
  });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect((await rememData<{ known: number }>(ws, ["import", "claude-mem.db"])).known).toBe(1);
  const { id } = await rememData<{ id: string }>(ws, ["add", "here"]);
  const here = await rememData<{ memories: { scope_id: string }[] }>(ws, ["show", id]);
  if (!POSIX) return;
  await using program = rememTerminal(ws, ["link", "shop", here.memories[0]!.scope_id]);
  await program.waitFor("Type yes to go on");
  program.type("yes\n");
  await program.waitFor("Joined: 1 memory moved");
  await program.exited;
  expect(await listed(ws)).toHaveLength(2);
});

test("what is none of the formats is refused by name", async () => {
  await using ws = await workspace({ "a.bin": "\u0001\u0002" });
  const result = await remem(ws, ["import", "a.bin"]);
  expect(result.code).toBe(1);
  expect(result.stderr).toContain("neither an export, nor notes, nor a database");
});

test("two projects become one on a person's word, and the other folder reads what the first one learned [R02]", async () => {
  if (!POSIX) return;
  await using ws = await workspace({});
  await typed(ws, "the port is 8080");
  await remem(ws, ["add", "elsewhere"], { cwd: ws.outside });
  const { projects } = await rememData<{ projects: { key: string; here: boolean }[] }>(ws, ["projects"]);
  const here = projects.find((project) => project.here)!.key;
  const other = projects.find((project) => !project.here)!.key;
  await using program = rememTerminal(ws, ["link", here, other]);
  await program.waitFor("Type yes to go on");
  program.type("yes\n");
  await program.waitFor("Joined: 1 memory moved");
  await program.exited;
  expect((await remem(ws, ["list"], { cwd: ws.outside })).stdout).toContain("the port is 8080");
});

test("after another embedder was set, doctor counts what is missing, search goes on, and reembed makes it [R13]", async () => {
  await using ws = await workspace({});
  await typed(ws, "the port is 8080");
  mkdirSync(dirname(settingsFile(ws)), { recursive: true });
  writeFileSync(settingsFile(ws), '{"embedding": {"kind": "hash"}}');
  expect(named((await doctor(ws)).checks, "vectors")[0]).toMatchObject({
    status: "warn",
    found: "hash: 0 of 1 memories have one",
  });
  expect((await remem(ws, ["search", "port"])).stdout).toContain("8080");
  expect(await rememData<object>(ws, ["reembed"])).toMatchObject({ made: 1, settled: 1 });
  expect(named((await doctor(ws)).checks, "vectors")[0]).toMatchObject({ status: "ok" });
});

test("eval asks the cases of a file, and says which were not found", async () => {
  if (!POSIX) return;
  await using ws = await workspace({
    "cases.jsonl": [
      { query: "which port", expect: ["8080"] },
      { query: "who eats lunch", expect: ["no such memory"] },
    ]
      .map((line) => JSON.stringify(line))
      .join("\n"),
  });
  await typed(ws, "the port is 8080");
  expect(await rememData<object>(ws, ["eval", "cases.jsonl"])).toMatchObject({
    cases: 2,
    at_1: 0.5,
    found: 1,
    wanted: 2,
    missed: ["who eats lunch"],
  });
  ws.write("wrong.jsonl", '{"query": 1}');
  expect((await remem(ws, ["eval", "wrong.jsonl"])).stderr).toContain("line 1 is no case");
});

test("eval replays the newest prompts that memory answered, against today's ranking", async () => {
  if (!POSIX) return;
  await using ws = await workspace({});
  const id = await typed(ws, "the staging port is 8080");
  await using memory = openMemory({ host: "test", cwd: ws.path, home: ws.home, environment: ws.env() });
  const { trace } = await memory
    .session({ id: "s1" })
    .processPrompt("what is the staging port?", { turnId: "1" });
  expect(trace.hits.map((hit) => hit.id)).toEqual([id]);
  await memory.close();
  expect(await rememData<object>(ws, ["eval"])).toMatchObject({ cases: 1, at_10: 1, found: 1, missed: [] });
});

test("memory that is switched off can still be looked at and erased, and says that it is off [B-CORE-04]", async () => {
  await using ws = await workspace({});
  const { id } = await rememData<{ id: string }>(ws, ["add", "one"]);
  mkdirSync(dirname(settingsFile(ws)), { recursive: true });
  writeFileSync(settingsFile(ws), '{"enabled": false}');
  expect((await remem(ws, ["status"])).stdout).toContain("off (switched off in the settings)");
  expect(await listed(ws)).toHaveLength(1);
  const { preview } = await rememData<{ preview: { token: string } }>(ws, ["forget", id]);
  expect((await remem(ws, ["forget", "--confirm", preview.token])).stdout).toContain("Erased 1 memory.");
});

function change(path: string, sql: string): void {
  const database = new Database(path);
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}
