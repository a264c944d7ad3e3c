/** What only a person decides: a shell is nobody's approval. On real terminals. */
import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { canary, workspace } from "@pi-ts/testkit";
import { openMemory } from "../packages/remem/src/runtime/index.ts";
import { ENTRANCES, listed, remem, rememData, rememTerminal, typed } from "./support/remem.ts";

const POSIX = process.platform !== "win32";

describe.skipIf(!POSIX)("a person at a terminal", () => {
  for (const entrance of ENTRANCES)
    test.skipIf(entrance.command === null)(
      `approves, rejects and skips candidates one after the other on ${entrance.name} [C24][B-CORE-05]`,
      async () => {
        await using ws = await workspace({});
        for (const text of ["good idea", "bad idea", "later"]) await remem(ws, ["add", text], { entrance });
        await using program = rememTerminal(ws, ["review"], { entrance });
        await program.waitFor(/good idea[\s\S]*q quit:/);
        program.type("a\n");
        await program.waitFor(/bad idea[\s\S]*q quit:/);
        program.type("r\n");
        await program.waitFor(/later[\s\S]*q quit:/);
        program.type("s\n");
        await program.waitFor("1 approved, 0 changed, 1 rejected");
        expect(await program.exited).toEqual({ code: 0, signal: null });
        expect((await listed(ws)).map(({ text, state }) => [text, state]).sort()).toEqual([
          ["good idea", "active"],
          ["later", "candidate"],
        ]);
        const again = await remem(ws, ["add", "bad idea"], { entrance });
        expect(again.code).toBe(1);
        expect(again.stdout).toContain("erased once");
      },
    );

  test("a correction is checked on a copy, shown with what was found, and applied on a person's word [B-CORE-09]", async () => {
    await using ws = await workspace({});
    const wrong = await typed(ws, "the staging port is 8080");
    await using memory = openMemory({ host: "test", cwd: ws.path, home: ws.home, environment: ws.env() });
    const session = memory.session({ id: "s1" });
    await session.processPrompt("what is the staging port?", { turnId: "1" });
    await session.processPrompt("and who owns it?", { turnId: "2" });
    await (await memory.corrections()).submit({
      context: await session.context(),
      statement: "the staging port is 9090",
      disputed: [wrong],
    });
    await memory.close();
    expect((await remem(ws, ["review"])).stdout).toContain("the staging port is 9090");
    await using program = rememTerminal(ws, ["review"]);
    await program.waitFor(/right is\s+the staging port is 9090[\s\S]*a apply/);
    program.type("a\n");
    await program.waitFor("1 correction settled");
    expect((await program.exited).code).toBe(0);
    expect((await listed(ws)).map(({ text }) => text)).toEqual(["the staging port is 9090"]);
  });

  test("the answer at the keyboard decides over forget: anything but yes erases nothing [R10][C24]", async () => {
    await using ws = await workspace({});
    const id = await typed(ws, "stays");
    for (const [answer, told] of [
      ["y", "Nothing was erased"],
      ["no", "Nothing was erased"],
      ["yes", "Erased 1 memory."],
    ] as const) {
      await using program = rememTerminal(ws, ["forget", id]);
      await program.waitFor("Type yes to go on");
      program.type(`${answer}\n`);
      await program.waitFor(told);
      await program.exited;
    }
    expect(await listed(ws)).toEqual([]);
  });

  test("Ctrl+C at the question ends it with 130, and nothing is erased [R10]", async () => {
    await using ws = await workspace({});
    const id = await typed(ws, "stays");
    await using program = rememTerminal(ws, ["forget", id]);
    await program.waitFor("Type yes to go on");
    program.press("ctrl+c");
    expect((await program.exited).code).toBe(130);
    expect(await listed(ws)).toHaveLength(1);
  });

  test("edit opens the user's editor, and the new wording replaces the old one, which stays linked [B-CORE-08]", async () => {
    await using ws = await workspace({
      "editor.sh": '#!/bin/sh\nsed -i.old "s/npm/pnpm/" "$2"\nrm "$2.old"\n',
    });
    const id = await typed(ws, "we use npm");
    await using program = rememTerminal(ws, ["edit", id], { env: { EDITOR: `sh ${ws.at("editor.sh")} --` } });
    expect((await program.exited).code).toBe(0);
    const [now] = await listed(ws);
    expect(now).toMatchObject({ text: "we use pnpm", typed: true, state: "active" });
    const old = await rememData<{ memories: { superseded_by: string }[] }>(ws, ["show", id]);
    expect(old.memories[0]!.superseded_by).toBe(now!.id);
    expect(readdirSync(ws.temp)).toEqual([]);
  });

  test("an editor that fails changes nothing, and says which one it was", async () => {
    await using ws = await workspace({});
    const id = await typed(ws, "we use npm");
    await using program = rememTerminal(ws, ["edit", id], { env: { VISUAL: "false" } });
    expect((await program.exited).code).toBe(1);
    expect(program.screen().join("\n")).toContain('the editor "false" ended with 1: nothing was changed');
    expect((await listed(ws)).map(({ text }) => text)).toEqual(["we use npm"]);
  });

  test("in a shell that an agent calls its own, a terminal is no person: added words wait, and nothing is decided [C24]", async () => {
    await using ws = await workspace({});
    const id = await typed(ws, "by a person");
    const env = { CLAUDECODE: "1" };
    await using added = rememTerminal(ws, ["add", "by an agent"], { env });
    await added.waitFor("It waits for review");
    for (const argv of [
      ["forget", id],
      ["edit", id, "--text", "x"],
      ["review", "--approve", id],
      ["restore", "x.db", "--confirm"],
    ]) {
      await using program = rememTerminal(ws, argv, { env });
      expect((await program.exited).code).toBe(1);
      expect(program.screen().join(" ")).toContain("and CLAUDECODE says that");
    }
    expect((await listed(ws)).map(({ text, state }) => [text, state]).sort()).toEqual([
      ["by a person", "active"],
      ["by an agent", "candidate"],
    ]);
  });
});

