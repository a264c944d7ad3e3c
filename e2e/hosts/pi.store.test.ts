/** A store that cannot be used costs Pi nothing but its memory. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { call, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { stateEarlier } from "../support/memory.ts";
import { MISSING, memorySettings, runPi } from "./pi-host.ts";

const FACT = "Remember: the staging deploy goes through blue-lantern.sh.";

function storeOf(ws: Workspace): string {
  return join(ws.home, ".pi-go", "memory", "claude-mem.db");
}

/** What makes the store useless; gives what makes an end of it. */
const TROUBLES: readonly (readonly [string, (path: string) => () => void])[] = [
  [
    "is no database",
    (path) => {
      writeFileSync(path, "this is no database, but long enough to be taken for one ".repeat(100));
      return () => undefined;
    },
  ],
  [
    "is held by another program",
    (path) => {
      const held = new Database(path);
      held.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;");
      return () => held.close();
    },
  ],
  [
    "was written by a newer version",
    (path) => {
      const newer = new Database(path);
      newer.exec("INSERT INTO remem_migrations SELECT * FROM (SELECT 9999, 'from the future', 1)");
      newer.close();
      return () => undefined;
    },
  ],
  [
    "is a folder",
    (path) => {
      rmSync(path);
      mkdirSync(path);
      return () => undefined;
    },
  ],
];

for (const [trouble, make] of TROUBLES)
  test.skipIf(MISSING !== "")(
    `where the store ${trouble}, Pi answers without memory, says so once without a memory's text, and leaves the store as it is [B-PI-02][R01]${MISSING}`,
    async () => {
      await using ws = await workspace({}, { git: true });
      await using server = await modelServer();
      await stateEarlier(ws, [FACT]);
      memorySettings(ws, { capture: { enabled: true } });
      const end = make(storeOf(ws));
      server.reply(call("memory_search", { query: "staging deploy" }));
      server.reply(say("done"));
      try {
        const result = await runPi(ws, server, ["-p", "How do we deploy to staging?"]);
        expect(result).toMatchObject({ code: 0, stdout: "done\n" });
        expect(result.stderr.trim().split("\n")).toHaveLength(1);
        expect(result.stderr).toStartWith("memory: ");
        expect(result.stderr).not.toContain("blue-lantern");
        expect(server.request(2).text).not.toContain("blue-lantern");
        expect(server.request(2).results[0]!.text).toMatch(/not looked at|gave no answer|not available/);
      } finally {
        end();
      }
    },
  );

test.skipIf(MISSING !== "" || process.getuid?.() === 0)(
  `where the store may not be read, Pi answers without memory [B-PI-02][R01]${MISSING || " (needs a user that is not root)"}`,
  async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    await stateEarlier(ws, [FACT]);
    chmodSync(storeOf(ws), 0o000);
    server.reply(say("done"));
    const result = await runPi(ws, server, ["-p", "How do we deploy to staging?"]);
    expect(result).toMatchObject({ code: 0, stdout: "done\n" });
    chmodSync(storeOf(ws), 0o600);
  },
);

test.skipIf(MISSING !== "")(
  `broken settings of memory are named, and everything else goes on with the usual ones [B-PI-02]${MISSING}`,
  async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    await stateEarlier(ws, [FACT]);
    const file = join(ws.home, ".config", "remem", "config.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{ "capture": ');
    server.reply(say("done"));
    const result = await runPi(ws, server, ["-p", "How do we deploy to staging?"]);
    expect(result).toMatchObject({ code: 0, stdout: "done\n" });
    expect(result.stderr).toContain(`${file}:1:`);
    expect(server.request(1).text).toContain("blue-lantern");
    expect(readFileSync(file, "utf8")).toBe('{ "capture": ');
  },
);

test.skipIf(MISSING !== "")(
  `memory that is switched off is not there: no tools, no words, no store${MISSING}`,
  async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    await stateEarlier(ws, [FACT]);
    memorySettings(ws, { enabled: false });
    server.reply(say("done"));
    expect(await runPi(ws, server, ["-p", "How do we deploy to staging?"])).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(server.request(1).text).not.toMatch(/blue-lantern|recalled-memory|memory_search/);
  },
);

test.skipIf(MISSING !== "")(
  `where there is no git and no repository, Pi starts, and memory knows the folder [B-PI-14]${MISSING}`,
  async () => {
    await using ws = await workspace({});
    await using server = await modelServer();
    await stateEarlier(ws, [FACT]);
    server.reply(say("done"));
    const result = await runPi(ws, server, ["-p", "How do we deploy to staging?"], {
      env: { PATH: ws.outside },
    });
    expect(result).toMatchObject({ code: 0, stdout: "done\n" });
    expect(server.request(1).text).toContain("blue-lantern");
  },
);
