import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { type Workspace, workspace } from "@pi-ts/testkit";
import type { MemoryStore } from "../core/ports/memory-store.ts";
import { ManualTime } from "../core/test-support/manual-time.ts";
import { defaultParts } from "./default-parts.ts";
import type { Memory, MemoryNotice } from "./memory.ts";
import type { StoreOpener } from "./memory-options.ts";
import { memoryOf, storePath } from "./test-support/test-memory.ts";

const say = (memory: Memory, session: string, messageId: string, text: string): void =>
  memory.session({ id: session }).typed({ messageId, text, source: "interactive" });

const recall = async (memory: Memory, session: string, prompt: string): Promise<string> =>
  (await memory.session({ id: session }).processPrompt(prompt, { turnId: prompt })).text;

/** Learns in one process' life and closes. */
async function learned(space: Workspace, text: string, session = "s1"): Promise<void> {
  await using memory = memoryOf(space);
  say(memory, session, "m1", text);
  await memory.idle();
}

test("a model's better summary follows the one by rule while the process lives, and the end never waits for it [A-MEM-02] [R06]", async () => {
  await using space = await workspace();
  const asked = Promise.withResolvers<(text: string) => void>();
  const model = { complete: () => new Promise<string>((resolve) => asked.resolve(resolve)) };
  await using memory = memoryOf(space, { model });
  const session = memory.session({ id: "s1" });
  say(memory, "s1", "m1", "make the importer read gzip");
  session.answer({ messageId: "a1", text: "The importer reads gzip files from now on." });
  await session.end();
  const start = async (id: string): Promise<string> => (await memory.session({ id }).sessionStart()).text;
  expect(await start("s2")).toContain("request: make the importer read gzip");
  (await asked.promise)(
    '{"request": "gzip in the importer", "completed": "it reads gzip", "next_steps": "measure it"}',
  );
  await memory.idle();
  expect(await start("s3")).toContain("next steps: measure it");
  expect((await memory.compression()).spent).toBeGreaterThan(0);
});

test("a small model that never answers does not hold the end up, and its tokens are counted [R05] [R07] [Q03]", async () => {
  await using space = await workspace();
  const asked = Promise.withResolvers<void>();
  let requests = 0;
  const model = {
    complete: (_: string, { signal }: { signal: AbortSignal }) => {
      requests++;
      asked.resolve();
      return new Promise<string>((_, reject) => {
        signal.addEventListener("abort", () => reject(new Error("called off")));
      });
    },
  };
  const memory = memoryOf(space, { model });
  for (let index = 0; index < 25; index++)
    memory.session({ id: "s" }).tool({
      callId: `c${index}`,
      tool: "bash",
      input: { command: `make target${index} of${index}` },
      output: "",
      failed: false,
    });
  await asked.promise;
  expect((await memory.compression()).spent).toBeGreaterThan(0);
  expect(await memory.close()).toMatchObject({ left: 0 });
  expect(requests).toBe(1);
});

test("too much at once is told once, without what it was [R06]", async () => {
  await using space = await workspace();
  const notices: MemoryNotice[] = [];
  await using memory = memoryOf(space, { settings: { capture: { enabled: true, maxPending: 5 } } }, notices);
  await memory.config();
  const session = memory.session({ id: "s" });
  say(memory, "s", "m0", "we look at a flood");
  await memory.idle();
  for (let index = 0; index < 500; index++)
    session.tool({
      callId: `c${index}`,
      tool: "bash",
      input: { command: `flood${index} number${index}` },
      output: "",
      failed: false,
    });
  await memory.idle();
  expect(memory.capture().dropped).toBe(495);
  const told = notices.filter(({ code }) => code === "capture_dropped");
  expect(told).toHaveLength(1);
  expect(told[0]?.message).not.toContain("flood");
});

