import { expect, test } from "bun:test";
import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { SessionStore } from "./session-store.ts";
import { user } from "./test-support/sessions.ts";

const NEW = { mode: "print", model: "m", provider: "p" };

function cachedStore(ws: Workspace): SessionStore {
  let time = Date.UTC(2026, 0, 1);
  const now = () => (time += 1_000);
  return new SessionStore({ root: ws.at("sessions"), cache: ws.at("cache"), now, onNotice: () => undefined });
}

function save(store: SessionStore, cwd: string, prompt: string): string {
  const session = store.create({ cwd, ...NEW });
  session.append(user(prompt));
  session.close();
  return session.id;
}

const cacheOf = (ws: Workspace): string => ws.at("cache/sessions.list");

test("a list is read from the cache, and says the same as the sessions themselves [C08]", async () => {
  await using ws = await workspace({});
  const store = cachedStore(ws);
  const ids = [save(store, ws.path, "one"), save(store, ws.outside, "two")];
  const first = store.list();
  expect(first.map(({ id, title }) => [id, title])).toEqual([
    [ids[1]!, "two"],
    [ids[0]!, "one"],
  ]);
  // What the cache says is what is shown as long as its row matches the file.
  writeFileSync(cacheOf(ws), readFileSync(cacheOf(ws), "utf8").replace('"two"', '"TWO"'));
  expect(store.list()[0]?.title).toBe("TWO");
  expect(store.list({ cwd: ws.path }).map(({ id }) => id)).toEqual([ids[0]!]);
  expect(statSync(cacheOf(ws)).mode & 0o777).toBe(0o600);
});

test("a session that is new, renamed, gone or without its meta.json is listed as it is now [C08]", async () => {
  await using ws = await workspace({});
  const store = cachedStore(ws);
  const [a, b, c] = [save(store, ws.path, "a"), save(store, ws.path, "b"), save(store, ws.path, "c")];
  store.list();
  const session = store.open(a);
  session.setTitle("renamed");
  session.close();
  rmSync(ws.at(`sessions/${b}`), { recursive: true });
  rmSync(ws.at(`sessions/${c}/meta.json`));
  const d = save(store, ws.path, "d");
  const titles = Object.fromEntries(store.list().map(({ id, title }) => [id, title]));
  expect(titles).toEqual({ [a]: "renamed", [c]: "c", [d]: "d" });
});

const damages: [string, (path: string) => void][] = [
  ["is missing", (path) => rmSync(path)],
  ["is of another version", (path) => writeFileSync(path, "pi-ts session list 0\n[]\n")],
  ["is no text", (path) => writeFileSync(path, Buffer.from([0, 255, 10, 200, 10]))],
  ["ends with half a line", (path) => appendFileSync(path, '["x","1 2 3",{"id":"x"')],
  ["has values of other kinds", (path) => appendFileSync(path, '7\n["x"]\n["y","",{"id":"z"}]\n')],
  [
    "is a folder",
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
];
test.each(damages)("a cache that %s costs nothing but time [C02][C08]", async (_what, damage) => {
  await using ws = await workspace({});
  const store = cachedStore(ws);
  const ids = [save(store, ws.path, "one"), save(store, ws.path, "two")];
  store.list();
  damage(cacheOf(ws));
  for (let look = 0; look < 2; look++) expect(store.list().map(({ id }) => id)).toEqual(ids.toReversed());
});

test("the cache does not grow without end while sessions change", async () => {
  await using ws = await workspace({});
  const store = cachedStore(ws);
  const id = save(store, ws.path, "one");
  for (let round = 0; round < 1_100; round++) {
    const meta = JSON.parse(ws.read(`sessions/${id}/meta.json`)) as object;
    writeFileSync(
      ws.at(`sessions/${id}/meta.json`),
      JSON.stringify({ ...meta, title: `title ${"x".repeat(round % 7)} ${round}` }),
    );
    store.list();
  }
  expect(readFileSync(cacheOf(ws), "utf8").split("\n").length).toBeLessThan(1_010);
  expect(store.list()[0]?.title).toEndWith("1099");
});

test("--continue looks only at this project's sessions where the cache knows the folders of very many [C08][C09]", async () => {
  await using ws = await workspace({});
  const store = cachedStore(ws);
  const here = save(store, ws.path, "here");
  for (let index = 0; index < 210; index++) {
    const folder = ws.at(`sessions/zz${String(index).padStart(4, "0")}`);
    mkdirSync(folder);
    const time = new Date(Date.UTC(2026, 1, 1)).toISOString();
    const meta = {
      id: folder.slice(-6),
      app: "pi-ts",
      user: "local",
      ...NEW,
      cwd: "/elsewhere",
      created: time,
      updated: time,
    };
    writeFileSync(join(folder, "meta.json"), JSON.stringify(meta));
    writeFileSync(join(folder, "events.jsonl"), "{}\n");
  }
  store.list();
  expect(store.newest({ cwd: ws.path })?.id).toBe(here);
});
