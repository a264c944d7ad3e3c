import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canary, type Workspace, workspace } from "@pi-ts/testkit";
import type { Memory } from "../memory.ts";
import type { MemoryOptions } from "../memory-options.ts";
import { memoryFolder, memoryOf, storePath } from "../test-support/test-memory.ts";

const outboxOf = (space: Workspace): string => join(memoryFolder(space), "outbox");

/** A run of one prompt: it says something, gets an answer, and ends. */
async function oneShot(space: Workspace, name: string, text: string, answer = "Done."): Promise<void> {
  await using memory = memoryOf(space, { run: "one-shot" });
  const session = memory.session({ id: name });
  session.typed({ messageId: "m", text, source: "interactive" });
  session.answer({ messageId: "m", text: answer });
  await session.end();
}

const recall = async (memory: Memory, prompt: string): Promise<string> =>
  (await memory.session({ id: `asks ${prompt}` }).processPrompt(prompt, { turnId: "1" })).text;

test("a run of one prompt makes no store, and the next process recalls what it said with its first answer [R06] [R14]", async () => {
  await using space = await workspace({}, { git: true });
  await Promise.all([
    oneShot(space, "one", "We deploy releases on Tuesdays."),
    oneShot(space, "two", "Our parser lives in src/grammar."),
  ]);
  expect(existsSync(storePath(space))).toBe(false);
  expect(readdirSync(outboxOf(space)).length).toBe(2);
  await using memory = memoryOf(space, { run: "one-shot" });
  await memory.ready();
  expect(await recall(memory, "when do we deploy releases?")).toContain("on Tuesdays");
  expect(await recall(memory, "where does our parser live?")).toContain("src/grammar");
  expect(readdirSync(outboxOf(space))).toEqual([]);
});

test("its session has a summary afterwards, once, even if it was taken up twice [A-MEM-12] [R06]", async () => {
  await using space = await workspace({}, { git: true });
  await oneShot(space, "one", "make the importer read gzip", "Done.\n\nNext steps:\n- test with large files");
  const [name] = readdirSync(outboxOf(space));
  const content = readFileSync(join(outboxOf(space), name!));
  for (let round = 0; round < 2; round++) {
    writeFileSync(join(outboxOf(space), name!), content);
    await using memory = memoryOf(space);
    // An answer has a deadline; a slow machine may need all of it to open the store.
    await memory.ready();
    const { text } = await memory.session({ id: `next ${round}` }).sessionStart();
    expect(text).toContain("next steps: test with large files");
    const { memories } = (await memory.store("read"))!;
    expect((await memories.scanSummaries(0, 10)).items.length).toBe(1);
    expect((await memories.list({ sessionId: "one" }, 10)).length).toBe(2);
  }
});

test("where the outbox cannot be written, it is stored at once [R06]", async () => {
  await using space = await workspace({}, { git: true });
  mkdirSync(memoryFolder(space), { recursive: true });
  writeFileSync(outboxOf(space), "a file in its place");
  await oneShot(space, "one", "We deploy releases on Tuesdays.");
  await using memory = memoryOf(space);
  await memory.ready();
  expect(await recall(memory, "when do we deploy releases?")).toContain("on Tuesdays");
});

test("a store elsewhere is written at once: nothing of the machine may be left [R06]", async () => {
  await using space = await workspace({}, { git: true });
  const storage = { kind: "markdown", path: join(space.outside, "notes") } as const;
  const options: Partial<MemoryOptions> = { settings: { capture: { enabled: true }, storage } };
  {
    await using memory = memoryOf(space, { ...options, run: "one-shot" });
    memory
      .session({ id: "one" })
      .typed({ messageId: "m", text: "We deploy releases on Tuesdays.", source: "interactive" });
  }
  expect(readdirSync(storage.path).length).toBeGreaterThan(0);
});

test("what a run of one prompt leaves is screened before it is written [R07]", async () => {
  await using space = await workspace({}, { git: true });
  const secret = canary(`ghp_${"Zk81".repeat(9)}`);
  await oneShot(
    space,
    "one",
    `Remember: deploy with token ${secret.word} on Tuesdays.`,
    `I used ${secret.word}.`,
  );
  const files = readdirSync(outboxOf(space)).map((name) => readFileSync(join(outboxOf(space), name), "utf8"));
  expect(files.join("")).toContain("Tuesdays");
  secret.absentFrom(space.home);
});
