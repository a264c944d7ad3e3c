import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { openMemory } from "../../runtime/open-memory.ts";
import { readHandshake } from "../shared/handshake.ts";
import type { PiContext, PiMessage } from "./host-types.ts";
import memory from "./index.ts";
import { PiAdapter } from "./pi-adapter.ts";
import { FakePi, fakeContext } from "./test-support/fake-pi.ts";

const PROMPT = "How do we deploy to staging?";

function environmentOf(ws: Workspace): Record<string, string> {
  return ws.env({ PI_HOME: join(ws.home, ".pi-go"), REMEM_CONFIG_DIR: join(ws.home, "remem") });
}

async function stated(ws: Workspace, text: string): Promise<void> {
  const environment = environmentOf(ws);
  await using opened = openMemory({
    host: "remem",
    cwd: ws.path,
    home: ws.home,
    environment,
    ignoreFiles: true,
    settings: { capture: { enabled: true } },
  });
  opened.session({ id: "earlier" }).typed({ messageId: "m", text, source: "interactive" });
  await opened.idle();
}

function adapter(ws: Workspace, pi: FakePi): FakePi {
  new PiAdapter(pi, { env: environmentOf(ws), argv: [] }).register();
  return pi;
}

async function start(pi: FakePi, context: PiContext): Promise<void> {
  await pi.emit("session_start", { reason: "startup" }, context);
  await pi.emit("resources_discover", {}, context);
}

function user(text: string, timestamp: number): PiMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp };
}

async function ask(pi: FakePi, context: PiContext, messages: PiMessage[]): Promise<readonly PiMessage[]> {
  const sections: Record<string, string> = {};
  const prompt = PROMPT;
  await pi.emit("input", { text: prompt, source: "interactive" }, context);
  await pi.emit(
    "before_agent_start",
    { messageType: "user", prompt, systemPromptOptions: { sections } },
    context,
  );
  return (await pi.emit("context", { messages }, context))?.messages ?? messages;
}

describe("loading", () => {
  test("inside another program that names itself the extension registers nothing", () => {
    const own = new FakePi({ host: "pi-ts" });
    memory(own);
    expect(own.handlers).toBe(0);
    const real = new FakePi();
    memory(real);
    expect(real.handlers).toBeGreaterThan(0);
    expect(real.tools.size).toBe(0);
  });

  test("an API of another shape ends nothing [B-PI-01]", () => {
    expect(() => memory({} as never)).not.toThrow();
  });

  test("without a session every handler does nothing [B-PI-03]", async () => {
    await using ws = await workspace();
    const pi = adapter(ws, new FakePi());
    const context = fakeContext({ cwd: ws.path });
    const messages = [user(PROMPT, 1)];
    expect(await ask(pi, context, messages)).toBe(messages);
    await pi.emit("resources_discover", {}, context);
    await pi.emit("session_shutdown", { reason: "quit" }, context);
    expect(pi.tools.size).toBe(0);
    expect(pi.reported).toEqual([]);
  });
});