test("maintenance makes missing vectors, at most every five minutes [B-PI-08] [R13]", async () => {
  await using space = await workspace();
  const time = new ManualTime();
  const parts = { clock: time };
  await using memory = memoryOf(space, { parts });
  const { memories } = (await memory.store("write"))!;
  const { writes } = await memory.context("s");
  const typed = { host: "t", sessionId: "s", author: { role: "user" }, typed: true } as const;
  const add = (text: string) =>
    memories.add([{ memory: { kind: "fact", scope: writes, text, provenance: typed } }]);
  const count = async (): Promise<number> =>
    Object.values((await memories.status()).vectors).reduce((sum, one) => sum + one, 0);
  await add("the parser reads files");
  memory.maintain();
  await memory.idle();
  expect(await count()).toBe(1);
  await add("the writer writes files");
  memory.maintain();
  await memory.idle();
  expect(await count()).toBe(1);
  time.pass(5 * 60_000);
  memory.maintain();
  await memory.idle();
  expect(await count()).toBe(2);
});

test("a further provider is read besides the primary store, and can be asked alone [B-CORE-02]", async () => {
  await using space = await workspace({}, { git: true });
  await using team = await workspace({}, { git: true });
  {
    await using there = memoryOf(team);
    const { memories } = (await there.store("write"))!;
    const typed = { host: "t", sessionId: "s", author: { role: "user" }, typed: true } as const;
    const text = "Every team deploys the gateway on Tuesdays.";
    await memories.add([{ memory: { kind: "fact", scope: { kind: "global" }, text, provenance: typed } }]);
  }
  const providers = [{ id: "team", kind: "sqlite", path: storePath(team) }] as const;
  await using memory = memoryOf(space, { settings: { providers } });
  expect(await recall(memory, "s", "when do teams deploy the gateway?")).toContain("Tuesdays");
  const answer = await memory.session({ id: "s" }).search("gateway", { provider: "team" });
  expect(answer.memories[0]?.provider).toBe("team");
});

test("after the end every question is answered with silence, never with an error [B-CORE-04]", async () => {
  await using space = await workspace();
  await learned(space, "We use pnpm for installing packages.");
  for (const used of [true, false]) {
    const memory = memoryOf(space);
    const session = memory.session({ id: "s" });
    if (used) await session.sessionStart();
    await memory.close();
    say(memory, "s", "m9", "We use yarn.");
    expect(await recall(memory, "s", "what do we use for installing packages?")).toBe("");
    expect(await session.search("packages")).toMatchObject({ outcome: "not_looked" });
    expect(await session.compactionContext()).toBe("");
    await session.status();
    await session.explain();
    await session.end();
  }
});

test("after a warm-up the first question reads no vector again, and it leaves no trace of its own", async () => {
  await using space = await workspace();
  await learned(space, "Remember: we deploy with blue.sh, never by hand.");
  const asked: number[] = [];
  const { openStore } = defaultParts({ host: "test", cwd: space.path });
  const watched: StoreOpener = async (request) => {
    const opened = await openStore(request);
    if (opened === undefined) return undefined;
    const vectors: MemoryStore["vectors"] = (fingerprint, after) => {
      asked.push(after);
      return opened.memories.vectors(fingerprint, after);
    };
    const memories = new Proxy(opened.memories, {
      get: (store, name) => {
        const value: unknown = name === "vectors" ? vectors : Reflect.get(store, name);
        return typeof value === "function" ? value.bind(store) : value;
      },
    });
    return { ...opened, memories };
  };
  await using memory = memoryOf(space, { parts: { openStore: watched } });
  await memory.warmUp();
  expect(asked).toEqual([0]);
  expect(await memory.session({ id: "s2" }).explain()).toBeUndefined();
  expect(await recall(memory, "s2", "How do we deploy?")).toContain("blue.sh");
  expect(asked.slice(1)).not.toContain(0);
});

test("a warm-up of nothing, and of a memory that is closed, makes nothing and does not reject [R14]", async () => {
  await using space = await workspace();
  const memory = memoryOf(space);
  await memory.warmUp();
  await memory.close();
  await memory.warmUp();
  expect(existsSync(storePath(space))).toBe(false);
});