const NEEDS_TERMINAL: readonly (readonly [string, (id: string) => readonly string[]])[] = [
  ["approve", (id) => ["review", "--approve", id]],
  ["reject", (id) => ["review", "--reject", id]],
  ["change", (id) => ["edit", id, "--text", "other words"]],
  ["join", () => ["link", "a", "b"]],
  ["who said what", () => ["import", "out.jsonl", "--as-written"]],
];
test.each(NEEDS_TERMINAL)(
  "without a terminal nobody may %s, whatever is piped in [C24]",
  async (what, argv) => {
    await using ws = await workspace({ "out.jsonl": "" });
    const { id } = await rememData<{ id: string }>(ws, ["add", "a candidate"]);
    const result = await remem(ws, argv(id), { stdin: "yes\nyes\n" });
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("only a person at a terminal may");
    expect(result.stderr).toContain(what);
    expect((await listed(ws)).map(({ text, state }) => [text, state])).toEqual([
      ["a candidate", "candidate"],
    ]);
  },
);

test("what is imported without a terminal waits for review, and has nobody's authority [C24][R03]", async () => {
  await using ws = await workspace({});
  const id = POSIX ? await typed(ws, "typed by hand") : "";
  await remem(ws, ["export", "--output", "out.jsonl"]);
  await using other = await workspace({ "in.jsonl": ws.read("out.jsonl") });
  await remem(other, ["import", "in.jsonl"]);
  expect(await listed(other, "--all")).toMatchObject([
    { id, text: "typed by hand", state: "candidate", typed: false, author: "import" },
  ]);
});

test("a preview that no longer shows what would go, is cut, or made up, erases nothing [R10]", async () => {
  await using ws = await workspace({});
  await remem(ws, ["add", "one"]);
  const { preview } = await rememData<{ preview: { token: string } }>(ws, ["forget", "--all"]);
  await remem(ws, ["add", "two"]);
  for (const token of [preview.token, preview.token.slice(0, -4), "yes"]) {
    const result = await remem(ws, ["forget", "--confirm", token]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain("preview");
  }
  expect(await listed(ws)).toHaveLength(2);
});

test("what is not there is not called erased: the count is 0 and the code 3 [R10]", async () => {
  await using ws = await workspace({});
  await remem(ws, ["add", "one"]);
  const result = await remem(ws, ["forget", "m0nobody", "--json"]);
  expect(result.code).toBe(3);
  expect(JSON.parse(result.stdout)).toMatchObject({ ok: false, error: { code: "nothing_selected" } });
});

test("forget leaves no byte: not in the store, its log, its vectors, its exports' folder or the copies beside it [R10]", async () => {
  await using ws = await workspace({});
  const { word: secret, absentFrom } = canary("canary7f3a9c2e5b");
  const { id } = await rememData<{ id: string }>(ws, ["add", `the canary is ${secret}`]);
  await remem(ws, ["add", "something else that stays"]);
  await remem(ws, ["search", secret]);
  await remem(ws, ["backup"]);
  expect(() => absentFrom(ws.home)).toThrow();
  const { preview } = await rememData<{ preview: { token: string; copies: number } }>(ws, ["forget", id]);
  expect(preview.copies).toBe(1);
  const done = await remem(ws, ["forget", "--confirm", preview.token]);
  expect(done.stdout).toContain("The 1 copy beside the store does not hold them any more either.");
  absentFrom(ws.home);
  const copy = readdirSync(join(ws.home, ".pi-go", "memory")).find((name) => name.includes(".bak-"))!;
  await remem(ws, ["restore", join(ws.home, ".pi-go", "memory", copy), "--confirm"]);
  expect((await listed(ws)).map(({ text }) => text)).toEqual(["something else that stays"]);
  expect((await remem(ws, ["add", `the canary is ${secret}`])).code).toBe(1);
});

test("a damaged copy beside the store is named when something is erased, since it may still hold it [R10]", async () => {
  await using ws = await workspace({});
  const { id } = await rememData<{ id: string }>(ws, ["add", "gone"]);
  const damaged = join(ws.home, ".pi-go", "memory", "claude-mem.db.bak-2026-01-01T00-00-00-000Z");
  ws.write(damaged, "this is no database");
  const { preview } = await rememData<{ preview: { token: string } }>(ws, ["forget", id]);
  const done = await remem(ws, ["forget", "--confirm", preview.token]);
  expect(done.code).toBe(0);
  expect(done.stderr).toContain(`${damaged} cannot be opened: what was erased may still be in it`);
});
