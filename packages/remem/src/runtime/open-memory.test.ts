import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { canary, type Workspace, workspace } from "@pi-ts/testkit";
import type { Embedder } from "../core/ports/embedder.ts";
import { estimateTokens } from "../core/text/estimate-tokens.ts";
import { openConnection } from "../store/sqlite/driver.ts";
import type { Memory, MemoryNotice } from "./memory.ts";
import { memoryFolder, memoryOf, storePath } from "./test-support/test-memory.ts";

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

test("what is said in one run is recalled in the next one, and what is newer holds [B-CORE-01] [R11]", async () => {
  await using space = await workspace({}, { git: true });
  await learned(space, "We use npm for installing packages.");
  await learned(space, "We moved to pnpm.", "s2");
  await using memory = memoryOf(space);
  const text = await recall(memory, "s3", "which package manager do we use for installing packages?");
  expect(text).toContain("We moved to pnpm.");
  expect(text).not.toMatch(/kind="decision"[^>]*>\nWe use npm/u);
});

test("a service that is to make vectors from now on, and is down, costs no likeness: those of the default serve on [R13]", async () => {
  await using space = await workspace();
  await learned(space, "The staging server listens on port 9090.");
  const down: Embedder = {
    immediate: false,
    space: { fingerprint: "service", dimensions: 4, weight: 0.4 },
    embed: () => Promise.reject(new Error("nobody answers")),
  };
  await using memory = memoryOf(space, { parts: { embedder: () => Promise.resolve(down) } });
  const session = memory.session({ id: "s2" });
  expect((await session.search("staging server port")).outcome).toBe("found");
  expect((await session.explain())?.hits[0]?.parts["cosine"]).toBeGreaterThan(0.5);
});

test("what was said longer ago than retention keeps is erased; statements stay, and it may be said again [R10]", async () => {
  await using space = await workspace();
  await learned(space, "We use pnpm for the walrus packages.");
  const later = { now: () => Date.now() + 40 * 24 * 60 * 60_000 };
  const kept = { settings: { capture: { enabled: true }, retention: { days: 30 } } };
  await using memory = memoryOf(space, { ...kept, parts: { clock: later } });
  await memory.session({ id: "s2" }).search("walrus");
  memory.maintain();
  await memory.idle();
  const store = await memory.store("read");
  const all = await store!.memories.list({ before: later.now() }, 10);
  expect(all.map(({ kind }) => kind)).toEqual(["decision"]);
  say(memory, "s2", "m2", "We use pnpm for the walrus packages.");
  await memory.idle();
  const said = await store!.memories.list({ sessionId: "s2", kinds: ["prompt"] }, 10);
  expect(said).toHaveLength(1);
});

test("a run in which nothing is to be stored leaves no file, and costs no token [R14]", async () => {
  await using space = await workspace();
  const memory = memoryOf(space, { settings: { capture: { enabled: false } } });
  const session = memory.session({ id: "s" });
  expect((await session.sessionStart()).text).toBe("");
  expect(await session.processPrompt("where is the parser?", { turnId: "1" })).toMatchObject({ tokens: 0 });
  say(memory, "s", "m1", "Always use tabs.");
  expect((await session.search("parser")).outcome).toBe("nothing_found");
  expect((await session.status()).providers).toEqual([]);
  expect(await memory.ready()).toBe("absent");
  await session.end();
  await memory.close();
  expect(existsSync(memoryFolder(space))).toBe(false);
  expect(readdirSync(space.home)).toEqual([]);
});

test("closing without ever being used is done at once and leaves nothing", async () => {
  await using space = await workspace();
  const memory = memoryOf(space);
  expect(await memory.close()).toMatchObject({ left: 0 });
  expect(await memory.close()).toMatchObject({ left: 0 });
  expect(memory.state).toBe("closed");
  expect((await memory.session({ id: "s" }).processPrompt("x y z", { turnId: "1" })).text).toBe("");
});

test("what is said just before the end is stored all the same [R06]", async () => {
  await using space = await workspace();
  const memory = memoryOf(space);
  for (let index = 0; index < 30; index++) say(memory, "s", `m${index}`, `thought ${index} of walruses`);
  expect(await memory.close()).toMatchObject({ left: 0 });
  await using next = memoryOf(space);
  expect(await (await next.store("read"))?.memories.list({ sessionId: "s" }, 99)).toHaveLength(30);
});

test("a store that another program holds locked: work goes on, one notice, nothing is lost [R01] [B-CORE-04]", async () => {
  await using space = await workspace({}, { git: true });
  await learned(space, "The deployment key lies in the vault.");
  const lock = await openConnection(storePath(space));
  const notices: MemoryNotice[] = [];
  try {
    lock.run("BEGIN EXCLUSIVE");
    const memory = memoryOf(space, {}, notices);
    say(memory, "s2", "m2", "We switched to yarn.");
    const first = await recall(memory, "s2", "where is the deployment key?");
    expect(first === "" || first.includes("vault")).toBe(true);
    const { left, milliseconds } = await memory.close();
    expect(left).toBeGreaterThan(0);
    expect(milliseconds).toBeLessThan(3_000);
    expect(notices.every(({ message }) => !message.includes("vault") && !message.includes("yarn"))).toBe(
      true,
    );
  } finally {
    lock.run("ROLLBACK");
    lock.close();
  }
  await using next = memoryOf(space);
  await next.ready();
  await next.idle();
  expect(await recall(next, "s3", "did we switch to yarn?")).toContain("We switched to yarn.");
});

