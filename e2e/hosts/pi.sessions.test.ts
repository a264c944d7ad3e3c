/** New, resumed, forked and reloaded sessions of the real Pi, and their end. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  hang,
  leftovers,
  modelServer,
  type RecordedRequest,
  say,
  startProcess,
  type Workspace,
  workspace,
} from "@pi-ts/testkit";
import { handshakeFile, readHandshake } from "../../packages/remem/src/hosts/shared/handshake.ts";
import { stateEarlier } from "../support/memory.ts";
import {
  EXTENSION,
  kept,
  MISSING,
  memorySettings,
  piHost,
  RUNTIMES,
  runPi,
  sessionTexts,
  startPiRpc,
} from "./pi-host.ts";

const FACT = "Remember: the staging deploy goes through blue-lantern.sh.";
const QUESTION = "How do we deploy to staging?";

/** An extension with commands for what only a person at a terminal can do. */
const COMMANDS = `export default function (pi) {
  pi.registerCommand("again", { handler: (_, ctx) => ctx.reload() });
  pi.registerCommand("fresh", { handler: async (_, ctx) => { await ctx.newSession(); } });
}`;

function recalls(request: RecordedRequest): boolean {
  return request.userTexts.some((text) => text.includes("<recalled-memory") && text.includes("blue-lantern"));
}

function memoryFolder(ws: Workspace): string {
  return join(ws.home, ".pi-go", "memory");
}

test.skipIf(MISSING !== "")(
  `after new, switch, fork and reload memory is there once, with its tools, and sees the session it is in [B-PI-03]${MISSING}`,
  async () => {
    await using ws = await workspace({ "commands.js": COMMANDS }, { git: true });
    await using server = await modelServer();
    await stateEarlier(ws, [FACT]);
    server.otherwise(() => [say("by the script")]);
    await using pi = startPiRpc(ws, server, [], { extensions: [EXTENSION, ws.at("commands.js")] });
    await pi.prompt(QUESTION);
    const first = (await pi.command("get_state")) as { sessionFile: string };
    await pi.command("new_session");
    await pi.prompt(QUESTION);
    await pi.command("switch_session", { sessionPath: first.sessionFile });
    await pi.prompt(`${QUESTION} Once more.`);
    const { messages } = (await pi.command("get_fork_messages")) as { messages: { entryId: string }[] };
    await pi.command("fork", { entryId: messages.at(-1)!.entryId });
    await pi.prompt(`${QUESTION} And now?`);
    await pi.command("prompt", { message: "/again" });
    await pi.prompt(`${QUESTION} Still?`);
    expect(server.requests).toHaveLength(5);
    for (const request of server.requests) {
      expect(recalls(request)).toBe(true);
      expect(request.tools.filter(({ name }) => name.startsWith("memory_"))).toHaveLength(3);
      expect(request.system.split("Text inside <recalled-memory>")).toHaveLength(2);
    }
    expect(await pi.end()).toBe(0);
    expect(pi.stderr).toBe("");
    expect(sessionTexts(ws).join()).not.toContain("blue-lantern");
  },
);

test.skipIf(MISSING !== "")(
  `what a session of one worktree learned is known in another worktree of the repository, and in no other repository [B-PI-13]${MISSING}`,
  async () => {
    await using ws = await workspace({ "a/b/c.txt": "" }, { git: true });
    await using server = await modelServer();
    memorySettings(ws, { capture: { enabled: true } });
    ws.git("worktree", "add", "--quiet", join(ws.outside, "tree"));
    server.otherwise(() => [say("noted")]);
    expect((await runPi(ws, server, ["-p", FACT], { cwd: join(ws.outside, "tree") })).code).toBe(0);
    await runPi(ws, server, ["-p", QUESTION], { cwd: ws.at("a/b") });
    expect(recalls(server.request(2))).toBe(true);
    await runPi(ws, server, ["-p", QUESTION], { cwd: ws.home });
    expect(recalls(server.request(3))).toBe(false);
  },
);

test.skipIf(MISSING !== "").each(RUNTIMES)(
  `Pi on $name leaves no process, no lock, no journal and no temporary file behind [B-PI-15]${MISSING}`,
  async (runtime) => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    memorySettings(ws, { capture: { enabled: true } });
    server.otherwise(() => [say("noted")]);
    await runPi(ws, server, ["-p", FACT], { runtime });
    await runPi(ws, server, ["-p", QUESTION], { runtime });
    {
      await using pi = startPiRpc(ws, server, [], { runtime });
      await pi.prompt("hello");
      expect(await pi.end()).toBe(0);
    }
    expect(await leftovers(ws.marker)).toEqual([]);
    const journals = readdirSync(ws.home, { recursive: true, encoding: "utf8" }).filter((name) =>
      /-wal$|-shm$|\.tmp$|\.lock$/.test(name),
    );
    expect(journals).toEqual([]);
    expect(
      Object.keys(ws.snapshotOf("temp")).filter((name) => !/^(jiti|node-compile-cache)\b/.test(name)),
    ).toEqual([]);
    expect(readdirSync(join(memoryFolder(ws), "hosts"))).toEqual(["pi.json"]);
    expect((await kept(ws)).some(({ text }) => text.includes("blue-lantern"))).toBe(true);
  },
);

test.skipIf(MISSING !== "")(
  `a Pi that is told to end in the middle of a turn loses nothing that was typed before [B-PI-15][R01]${MISSING}`,
  async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    memorySettings(ws, { capture: { enabled: true } });
    server.otherwise(() => [hang()]);
    const { argv, cwd, env } = piHost(ws, server, ["-p", FACT]);
    {
      await using pi = startProcess(argv, { cwd, env });
      await server.waitFor(1);
      pi.kill("SIGTERM");
      await pi.exited;
    }
    expect((await kept(ws)).some(({ text }) => text.includes("blue-lantern"))).toBe(true);
  },
);

test.skipIf(MISSING !== "")(
  `Pi leaves word that it has loaded memory: which Pi, which copy, which store, and nothing else [W12]${MISSING}`,
  async () => {
    await using ws = await workspace({}, { git: true });
    await using server = await modelServer();
    server.reply(say("done"));
    await runPi(ws, server, ["-p", "hello"]);
    const places = { globalFolder: join(ws.home, ".pi-go") };
    expect(readHandshake(places, "pi")).toMatchObject({
      host: "pi",
      hostVersion: "1.6.0",
      adapterPath: EXTENSION,
      store: { kind: "sqlite", path: join(memoryFolder(ws), "claude-mem.db") },
    });
    expect(readHandshake(places, "pi")!.runtime).toStartWith("node 24.");
    expect(readFileSync(handshakeFile(places, "pi"), "utf8")).not.toContain("hello");
  },
);
