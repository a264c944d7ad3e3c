import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canary, workspace } from "@pi-ts/testkit";
import { StoreError } from "../../core/errors.ts";
import type { StatefulStore } from "../../core/ports/engine-state.ts";
import { packVector } from "../../core/vectors/packed-vector.ts";
import { describeChanges } from "../conformance/changes-conformance.ts";
import { describeEngineState } from "../conformance/engine-state-conformance.ts";
import { addAll, fact, idOf, NOW, PROJECT, SPACE, search, summaryOf } from "../conformance/memories.ts";
import { describeMemoryStore } from "../conformance/memory-store-conformance.ts";
import { describeScopes } from "../conformance/scopes-conformance.ts";
import { openMarkdownStore } from "./open-store.ts";

const clock = { now: () => NOW };
const open = (folder: string): Promise<StatefulStore> => openMarkdownStore({ folder, clock, scope: PROJECT });
const notes = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith(".md"));

const shared = await workspace();
let folders = 0;
const fresh = (): Promise<StatefulStore> => open(join(shared.home, `notes${folders++}`));
afterAll(() => shared[Symbol.asyncDispose]());

describeMemoryStore("Markdown", fresh);
describeChanges("Markdown", fresh);
describeScopes("Markdown", fresh);
describeEngineState("Markdown", fresh);

test("a memory is a note that people can read, and is read again as it was", async () => {
  await using space = await workspace();
  const first = await open(space.home);
  const texts = [
    "plain",
    "ends with a line\n",
    "---\nlooks: like\n---\nfront matter",
    "windows\r\nlines\r",
    "  # not a heading",
    "\n\n",
  ];
  await addAll(
    first,
    fact("Use pnpm.\n\n- fast\n- strict", {
      title: "Packages: 'pnpm' #1",
      subject: "yes",
      files: ["a b.ts", "ö: x.ts"],
    }),
    ...texts.map((text) => fact(text, { kind: "prompt" })),
  );
  const records = (await first.scan(0, 99)).items;
  await first.close();
  const note = notes(space.home).find((name) => name.includes("packages-pnpm"));
  expect(readFileSync(join(space.home, note!), "utf8")).toContain("---\nUse pnpm.\n\n- fast\n- strict\n");
  const second = await open(space.home);
  expect((await second.scan(0, 99)).items).toEqual(records);
  expect(await second.check()).toEqual([]);
  await second.close();
});

test("marks, supersession, erased texts and summaries survive closing and opening again", async () => {
  await using space = await workspace();
  const first = await open(space.home);
  const [old, gone, pinned] = await addAll(
    first,
    fact("port 1", { subject: "port" }),
    fact("gone"),
    fact("pin me"),
  );
  await addAll(first, fact("port 2", { subject: "port", at: NOW + 1 }));
  await first.mark([idOf(pinned)], { pinned: true });
  await first.forget({ ids: [idOf(gone)] }, NOW);
  await first.addSummary(summaryOf("s7", { request: "why" }));
  await first.close();
  const second = await open(space.home);
  expect((await second.get([idOf(old)]))[0]).toMatchObject({ state: "superseded", validTo: NOW + 1 });
  expect((await second.list({ pinned: true }, 5)).map(({ text }) => text)).toEqual(["pin me"]);
  expect(await addAll(second, fact("gone"))).toEqual([{ outcome: "forgotten" }]);
  expect(await second.summaries("p", 5)).toEqual([summaryOf("s7", { request: "why" })]);
  await second.close();
});