test("a damaged store, a store of a later version, a folder in its place: silence and one notice with what to do [B-CORE-04] [R01]", async () => {
  await using space = await workspace();
  mkdirSync(memoryFolder(space), { recursive: true });
  writeFileSync(storePath(space), "this is no database at all, whatever anybody says about it".repeat(99));
  const notices: MemoryNotice[] = [];
  await using memory = memoryOf(space, {}, notices);
  expect(await memory.ready()).toBe("unavailable");
  const session = memory.session({ id: "s" });
  for (let turn = 0; turn < 3; turn++) expect(await recall(memory, "s", `where is key ${turn}?`)).toBe("");
  expect((await session.sessionStart()).text).toBe("");
  expect(await session.search("key")).toMatchObject({ outcome: "not_looked" });
  const about = notices.filter(({ code }) => code.startsWith("store_"));
  expect(about).toHaveLength(1);
  expect(about[0]?.message).toContain("work goes on without memory");
  await expect(memory.manager()).rejects.toThrow();
});

test("memory of one project is never seen in another, and is in its other worktree [R02] [B-CORE-06]", async () => {
  await using space = await workspace({ "a.txt": "a" }, { git: true });
  await using other = await workspace({ "b.txt": "b" }, { git: true });
  const word = canary("zanzibarquokka");
  await learned(space, `The release code word is ${word.word}.`);
  space.git("worktree", "add", "--quiet", `${space.outside}/tree`);
  await using there = memoryOf(other, { home: space.home });
  const shown = [
    (await there.session({ id: "x" }).sessionStart()).text,
    await recall(there, "x", "what is the release code word?"),
    JSON.stringify(await there.session({ id: "x" }).search("release code word")),
    JSON.stringify(await there.session({ id: "x" }).history("release code word")),
    await there.session({ id: "x" }).compactionContext(),
  ];
  word.absentFrom(...shown.map((text) => ({ text })));
  await using tree = memoryOf(space, { cwd: `${space.outside}/tree` });
  expect(await recall(tree, "y", "what is the release code word?")).toContain(word.word);
});

test("a session's own memories are read by its forks and by nobody else", async () => {
  await using space = await workspace();
  await using memory = memoryOf(space);
  const store = await memory.store("write");
  const typed = { host: "test", sessionId: "parent", author: { role: "user" }, typed: true } as const;
  await store!.memories.add([
    {
      memory: {
        kind: "fact",
        scope: { kind: "session", id: "parent" },
        text: "The colour of the walrus is blue.",
        provenance: typed,
      },
    },
  ]);
  const ask = async (options: { id: string; parents?: string[] }): Promise<string> =>
    (await memory.session(options).processPrompt("which colour has the walrus?", { turnId: "1" })).text;
  expect(await ask({ id: "child", parents: ["parent"] })).toContain("blue");
  expect(await ask({ id: "stranger" })).toBe("");
});

test("a subagent's session captures nothing [R03]", async () => {
  await using space = await workspace();
  await using memory = memoryOf(space);
  const session = memory.session({ id: "sub", passive: true });
  session.typed({ messageId: "m", text: "Always use tabs.", source: "interactive" });
  session.answer({ messageId: "a", text: "I did it." });
  await memory.idle();
  await session.end();
  expect(existsSync(storePath(space))).toBe(false);
});

test("a resumed session says everything again and nothing is stored twice [R03]", async () => {
  await using space = await workspace();
  for (let run = 0; run < 3; run++) {
    await using memory = memoryOf(space);
    say(memory, "s", "m1", "Fix the parser please. We use pnpm.");
    memory.session({ id: "s" }).answer({ messageId: "a1", text: "The parser is fixed now, see parser.ts." });
    await memory.idle();
    expect(await (await memory.store("read"))?.memories.list({ sessionId: "s" }, 99)).toHaveLength(3);
  }
});

test("what was recalled before a restart is not learned from the answer after it [R03]", async () => {
  await using space = await workspace();
  const text = "The deployment key lies in the vault of the second floor of the annex.";
  await learned(space, text);
  {
    await using memory = memoryOf(space);
    expect(await recall(memory, "s2", "where is the deployment key?")).toContain("annex");
    await memory.idle();
  }
  await using memory = memoryOf(space);
  memory.session({ id: "s2" }).answer({ messageId: "a1", text });
  await memory.idle();
  expect(memory.capture()).toMatchObject({ stored: 0, excluded: { recalled: 1 } });
});

