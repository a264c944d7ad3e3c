/** The long-term memory in the terminal: /memory, and what a person is told. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { canary, modelServer, say, type TerminalProgram, type Workspace, workspace } from "@pi-ts/testkit";
import { fillMemory, stateEarlier } from "../support/memory.ts";
import { stateFolder } from "../support/state.ts";
import { idle, leave, openPi, send, talk, userConfig } from "./support.ts";

const STATED = "Remember: the staging server is called kestrelhost.";
const ASKED = "What is the staging server called?";

/** The short id of the memory whose line on the screen has these words. */
function idOf(program: TerminalProgram, words: string): string {
  const line = program.screen().find((row) => row.includes(words) && /\b[0-9a-f]{8}\b/.test(row));
  return /\b[0-9a-f]{8}\b/.exec(line ?? "")?.[0] ?? "";
}

async function listed(program: TerminalProgram, words: string): Promise<string> {
  send(program, "/memory recent");
  await program.waitFor(() => idOf(program, words) !== "");
  return idOf(program, words);
}

function statements(ws: Workspace) {
  return fillMemory(ws, async (memory, session) => {
    const { scopes } = await session.context();
    const store = await memory.store("read");
    if (store === undefined) return [];
    const states = ["active", "candidate", "superseded"] as const;
    const lists = await Promise.all(scopes.map((scope) => store.memories.list({ scope, states }, 200)));
    return lists.flat();
  });
}

test("with the first prompt a person is told once that memory is on, where it is and how to switch it off [A-TUI-02][A-MEM-10]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(() => [say(`answer ${server.requests.length}`)]);
  {
    await using program = await openPi(ws, server);
    send(program, "/memory");
    await program.waitFor("on, nothing is stored yet");
    await talk(program, "hello", "answer 1");
    await program.waitFor(/pi remembers[\s\S]*claude-mem\.db[\s\S]*\/memory off/);
    await leave(program);
  }
  await using again = await openPi(ws, server);
  await talk(again, "hello", "answer 2");
  expect(again.screen().join("\n")).not.toContain("pi remembers");
});

test("what was typed is kept, what a skill says is not, and the next conversation recalls it and says so [A-MEM-05][R03]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(
    join(stateFolder(ws), "skills/rules/SKILL.md"),
    "---\nname: rules\ndescription: rules of the house\n---\n\nRemember: we always use hoatzin for tests.\n",
  );
  server.otherwise(() => [say(`answer ${server.requests.length}`)]);
  {
    await using first = await openPi(ws, server);
    await talk(first, STATED, "answer 1");
    await talk(first, "/rules now", "answer 2");
    await leave(first);
  }
  await using program = await openPi(ws, server);
  send(program, ASKED);
  await program.waitFor("of memory recalled, about");
  await program.waitFor("answer 3");
  await idle(program);
  expect(server.request(3).text).toContain("kestrelhost");
  send(program, "/memory explain");
  await program.waitFor(/decision[\s\S]*memories were put before the model[\s\S]*shown/);
  send(program, "/context");
  await program.waitFor(/\nmemory +\d+ /);
  program.press("escape");
  await leave(program);
  expect((await statements(ws)).map(({ text }) => text).join()).not.toContain("hoatzin");
});

test("/memory search, show, edit and pin find a memory, put another wording in its place, and keep it in front [A-TUI-02][A-MEM-06]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await stateEarlier(ws, [STATED]);
  await using program = await openPi(ws, server);
  send(program, "/memory search staging server");
  await program.waitFor(() => idOf(program, "the staging server is called") !== "");
  const id = idOf(program, "fact");
  send(program, `/memory show ${id}`);
  await program.waitFor(/holds +this project[\s\S]*kestrelhost/);
  send(program, `/memory edit ${id} the staging server is called marabouhost`);
  await program.waitFor("holds from now on");
  const now = await listed(program, "marabouhost");
  send(program, `/memory pin ${now}`);
  await program.waitFor("stands before the model");
  await leave(program);
  const records = await statements(ws);
  expect(records.find(({ id: whole }) => whole.startsWith(id))?.state).toBe("superseded");
  expect(records.find(({ id: whole }) => whole.startsWith(now))).toMatchObject({
    pinned: true,
    provenance: { typed: true },
  });
});

test("/memory forget shows what would go and asks; then no byte of it is left, and it is recalled no more [R10][A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await stateEarlier(ws, [STATED]);
  server.otherwise(() => [say("no idea")]);
  await using program = await openPi(ws, server);
  send(program, "/memory forget project");
  await program.waitFor(/Erase \d+ memories of 1 session for good\?[\s\S]*kestrelhost/);
  program.press("escape");
  await program.waitFor("Nothing was erased.");
  send(program, "/memory forget project");
  await program.waitFor(/Erase \d+ memories/);
  program.press("enter");
  await program.waitFor(/\d+ memories.* erased/);
  await leave(program);
  canary("kestrelhost").absentFrom(join(stateFolder(ws), "memory"));
});

test("/memory review has a person keep, change and reject what waits, one after the other [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  ws.write(join(ws.home, ".config/remem/config.json"), JSON.stringify({ capture: { review: true } }));
  server.otherwise(({ userTexts }) => [say(`answer ${userTexts.length}`)]);
  await using program = await openPi(ws, server);
  await talk(program, "Remember: the linter is called toucanlint.", "answer 2");
  await talk(program, "Remember: the deploy key lives in quetzalvault.", "answer 3");
  send(program, "/memory review");
  await program.waitFor("(1 of 2)");
  program.press("enter");
  await program.waitFor("(2 of 2)");
  program.press("down", "down", "enter");
  await program.waitFor("1 kept, 0 changed and kept, 1 rejected.");
  await leave(program);
  const facts = (await statements(ws)).filter(({ kind }) => kind === "fact");
  expect(facts).toHaveLength(1);
  expect(facts[0]?.state).toBe("active");
});

test("/memory off acts at once and is saved; /memory on remembers again [A-MEM-10][A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.otherwise(({ userTexts }) => [say(`answer ${userTexts.length}`)]);
  await using program = await openPi(ws, server);
  send(program, "/memory off");
  await program.waitFor("nothing is remembered and nothing recalled");
  expect(userConfig(ws)).toMatchObject({ memory: { enabled: false } });
  await talk(program, "Remember: the linter is called toucanlint.", "answer 2");
  send(program, "/memory on");
  await program.waitFor("What you state and what is done is remembered");
  await talk(program, STATED, "answer 3");
  await leave(program);
  const texts = (await statements(ws)).map(({ text }) => text).join("\n");
  expect(texts).toContain("kestrelhost");
  expect(texts).not.toContain("toucanlint");
});

test("/memory completes its words and the ids of memories, and says what it does not know [A-TUI-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await stateEarlier(ws, [STATED]);
  await using program = await openPi(ws, server);
  program.type("/memory for");
  await program.waitFor("erase memories for good");
  program.press("escape", "ctrl+c");
  program.type("/memory show ");
  await program.waitFor(/[0-9a-f]{8} .*staging server/);
  program.press("escape", "ctrl+c");
  send(program, "/memory dream");
  await program.waitFor('/memory does not know "dream".');
});
