import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { lines, runtimes } from "../__fixtures__/programs.ts";
import { openConnection } from "./driver.ts";
import { openSqliteStore } from "./open-store.ts";

const clock = { now: () => 0 };
/** After how many acknowledged writes a writer is killed: early, in the middle of its work, around the first long log. */
const KILLED_AFTER = [1, 2, 3, 5, 8, 13, 21, 55];

test("a writer that is killed at any point loses nothing it was told is written [R01]", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const available = runtimes();
  for (const [round, limit] of KILLED_AFTER.entries()) {
    const name = `round${round}`;
    const writer = Bun.spawn(
      [
        ...available[round % available.length]!,
        join(import.meta.dir, "__fixtures__/writer.ts"),
        path,
        name,
        "1000000",
      ],
      {
        env: space.env(),
        stdout: "pipe",
        stderr: "inherit",
      },
    );
    let acknowledged = 0;
    for await (const line of lines(writer.stdout)) {
      if (line === "added") acknowledged++;
      if (acknowledged === limit) writer.kill("SIGKILL");
    }
    await writer.exited;
    const store = await openSqliteStore({ path, clock });
    try {
      const all = await store.list({ scope: { kind: "project", id: "p" } }, 1_000_000);
      const mine = all.filter(({ text }) => text.startsWith(`${name} `));
      expect(mine.length).toBeGreaterThanOrEqual(acknowledged);
      expect(mine.filter(({ state }) => state === "active")).toHaveLength(1);
      expect(await store.check()).toEqual([]);
    } finally {
      await store.close();
    }
  }
});

async function openAllAtOnce(
  space: { env(): NodeJS.ProcessEnv },
  path: string,
  count: number,
): Promise<string[]> {
  const available = runtimes();
  const openers = Array.from({ length: count }, (_, index) =>
    Bun.spawn(
      [
        ...available[index % available.length]!,
        join(import.meta.dir, "__fixtures__/opener.ts"),
        path,
        `opener${index}`,
      ],
      {
        env: space.env(),
        stdin: "pipe",
        stdout: "pipe",
        stderr: "inherit",
      },
    ),
  );
  const readers = openers.map((opener) => lines(opener.stdout));
  for (const reader of readers) expect((await reader.next()).value).toBe("ready");
  for (const opener of openers) {
    opener.stdin.write("go\n");
    opener.stdin.flush();
  }
  const said = await Promise.all(readers.map(async (reader) => String((await reader.next()).value)));
  expect(await Promise.all(openers.map((opener) => opener.exited))).toEqual(openers.map(() => 0));
  return said;
}

test("programs that make a new store at the same moment all end up with one that is whole [R01]", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  expect(await openAllAtOnce(space, path, 4)).toEqual(["[]", "[]", "[]", "[]"]);
  const store = await openSqliteStore({ path, clock });
  expect((await store.status()).memories).toBe(4);
  await store.close();
});

test("programs that bring another program's database up to date at the same moment adopt each row once [R01]", async () => {
  await using space = await workspace();
  const path = join(space.home, "claude-mem.db");
  const before = await openConnection(path);
  before.run(`
    CREATE TABLE observations(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, project TEXT, title TEXT, type TEXT,
      text TEXT, source_files TEXT, created_at DATETIME);
    WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 700)
    INSERT INTO observations(session_id, project, title, type, text, source_files, created_at)
      SELECT 'old', 'p', 'title ' || n, 'decision', 'because ' || n, '[]', '2026-01-02' FROM numbers;`);
  before.close();
  expect(await openAllAtOnce(space, path, 4)).toEqual(["[]", "[]", "[]", "[]"]);
  const store = await openSqliteStore({ path, clock });
  expect((await store.status()).memories).toBe(704);
  await store.close();
  // Each that found it as it was has made a copy first, and every copy is whole.
  const copies = readdirSync(space.home).filter((name) => name.startsWith("claude-mem.db.bak-"));
  expect(copies.length).toBeGreaterThanOrEqual(1);
  for (const name of copies) {
    const copy = await openConnection(join(space.home, name));
    expect(copy.prepare("SELECT count(*) AS n FROM observations").get()?.["n"]).toBe(700);
    copy.close();
  }
});
