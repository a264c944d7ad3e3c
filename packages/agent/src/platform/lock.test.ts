import { expect, test } from "bun:test";
import { readdirSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { runProcess, startProcess, type Workspace, workspace } from "@pi-ts/testkit";
import { acquireLock, tryLock, withLock, withLockSync } from "./lock.ts";
import { lifeOf, processIdentity } from "./process-identity.ts";

const module = JSON.stringify(import.meta.resolve("./lock.ts"));
const bun = (ws: Workspace, code: string) =>
  [[process.execPath, "--no-env-file", "-e", code], { cwd: ws.path, env: ws.env() }] as const;

/** A clock whose sleep only moves it on. */
function fakeClock(onSleep: () => void = () => undefined) {
  let time = 0;
  return {
    now: () => time,
    sleep: async (ms: number) => {
      time += ms;
      onSleep();
    },
  };
}

test("a lock is held once, named with its owner, and free again after its release [C03]", async () => {
  await using ws = await workspace({});
  const lock = acquireLock(ws.at("lock"));
  expect(tryLock(ws.at("lock"))).toMatchObject({ heldBy: { pid: process.pid, elsewhere: false } });
  expect(() => acquireLock(ws.at("lock"))).toThrow(`is held by process ${process.pid}`);
  lock.release();
  lock.release();
  acquireLock(ws.at("lock")).release();
  expect(readdirSync(ws.path)).toEqual([]);
});

test("the lock of a process that was killed is taken over and leaves no file behind [C03]", async () => {
  await using ws = await workspace({});
  await using owner = startProcess(
    ...bun(
      ws,
      `(await import(${module})).acquireLock("lock"); console.log("held"); setInterval(() => {}, 1000);`,
    ),
  );
  await owner.waitForOutput(/held/);
  expect(tryLock(ws.at("lock"))).toMatchObject({ heldBy: { pid: owner.pid } });
  owner.kill("SIGKILL");
  await owner.exited;
  const lock = acquireLock(ws.at("lock"));
  expect(readdirSync(ws.path)).toEqual(["lock"]);
  lock.release();
});

test("a pid that now belongs to another process does not keep a lock [C03]", async () => {
  await using ws = await workspace({});
  if (process.platform !== "linux") return;
  ws.write("lock", JSON.stringify({ ...processIdentity(), start: "1", token: "aa" }));
  acquireLock(ws.at("lock")).release();
});

test("a lock from before the last restart of this machine is taken over [C03]", async () => {
  await using ws = await workspace({});
  if (process.platform !== "linux") return;
  ws.write("lock", JSON.stringify({ ...processIdentity(), boot: "another-boot", token: "aa" }));
  acquireLock(ws.at("lock")).release();
});

test("a lock of another machine is never taken, whatever its pid is here, and the hint names the file [C03]", async () => {
  await using ws = await workspace({});
  const foreign = { pid: 2 ** 22 - 1, host: "elsewhere", boot: "another-boot", token: "aa" };
  ws.write("lock", JSON.stringify(foreign));
  expect(tryLock(ws.at("lock"))).toEqual({
    heldBy: { pid: foreign.pid, host: "elsewhere", elsewhere: true },
  });
  expect(() => acquireLock(ws.at("lock"))).toThrow('on "elsewhere"');
  expect(JSON.parse(ws.read("lock"))).toEqual(foreign);
});

test("a lock of another container on this machine is never taken [C03]", async () => {
  await using ws = await workspace({});
  if (process.platform !== "linux") return;
  ws.write(
    "lock",
    JSON.stringify({ ...processIdentity(), pid: 2 ** 22 - 1, namespace: "pid:[1]", token: "aa" }),
  );
  expect(tryLock(ws.at("lock"))).toMatchObject({ heldBy: { elsewhere: true } });
});

test("an unreadable lock counts as being written, and as left behind once it is old [C02][C03]", async () => {
  await using ws = await workspace({ lock: "" });
  expect(tryLock(ws.at("lock"))).toHaveProperty("heldBy");
  utimesSync(ws.at("lock"), 1_000, 1_000);
  acquireLock(ws.at("lock")).release();
  expect(readdirSync(ws.path)).toEqual([]);
});

test("a takeover that died half way is taken over itself [C03]", async () => {
  await using ws = await workspace({});
  if (process.platform !== "linux") return;
  const dead = { ...processIdentity(), start: "1" };
  ws.write("lock", JSON.stringify({ ...dead, token: "aa" }));
  ws.write("lock.aa", JSON.stringify({ ...dead, token: "bb" }));
  const lock = acquireLock(ws.at("lock"));
  expect(tryLock(ws.at("lock"))).toMatchObject({ heldBy: { pid: process.pid } });
  expect(readdirSync(ws.path)).toEqual(["lock"]);
  lock.release();
});

test("a takeover that is under way keeps the lock [C03]", async () => {
  await using ws = await workspace({});
  if (process.platform !== "linux") return;
  ws.write("lock", JSON.stringify({ ...processIdentity(), start: "1", token: "aa" }));
  ws.write("lock.aa", JSON.stringify({ ...processIdentity(), token: "bb" }));
  expect(tryLock(ws.at("lock"))).toMatchObject({ heldBy: { pid: process.pid } });
});

test("processes that race for a dead owner's lock and for each other's never hold it together [C03]", async () => {
  await using ws = await workspace({ count: "0" });
  ws.write("lock", JSON.stringify({ ...processIdentity(), pid: 2 ** 22 - 1, token: "aa" }));
  const code = `const { withLockSync } = await import(${module}); const fs = require("node:fs");
    for (let i = 0; i < 60; i++) withLockSync("lock", () => {
      fs.writeFileSync("count", String(Number(fs.readFileSync("count", "utf8")) + 1));
      // Now and then the owner "dies": what it leaves names a process that is gone.
      if (i % 10 === 9) fs.writeFileSync("lock", JSON.stringify({ ...JSON.parse(fs.readFileSync("lock", "utf8")), pid: ${2 ** 22 - 1}, token: process.pid.toString(16) + i.toString(16) }));
    }, { waitMs: 100000 });`;
  const results = await Promise.all([1, 2, 3, 4].map(() => runProcess(...bun(ws, code))));
  expect(results.map((result) => [result.code, result.stderr])).toEqual(Array(4).fill([0, ""]));
  expect(ws.read("count")).toBe("240");
});

test("waiting for a lock ends when it is free, and gives up by the clock with its holder's pid [C03]", async () => {
  await using ws = await workspace({});
  const lock = acquireLock(ws.at("lock"));
  await expect(withLock(ws.at("lock"), () => 1, { clock: fakeClock(), waitMs: 100 })).rejects.toThrow(
    `is held by process ${process.pid}`,
  );
  const clock = fakeClock(() => lock.release());
  expect(await withLock(ws.at("lock"), () => 2, { clock })).toBe(2);
  expect(readdirSync(ws.path)).toEqual([]);
});

test("a lock is given back when its work throws", async () => {
  await using ws = await workspace({});
  const fail = () => {
    throw new Error("no");
  };
  expect(() => withLockSync(ws.at("lock"), fail)).toThrow("no");
  await expect(withLock(ws.at("lock"), fail, { clock: fakeClock() })).rejects.toThrow("no");
  expect(readdirSync(ws.path)).toEqual([]);
});

test("a lock that was deleted and taken by another is not released by its old owner", async () => {
  await using ws = await workspace({});
  const lock = acquireLock(ws.at("lock"));
  const other = JSON.stringify({ pid: 1, host: "elsewhere", token: "bb" });
  ws.write("lock", other);
  lock.release();
  expect(readFileSync(ws.at("lock"), "utf8")).toBe(other);
});

test("a lock in a folder that does not exist is an error in words", async () => {
  await using ws = await workspace({});
  expect(() => tryLock(ws.at("no/lock"))).toThrow("there is no such file or folder");
});

test("this process is alive by its own identity", () => {
  expect(lifeOf(processIdentity())).toBe("alive");
});

test("a FIFO, a device or a link to nothing in a lock's place is refused by name, not waited for [C03]", async () => {
  await using ws = await workspace({});
  if (process.platform === "win32") return;
  Bun.spawnSync(["mkfifo", ws.at("pipe")]);
  symlinkSync("/dev/zero", ws.at("zero"));
  symlinkSync("/nowhere/at/all", ws.at("dangling"));
  for (const name of ["pipe", "zero", "dangling"])
    expect(() => tryLock(ws.at(name))).toThrow(`cannot lock ${ws.at(name)}`);
  expect(readdirSync(ws.path).sort()).toEqual(["dangling", "pipe", "zero"]);
});