describe("a session", () => {
  test("puts recalled memory behind the prompt, and the same bytes with every request after it [B-PI-05]", async () => {
    await using ws = await workspace({}, { git: true });
    await stated(ws, "Remember: the staging deploy goes through blue-lantern.sh.");
    const pi = adapter(ws, new FakePi());
    const context = fakeContext({ cwd: ws.path });
    await start(pi, context);
    const first = [user(PROMPT, 1)];
    const shown = await ask(pi, context, first);
    expect(shown).toHaveLength(2);
    expect(JSON.stringify(shown[1])).toContain("blue-lantern");
    const later = [
      ...first,
      { role: "assistant", content: [{ type: "text", text: "By the script." }] },
      user("thanks", 2),
    ];
    const next = (await pi.emit("context", { messages: later }, context))!.messages;
    expect(next.slice(0, 2)).toEqual([...shown]);
    expect(first).toHaveLength(1);
    await pi.emit("session_shutdown", { reason: "quit" }, context);
    expect(pi.reported).toEqual([]);
  });

  test("that is over hears nothing any more, and its tools say so [B-PI-03][B-PI-15]", async () => {
    await using ws = await workspace({}, { git: true });
    await stated(ws, "Remember: the staging deploy goes through blue-lantern.sh.");
    const pi = adapter(ws, new FakePi());
    const context = fakeContext({ cwd: ws.path });
    await start(pi, context);
    await pi.emit("session_shutdown", { reason: "new" }, context);
    const messages = [user(PROMPT, 1)];
    expect(await ask(pi, context, messages)).toBe(messages);
    const { content } = await pi.tools.get("memory_search")!.execute("c1", { query: "deploy" }, undefined);
    expect(content[0]!.text).toContain("not available");
  });

  test("writes its handshake where doctor looks, and no store where nothing is remembered", async () => {
    await using ws = await workspace({}, { git: true });
    const pi = adapter(ws, new FakePi());
    const context = fakeContext({ cwd: ws.path });
    await start(pi, context);
    await pi.emit("session_shutdown", { reason: "quit" }, context);
    const written = readHandshake({ globalFolder: join(ws.home, ".pi-go") }, "pi");
    expect(written).toMatchObject({ host: "pi", hostVersion: null, store: { kind: "sqlite" } });
    expect(Object.keys(ws.snapshotOf("home")).filter((path) => path.endsWith(".db"))).toEqual([]);
  });

  test("takes other names where its own are taken, and none where both are [B-PI-06]", async () => {
    await using ws = await workspace();
    const pi = adapter(ws, new FakePi({ otherTools: ["memory_search", "memory_status", "remem_status"] }));
    const context = fakeContext({ cwd: ws.path });
    await start(pi, context);
    expect([...pi.tools.keys()]).toEqual(["remem_search", "memory_explain"]);
    await pi.emit("session_shutdown", { reason: "quit" }, context);
  });

  test("registers its tools at the first prompt where nobody asks for resources, once", async () => {
    await using ws = await workspace();
    const pi = adapter(ws, new FakePi());
    const context = fakeContext({ cwd: ws.path });
    await pi.emit("session_start", { reason: "startup" }, context);
    expect(pi.tools.size).toBe(0);
    await ask(pi, context, [user(PROMPT, 1)]);
    expect([...pi.tools.keys()]).toEqual(["memory_search", "memory_status", "memory_explain"]);
    await pi.emit("session_shutdown", { reason: "quit" }, context);
  });

  test("whose facts cannot be read is told of once, by name, and Pi goes on [B-PI-02]", async () => {
    await using ws = await workspace();
    const notices: string[] = [];
    const pi = adapter(ws, new FakePi());
    const context = fakeContext({ cwd: ws.path }, notices);
    const broken = {
      ...context,
      sessionManager: {
        ...context.sessionManager,
        getSessionId: () => {
          throw new RangeError("a text that quotes a memory");
        },
      },
    };
    await start(pi, broken);
    await start(pi, { ...broken });
    expect(notices).toEqual(["memory: session start failed (RangeError); Pi goes on without it"]);
    expect(pi.reported).toEqual([]);
  });

  test("a tool call that the user stops is thrown out of, as Pi expects it", async () => {
    await using ws = await workspace({}, { git: true });
    const pi = adapter(ws, new FakePi());
    const context = fakeContext({ cwd: ws.path });
    await start(pi, context);
    const stopped = AbortSignal.abort();
    await expect(pi.tools.get("memory_search")!.execute("c1", { query: "x" }, stopped)).rejects.toThrow();
    await pi.emit("session_shutdown", { reason: "quit" }, context);
  });

  test("with memory switched off by the user's settings has no tools and no words", async () => {
    await using ws = await workspace();
    mkdirSync(join(ws.home, "remem"));
    writeFileSync(join(ws.home, "remem", "config.json"), '{ "enabled": false }');
    const pi = adapter(ws, new FakePi());
    const context = fakeContext({ cwd: ws.path });
    await start(pi, context);
    const messages = [user(PROMPT, 1)];
    expect(await ask(pi, context, messages)).toBe(messages);
    expect(pi.tools.size).toBe(0);
  });
});