test("a note that somebody wrote is read with its heading or name as title, and stays byte for byte", async () => {
  await using space = await workspace();
  const written = {
    "with-heading.md": "# Release steps #\n\nTag, then publish the zebra.\n",
    "sub/plain.md": "\uFEFFthe giraffe is tall\r\n",
    "obsidian.md":
      "---\ntags: [a, b]   # mine\naliases:\n  - 'x'\ndate: 2025-03-04\n---\nobsidian elephant\n",
  };
  mkdirSync(join(space.home, "sub"));
  for (const [path, content] of Object.entries(written)) writeFileSync(join(space.home, path), content);
  const store = await open(space.home);
  const found = await store.list({ scope: PROJECT }, 9);
  expect(found.map(({ title, text }) => [title, text]).sort()).toEqual([
    ["Release steps", "# Release steps #\n\nTag, then publish the zebra."],
    ["obsidian", "obsidian elephant"],
    ["plain", "the giraffe is tall"],
  ]);
  expect(found.every(({ provenance }) => !provenance.typed && provenance.author.role === "import")).toBe(
    true,
  );
  expect(found.find(({ title }) => title === "obsidian")?.at).toBe(Date.UTC(2025, 2, 4));
  expect(await search(store, "zebra")).toHaveLength(1);
  await addAll(store, fact("mine"));
  for (const [path, content] of Object.entries(written))
    expect(readFileSync(join(space.home, path), "utf8")).toBe(content);
  // A pin is written into the note; all that was there stays around it.
  await store.mark([found.find(({ title }) => title === "obsidian")!.id], { pinned: true });
  const pinned = readFileSync(join(space.home, "obsidian.md"), "utf8");
  expect(pinned).toContain("tags: [a, b]   # mine\naliases:\n  - 'x'\ndate: 2025-03-04\n");
  expect(pinned).toEndWith("---\nobsidian elephant\n");
  await store.close();
  const again = await open(space.home);
  expect((await again.list({ pinned: true }, 5)).map(({ title, text }) => [title, text])).toEqual([
    ["obsidian", "obsidian elephant"],
  ]);
  await again.close();
});

test("what people change, add, rename and delete is seen at the next call", async () => {
  await using space = await workspace();
  const store = await open(space.home);
  const packed = packVector(Float32Array.of(1, 0))!;
  const [one, two] = await store.add([
    { memory: fact("the zebra runs"), vector: { fingerprint: SPACE, packed } },
    { memory: fact("the lion sleeps"), vector: { fingerprint: SPACE, packed } },
  ]);
  const erasures = (await store.vectors(SPACE, 0)).erasures;
  const file = (id: string): string => join(space.home, notes(space.home).find((name) => name.includes(id))!);
  const path = file(idOf(one));
  writeFileSync(path, readFileSync(path, "utf8").replace("zebra", "walrus"));
  expect(await search(store, "walru")).toEqual(["the walrus runs"]);
  expect(await search(store, "zebra")).toEqual([]);
  // Vectors of what stayed are kept, and readers are told that rows are others.
  const after = await store.vectors(SPACE, 0);
  expect(after.erasures).toBeGreaterThan(erasures);
  expect(after.vectors).toHaveLength(1);
  writeFileSync(join(space.home, "new.md"), "a new penguin");
  expect(await search(store, "penguin")).toEqual(["a new penguin"]);
  rmSync(file(idOf(two)));
  expect(await search(store, "lion")).toEqual([]);
  expect((await store.status()).memories).toBe(2);
  // Deleting a file is no wish to never hear of it again.
  expect(await addAll(store, fact("the lion sleeps"))).toMatchObject([{ outcome: "added" }]);
  await store.close();
});

test("a file that was only touched is not taken for another one", async () => {
  await using space = await workspace();
  const store = await open(space.home);
  await addAll(store, fact("the zebra runs"));
  const before = (await store.vectors(SPACE, 0)).erasures;
  for (const name of notes(space.home)) utimesSync(join(space.home, name), 1, 1);
  expect(await search(store, "zebra")).toHaveLength(1);
  expect((await store.vectors(SPACE, 0)).erasures).toBe(before);
  await store.close();
});