test("a session ends with a summary, and the next one begins with its next steps [A-MEM-12] [A-MEM-05]", async () => {
  await using space = await workspace();
  {
    await using memory = memoryOf(space);
    const session = memory.session({ id: "s1" });
    say(memory, "s1", "m1", "make the importer read gzip");
    session.tool({
      callId: "c1",
      tool: "edit",
      input: { file_path: "import.ts" },
      output: "ok",
      failed: false,
    });
    session.answer({ messageId: "a1", text: "Done.\n\nNext steps:\n- test with large files" });
    await session.end();
    await session.end();
  }
  await using memory = memoryOf(space);
  const start = await memory.session({ id: "s2" }).sessionStart();
  expect(start.text).toContain("request: make the importer read gzip");
  expect(start.text).toContain("next steps: test with large files");
  expect(start.tokens).toBe(estimateTokens(start.text));
  expect(start.instruction).toBe(memory.instruction);
});

test("the small model condenses behind the work, and never in a run of one prompt [A-MEM-02] [R05]", async () => {
  await using space = await workspace();
  const runOnce = async (run: "interactive" | "one-shot", name: string): Promise<number> => {
    let calls = 0;
    const model = {
      complete: async () => {
        calls++;
        return '[{"title": "Make builds", "type": "discovery", "text": "Everything is built by make.", "files": []}]';
      },
    };
    await using memory = memoryOf(space, { run, model });
    for (let index = 0; index < 20; index++)
      memory.session({ id: name }).tool({
        callId: `c${index}`,
        tool: "bash",
        input: { command: `make ${name}${index} part${index}` },
        output: "",
        failed: false,
        exitCode: 0,
      });
    await memory.idle();
    return calls;
  };
  expect(await runOnce("one-shot", "first")).toBe(0);
  expect(await runOnce("interactive", "second")).toBe(1);
  await using memory = memoryOf(space);
  const answer = await memory.session({ id: "q" }).search("built by make");
  expect(answer.memories[0]?.record).toMatchObject({
    kind: "discovery",
    provenance: { author: { role: "agent" }, typed: false },
  });
});

test("a reader finds what is there, makes nothing, and changes nothing", async () => {
  await using space = await workspace();
  await using absent = memoryOf(space, { access: "read" });
  expect(await absent.store("read")).toBeUndefined();
  expect(existsSync(storePath(space))).toBe(false);
  await learned(space, "We use pnpm for installing packages.");
  await using reader = memoryOf(space, { access: "read" });
  say(reader, "s9", "m9", "We use yarn.");
  expect(await recall(reader, "s9", "what do we use for installing packages?")).toContain("pnpm");
  await reader.idle();
  expect(await (await reader.store("read"))?.memories.list({ sessionId: "s9" }, 9)).toEqual([]);
  await expect(reader.store("write")).rejects.toThrow("opened for reading");
});

test("what is forgotten is not shown again, not even in the same turn [R10]", async () => {
  await using space = await workspace();
  await learned(space, "The release code word is zanzibarquokka.");
  await using memory = memoryOf(space);
  const prompt = "what is the release code word?";
  expect(await recall(memory, "s2", prompt)).toContain("zanzibarquokka");
  const manager = await memory.manager();
  const { token } = await manager.previewForget({ sessionId: "s1" });
  await manager.forget(token, { name: "Ada", interactive: true });
  expect(await recall(memory, "s2", prompt)).not.toContain("zanzibarquokka");
});

test("what is forgotten while its session runs does not come back with the session's summary [R10]", async () => {
  await using space = await workspace();
  await using memory = memoryOf(space);
  const session = memory.session({ id: "s1" });
  say(memory, "s1", "m1", "The release code word is zanzibarquokka.");
  session.answer({ messageId: "a1", text: "I know the word zanzibarquokka now." });
  await memory.idle();
  const manager = await memory.manager();
  const { token } = await manager.previewForget({ sessionId: "s1" });
  await manager.forget(token, { name: "Ada", interactive: true });
  say(memory, "s1", "m2", "And now to the parser of dates.");
  session.answer({ messageId: "a2", text: "It is mended." });
  await session.end();
  await memory.idle();
  const store = await memory.store("read");
  const { items } = await store!.memories.scanSummaries(0, 9);
  expect(items.map(({ request }) => request)).toEqual(["And now to the parser of dates."]);
});

test("settings have their effect: off, budgets, excluded tools [A-MEM-10]", async () => {
  await using space = await workspace();
  await learned(space, "I prefer answers in the form of short lists.");
  {
    await using off = memoryOf(space, { settings: { enabled: false, capture: { enabled: true } } });
    expect(await off.ready()).toBe("off");
    say(off, "s", "m", "Always use tabs.");
    expect((await off.session({ id: "s" }).sessionStart()).text).toBe("");
    await off.idle();
    expect(off.capture().stored).toBe(0);
  }
  await using small = memoryOf(space, { settings: { budgets: { startTokens: 10, promptTokens: 0 } } });
  expect((await small.session({ id: "s" }).sessionStart()).text).toBe("");
  await using picky = memoryOf(space, {
    settings: { capture: { enabled: true, excludedTools: ["bash"] } },
  });
  const call = { input: { command: "make" }, output: "", failed: false };
  picky.session({ id: "t" }).tool({ ...call, callId: "1", tool: "bash" });
  await picky.idle();
  expect(picky.capture().excluded).toEqual({ tool: 1 });
});
