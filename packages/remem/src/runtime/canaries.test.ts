import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { canary, type Workspace, workspace } from "@pi-ts/testkit";
import type { InputSource } from "../core/capture/observation.ts";
import type { Memory, MemoryNotice, MemorySession } from "./memory.ts";
import { memoryFolder, memoryOf } from "./test-support/test-memory.ts";

const PERSON = { name: "Ada", interactive: true } as const;
const WORD = "zanzibarquokka";
const HIDDEN = "narwhalpangolin";
/** Joined here, so that no scanner takes this file for a leak. */
const SECRET = ["ghp", "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"].join("_");

type Entrance = (memory: Memory, session: MemorySession, text: string) => Promise<void> | void;

const typed =
  (source: InputSource): Entrance =>
  (_, session, text) =>
    session.typed({ messageId: `typed-${source}`, text, source });
const tool =
  (name: string, more: object): Entrance =>
  (_, session, text) =>
    session.tool({
      callId: `call-${name}-${Object.keys(more).join()}`,
      tool: name,
      input: {},
      output: "",
      failed: false,
      ...Object.fromEntries(Object.entries(more).map(([key, make]) => [key, make(text)])),
    });

/** Every way in. `kept`: an ordinary word that comes in there may be stored, and recalled in its own project. */
const ENTRANCES: readonly (readonly [string, boolean, Entrance])[] = [
  ["a typed prompt", true, typed("interactive")],
  ["a prompt over RPC", false, typed("rpc")],
  ["a prompt of an extension", false, typed("extension")],
  ["a prompt of a hook", false, typed("hook")],
  ["a skill", false, typed("skill")],
  ["an instruction file", false, typed("file")],
  ["a subagent's prompt", false, typed("subagent")],
  ["an answer", true, (_, session, text) => session.answer({ messageId: "a", text })],
  ["a command line", true, tool("bash", { input: (text: string) => ({ command: `echo ${text}` }) })],
  ["the output of a command", false, tool("bash", { output: (text: string) => `all is well: ${text}` })],
  ["a file that was read", false, tool("read", { output: (text: string) => text })],
  ["a file that was written", false, tool("write", { input: (text: string) => ({ content: text }) })],
  ["a search of memory", false, tool("mem-search", { output: (text: string) => text })],
  [
    "a file of secrets",
    false,
    tool("edit", { input: (text: string) => ({ file_path: `/etc/${text}/.env` }) }),
  ],
  [
    "a statement written by hand",
    true,
    async (memory, session, text) => {
      const { writes } = await session.context();
      const scope =
        writes.kind === "project" && writes.id === "@here" ? ({ kind: "global" } as const) : writes;
      await (await memory.manager()).create({ kind: "fact", scope, text }, PERSON);
    },
  ],
];

/** What memory tells, in the place where it was learned. */
async function exits(session: MemorySession, memory: Memory): Promise<{ shown: string; told: string }> {
  const question = `what do you know about ${WORD}?`;
  const shown = [
    (await session.sessionStart()).text,
    (await session.processPrompt(question, { turnId: "1" })).text,
    await session.compactionContext(),
    JSON.stringify(await session.search(question)),
    JSON.stringify(await session.history(question)),
  ].join("\n");
  const told = [
    JSON.stringify(memory.capture()),
    JSON.stringify(session.explainCapture()),
    JSON.stringify((await session.status()).capture),
  ].join("\n");
  return { shown, told };
}

async function putIn(
  space: Workspace,
  entrance: Entrance,
  text: string,
): Promise<{ shown: string; told: string; prompts: string; notices: string }> {
  const notices: MemoryNotice[] = [];
  const prompts: string[] = [];
  const model = {
    complete: async (prompt: string) => {
      prompts.push(prompt);
      return "[]";
    },
  };
  await using memory = memoryOf(space, { model }, notices);
  const session = memory.session({ id: "s1" });
  session.typed({
    messageId: "first",
    text: "We are going to look at some animals now.",
    source: "interactive",
  });
  await memory.idle();
  await entrance(memory, session, text);
  await memory.idle();
  await session.end();
  const { shown, told } = await exits(memory.session({ id: "s2" }), memory);
  return { shown, told, prompts: prompts.join("\n"), notices: JSON.stringify(notices) };
}