test("a broken note is named and skipped, never lost, and comes back when it is mended", async () => {
  await using space = await workspace();
  const store = await open(space.home);
  const [one, two] = await addAll(store, fact("the zebra runs"), fact("the lion sleeps"));
  const file = (id: string): string => notes(space.home).find((name) => name.includes(id))!;
  const path = join(space.home, file(idOf(one)));
  const good = readFileSync(path, "utf8");
  const bad = good.replace("kind: fact", "kind: [fact");
  writeFileSync(path, bad);
  writeFileSync(join(space.home, "bytes.md"), Uint8Array.of(0x66, 0xff, 0xfe, 0x80));
  writeFileSync(join(space.home, "twin.md"), readFileSync(join(space.home, file(idOf(two)))));
  expect((await store.list({ scope: PROJECT }, 9)).map(({ text }) => text)).toEqual(["the lion sleeps"]);
  const problems = await store.check();
  expect(problems).toHaveLength(3);
  expect(problems.find((problem) => problem.includes(file(idOf(one))))).toMatch(/no YAML in line \d+/);
  expect(problems.find((problem) => problem.includes("bytes.md"))).toContain("no UTF-8");
  expect(problems.find((problem) => problem.includes("twin.md"))).toContain("remove its field");
  expect(readFileSync(path, "utf8")).toBe(bad);
  writeFileSync(path, good);
  expect(await search(store, "zebra")).toEqual(["the zebra runs"]);
  await store.close();
});

test("what is forgotten is in no file of the folder [R10]", async () => {
  await using space = await workspace();
  const word = canary("xylophonequartz");
  const store = await open(space.home);
  const [result] = await addAll(store, fact(`the plan is ${word.word}`, { title: `about ${word.word}` }));
  expect(() => word.absentFrom(space.home)).toThrow();
  await store.forget({ ids: [idOf(result)] }, NOW);
  word.absentFrom(space.home);
  expect(notes(space.home)).toEqual([]);
  await store.close();
});

test("an erased text that comes back as a file is named, not remembered [R10]", async () => {
  await using space = await workspace();
  const store = await open(space.home);
  const [result] = await addAll(store, fact("gone for good"));
  const name = notes(space.home)[0]!;
  const content = readFileSync(join(space.home, name));
  await store.forget({ ids: [idOf(result)] }, NOW);
  writeFileSync(join(space.home, name), content);
  expect(await search(store, "gone")).toEqual([]);
  expect((await store.check()).join()).toContain("was erased");
  expect(existsSync(join(space.home, name))).toBe(true);
  await store.close();
});

test("two programs on one folder see each other's notes", async () => {
  await using space = await workspace();
  const [one, two] = [await open(space.home), await open(space.home)];
  const [result] = await addAll(one, fact("zebra one"));
  expect(await search(two, "zebra")).toEqual(["zebra one"]);
  await two.forget({ ids: [idOf(result)] }, NOW);
  expect(await search(one, "zebra")).toEqual([]);
  expect(await addAll(one, fact("zebra one"))).toEqual([{ outcome: "forgotten" }]);
  await one.close();
  await two.close();
});

test("a folder that is a file is told with what to do, and a write that fails remembers nothing", async () => {
  await using space = await workspace();
  const file = join(space.home, "file");
  writeFileSync(file, "");
  const error: unknown = await open(file).catch((reason: unknown) => reason);
  expect(StoreError.is(error) && error.code).toBe("unavailable");
  const folder = join(space.home, "notes");
  const store = await open(folder);
  await addAll(store, fact("kept"));
  // Where the side records go there is a file: the write fails half way.
  rmSync(join(folder, ".remem"), { recursive: true });
  writeFileSync(join(folder, ".remem"), "");
  const summary = store.addSummary(summaryOf("s9", { request: "lost?" }));
  expect(StoreError.is(await summary.catch((reason: unknown) => reason))).toBe(true);
  expect(await store.summaries("p", 5)).toEqual([]);
  expect(await search(store, "kept")).toEqual(["kept"]);
  await store.close();
});

test("linked projects are one when the folder is opened again, and so is the engine's state", async () => {
  await using space = await workspace();
  const first = await open(space.home);
  await addAll(first, fact("zebra", { scope: { kind: "project", id: "old" } }));
  expect(await first.state.linkProjects("old", "p")).toBe(1);
  await first.state.spend("tokens", 3, 10);
  await first.close();
  const second = await open(space.home);
  expect(await search(second, "zebra")).toEqual(["zebra"]);
  await addAll(second, fact("late zebra", { scope: { kind: "project", id: "old" } }));
  expect(await second.list({ scope: PROJECT }, 9)).toHaveLength(2);
  expect(await second.state.counter("tokens")).toBe(3);
  await second.close();
});
