/** What can go wrong with memory in the real OpenCode, and that OpenCode does its work all the same. */
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { call, leftovers, modelServer, say, type Workspace, workspace } from "@pi-ts/testkit";
import { fillMemory, stateEarlier } from "../support/memory.ts";
import {
  answerAside,
  conversation,
  MISSING,
  plugin,
  remembered,
  run,
  serve,
  setUpOpencode,
  V2,
} from "./opencode-host.ts";

const FACT = "We deploy with the quokka script, never by hand.";
const QUESTION = "how do we deploy this?";
const store = (ws: Workspace): string => join(ws.home, ".pi-go", "memory", "claude-mem.db");

describe.skipIf(MISSING !== "")(`OpenCode goes on${MISSING}`, () => {
  const BROKEN: readonly (readonly [string, (ws: Workspace) => Promise<Disposable | undefined>])[] = [
    [
      "that is no database",
      async (ws) => {
        mkdirSync(join(store(ws), ".."), { recursive: true });
        writeFileSync(store(ws), "this is no database at all, and was never meant to be one".repeat(100));
        return undefined;
      },
    ],
    [
      "that another program holds",
      async (ws) => {
        await stateEarlier(ws, [FACT]);
        const held = new Database(store(ws));
        held.exec("BEGIN EXCLUSIVE");
        return { [Symbol.dispose]: () => held.close() };
      },
    ],
    [
      "of a newer engine",
      async (ws) => {
        await stateEarlier(ws, [FACT]);
        using database = new Database(store(ws));
        database.exec("INSERT INTO remem_migrations (id, name, checksum) VALUES (1000, 'later', 'x')");
        return undefined;
      },
    ],
    [
      "that is a folder",
      async (ws) => {
        mkdirSync(store(ws), { recursive: true });
        return undefined;
      },
    ],
  ];
  test.each(BROKEN)("without memory with a store %s, which stays as it is [R01]", async (_, breakIt) => {
    await using server = await modelServer();
    await using ws = await workspace({}, { git: true });
    setUpOpencode(ws, { server, plugin: [plugin({ capture: { enabled: true }, typed: ["run"] })] });
    using held = await breakIt(ws);
    const before = existsSync(store(ws)) && held === undefined ? bytesOf(store(ws)) : undefined;
    answerAside(server);
    server.reply(call("memory_search", { query: "deploy" }), call("memory_status"));
    server.reply(say("I do not know."));
    const { code, stderr, stdout } = await run(ws, QUESTION);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("I do not know.");
    const requests = conversation(server);
    expect(requests[0]!.userTexts.at(-1)).toBe(QUESTION);
    expect(requests[0]!.text).not.toContain("quokka");
    expect(requests[1]!.results[0]!.text).toMatch(/not looked at|not available|did not answer/);
    if (before !== undefined) expect(bytesOf(store(ws))).toBe(before);
  });

  test("without waiting for a store or an embedder that never answers [R01]", async () => {
    await using server = await modelServer();
    await using ws = await workspace({}, { git: true });
    await using silent = await silentServer();
    const embedding = {
      kind: "openai",
      baseUrl: `http://127.0.0.1:${silent.port}/v1`,
      model: "m",
      dimensions: 8,
    };
    await stateEarlier(ws, [FACT]);
    answerAside(server);
    for (const options of [
      { waitMs: 100, embedding },
      {
        waitMs: 100,
        storage: { kind: "postgres", databaseUrl: `postgres://me@127.0.0.1:${silent.port}/memory` },
      },
    ]) {
      setUpOpencode(ws, { server, plugin: [plugin(options)] });
      server.reply(say("I do not know."));
      const { code, stdout, stderr } = await run(ws, QUESTION);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("I do not know.");
    }
    expect(silent.asked()).toBeGreaterThan(0);
  });

  test("when memory is switched off: no tools, no text, no store", async () => {
    await using server = await modelServer();
    await using ws = await workspace({}, { git: true });
    setUpOpencode(ws, { server, plugin: [plugin({ enabled: false, capture: { enabled: true } })] });
    answerAside(server);
    server.reply(say("I do not know."));
    await run(ws, QUESTION);
    expect(conversation(server)[0]!.text).not.toContain("memory_");
    expect(existsSync(store(ws))).toBe(false);
  });

  test("with options that are wrong: they are named in its log and left out", async () => {
    await using server = await modelServer();
    await using ws = await workspace({}, { git: true });
    setUpOpencode(ws, { server, plugin: [plugin({ typed: ["everywhere"], waitMs: -1, capturing: true })] });
    answerAside(server);
    server.reply(say("Yes."));
    expect((await run(ws, QUESTION)).code).toBe(0);
    const log = logOf(ws);
    expect(log).toContain("typed:");
    expect(log).toContain("waitMs: -1 is left out");
    expect(log).toContain("capturing");
  });

  test("each folder of one host with memories of its own; two that are in no repository share nothing [R02]", async () => {
    await using server = await modelServer();
    await using ws = await workspace({});
    const other = join(ws.path, "..", "outside");
    const first = join(ws.path, "first");
    mkdirSync(first);
    await stateEarlier(ws, [FACT], first);
    await stateEarlier(ws, ["We deploy with the marmot script and never by hand."], other);
    setUpOpencode(ws, { server });
    answerAside(server);
    server.otherwise(() => [say("With it.")]);
    await using host = await serve(ws);
    const asked = async (folder: string): Promise<string> => {
      await host.prompt(await host.session(folder), QUESTION, folder);
      return conversation(server).at(-1)!.text;
    };
    const [here, there] = [await asked(first), await asked(other)];
    expect([here.includes("quokka"), here.includes("marmot")]).toEqual([true, false]);
    expect([there.includes("quokka"), there.includes("marmot")]).toEqual([false, true]);
  });

  test("with the plugin for newer hosts in it, which does nothing there", async () => {
    await using server = await modelServer();
    await using ws = await workspace({}, { git: true });
    await stateEarlier(ws, [FACT]);
    setUpOpencode(ws, { server, plugin: [plugin({ capture: { enabled: true } }, V2)] });
    const before = readdirSync(join(ws.home, ".pi-go", "memory")).sort();
    answerAside(server);
    server.reply(say("I do not know."));
    const { code, stderr } = await run(ws, QUESTION);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(conversation(server)[0]!.text).not.toContain("memory");
    expect(readdirSync(join(ws.home, ".pi-go", "memory")).sort()).toEqual(before);
  });

  test("and leaves nothing behind: no process, no lock, no temporary file, and the store is whole [R07]", async () => {
    await using server = await modelServer();
    await using ws = await workspace({}, { git: true });
    await stateEarlier(ws, [FACT]);
    setUpOpencode(ws, { server, plugin: [plugin({ capture: { enabled: true }, typed: ["run"] })] });
    answerAside(server);
    server.reply(say("With the script, as we always did it in this project."));
    await run(ws, QUESTION);
    expect(leftovers(ws.marker)).toEqual([]);
    const files = readdirSync(join(ws.home, ".pi-go"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      // First commits of repositories, kept where git was asked for one.
      .filter((name) => name !== "roots.json")
      .sort();
    expect(files).toEqual(["claude-mem.db", "opencode.json"]);
    expect(await remembered(ws)).toContain(`prompt typed: ${QUESTION}`);
    const check = await fillMemory(ws, async (memory) => (await memory.store("read"))!.memories.status());
    expect(check.memories).toBeGreaterThan(1);
  });
});

function bytesOf(path: string): string {
  return readdirOf(path) ?? readFileSync(path, "latin1");
}

function readdirOf(path: string): string | undefined {
  try {
    return readdirSync(path).join("\n");
  } catch {
    // It is a file.
    return undefined;
  }
}

function logOf(ws: Workspace): string {
  const folder = join(ws.home, ".local", "share", "opencode", "log");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}

/** A server that takes connections and never says a word. */
async function silentServer() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    asked: () => sockets.length,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