test.each(ENTRANCES)(
  "an ordinary word in %s is stored: %p, and then told in its own project only, never in counts or notices [R02] [R03]",
  async (_, kept, entrance) => {
    await using space = await workspace({}, { git: true });
    await using other = await workspace({}, { git: true });
    const word = canary(WORD);
    const { shown, told, notices } = await putIn(
      space,
      entrance,
      `The animal of the day is the ${WORD} of the zoo`,
    );
    expect(shown.includes(`animal of the day is the ${WORD}`)).toBe(kept);
    word.absentFrom({ text: told }, { text: notices });
    if (!kept) {
      const stored = await storedTexts(space);
      word.absentFrom({ text: stored });
    }
    await using elsewhere = memoryOf(other, { home: space.home });
    const foreign = await exits(elsewhere.session({ id: "s3" }), elsewhere);
    expect(foreign.shown).not.toContain(`animal of the day is the ${WORD}`);
  },
);

test.each(ENTRANCES)(
  "a secret in %s is in no file, no answer, no notice and no request of the small model [R09]",
  async (_, __, entrance) => {
    await using space = await workspace({}, { git: true });
    const { shown, told, prompts, notices } = await putIn(
      space,
      entrance,
      `Always use the ${WORD} key ${SECRET} here`,
    );
    canary(SECRET).absentFrom(
      memoryFolder(space),
      ...[shown, told, prompts, notices].map((part) => ({ text: part })),
    );
  },
);

test.each(ENTRANCES)("a private part of %s is kept nowhere [R09]", async (_, __, entrance) => {
  await using space = await workspace({}, { git: true });
  const text = `The animals of the zoo are <private>${HIDDEN} and okapi</private> for now`;
  const { told, prompts, notices } = await putIn(space, entrance, text);
  const word = canary(HIDDEN);
  word.absentFrom(memoryFolder(space), ...[told, prompts, notices].map((part) => ({ text: part })));
});

test("a secret in a prompt that is only asked is in no trace and no file [R09]", async () => {
  await using space = await workspace({}, { git: true });
  {
    await using memory = memoryOf(space);
    const session = memory.session({ id: "s1" });
    session.typed({ messageId: "m", text: "The parser is in parser.ts.", source: "interactive" });
    await memory.idle();
    await session.processPrompt(`where is the parser ${SECRET}?`, { turnId: "1" });
    await session.search(`parser ${SECRET}`);
    expect(JSON.stringify(await session.explain())).not.toContain(SECRET);
  }
  canary(SECRET).absentFrom(memoryFolder(space));
});

test("a memory whose file is gone says so [R11]", async () => {
  await using space = await workspace({ "here.ts": "x" });
  const call = { tool: "edit", output: "ok", failed: false };
  {
    await using memory = memoryOf(space);
    const session = memory.session({ id: "s1" });
    writeFileSync(space.at("gone.ts"), "x");
    session.tool({ ...call, callId: "1", input: { file_path: "gone.ts" } });
    session.tool({ ...call, callId: "2", input: { file_path: "here.ts" } });
    await memory.idle();
  }
  rmSync(space.at("gone.ts"));
  await using memory = memoryOf(space);
  const { memories } = await memory.session({ id: "s2" }).search("changed gone.ts here.ts");
  const found = Object.fromEntries(memories.map(({ record }) => [record.files[0], record]));
  expect(found["here.ts"]).toMatchObject({ freshness: "current", attachment: "" });
  expect(found["gone.ts"]).toMatchObject({ freshness: "stale", attachment: "no longer there: gone.ts" });
});

async function storedTexts(space: Workspace): Promise<string> {
  await using memory = memoryOf(space, { access: "read" });
  const store = await memory.store("read");
  return JSON.stringify((await store!.memories.scan(0, 1_000)).items);
}
