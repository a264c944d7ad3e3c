import { expect, test } from "bun:test";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { startProcess, testNode, type Workspace, workspace } from "@pi-ts/testkit";
import type { CapturedEntry } from "../../core/capture/captured-entry.ts";
import { ManualTime } from "../../core/test-support/manual-time.ts";
import type { Memory } from "../memory.ts";
import { memoryFolder, memoryOf, storePath } from "../test-support/test-memory.ts";
import { type AdoptOptions, adoptOutboxes } from "./adopt-outboxes.ts";
import { Outbox } from "./outbox.ts";
import { outboxName } from "./outbox-file.ts";
import { ownProcess } from "./owner.ts";

const IDENTITY = { aliases: [{ kind: "path", value: "/p" }], evidence: {}, root: "/p" } as const;
const BUN = [process.execPath, "--no-env-file", "run"];
const HANGING = join(import.meta.dir, "../__fixtures__/capture-and-hang.ts");
const CLOSING = join(import.meta.dir, "../__fixtures__/capture-and-close.ts");

const entry = (
  id: string,
  weight: CapturedEntry["weight"] = "typed",
  text = `text of ${id}`,
): CapturedEntry => ({
  id,
  weight,
  memory: {
    kind: "prompt",
    scope: { kind: "project", id: "@here" },
    text,
    provenance: { host: "t", sessionId: "s", messageId: id, author: { role: "user" }, typed: true },
  },
});

function outboxIn(space: Workspace, token = "a"): Outbox {
  const folder = join(space.home, "outbox");
  return new Outbox({ folder, identity: IDENTITY, scheduler: new ManualTime(), token });
}

function adoption(space: Workspace, into: string[], more: Partial<AdoptOptions> = {}): AdoptOptions {
  let count = 0;
  return {
    folder: join(space.home, "outbox"),
    newToken: () => `n${++count}`,
    now: Date.now(),
    store: async (entries) => {
      into.push(...entries.map(({ id }) => id));
    },
    summarize: async ({ request }) => {
      into.push(request);
    },
    signal: new AbortController().signal,
    ...more,
  };
}

const texts = async (memory: Memory, word: string): Promise<string[]> => {
  const answer = await memory.session({ id: "reader" }).history(word, { limit: 50 });
  return answer.memories.map(({ record }) => record.text).sort();
};

test("is readable by its owner only, and leaves nothing when everything was stored [R06]", async () => {
  await using space = await workspace();
  const outbox = outboxIn(space);
  const entries = [entry("1"), entry("2")];
  expect(outbox.keep(entries)).toBe(0);
  const [file] = readdirSync(join(space.home, "outbox"));
  expect(statSync(join(space.home, "outbox", file!)).mode & 0o777).toBe(0o600);
  expect(statSync(join(space.home, "outbox")).mode & 0o777).toBe(0o700);
  outbox.done(entries);
  expect(outbox.close()).toBe(0);
  expect(readdirSync(join(space.home, "outbox"))).toEqual([]);
});

test("what was not stored is taken up once, without what was, and in its order [R06]", async () => {
  await using space = await workspace();
  const outbox = outboxIn(space);
  outbox.keep([entry("1"), entry("2"), entry("3")]);
  outbox.done([entry("2")]);
  expect(outbox.close()).toBe(2);
  const taken: string[] = [];
  const results = await Promise.all([
    adoptOutboxes(adoption(space, taken)),
    adoptOutboxes(adoption(space, taken, { newToken: () => "other" })),
  ]);
  expect(taken).toEqual(["1", "3"]);
  expect(results.reduce((sum, { files }) => sum + files, 0)).toBe(1);
  expect(readdirSync(join(space.home, "outbox"))).toEqual([]);
});

test("what people said and the last things that agents did are taken up first, of all files, and the rest behind [R06]", async () => {
  await using space = await workspace();
  for (const token of ["a", "b"]) {
    const outbox = outboxIn(space, token);
    const deeds = Array.from({ length: 10 }, (_, index) => entry(`${token} tool ${index}`, "tool"));
    outbox.keep([entry(`${token} typed`, "typed"), ...deeds]);
    outbox.close();
  }
  const taken: string[] = [];
  await adoptOutboxes(adoption(space, taken, { onFirst: () => taken.push("told") }));
  const first = taken.slice(0, taken.indexOf("told"));
  expect(first.filter((id) => id.endsWith("typed")).sort()).toEqual(["a typed", "b typed"]);
  const deeds = first.filter((id) => id.includes("tool"));
  expect(deeds).toHaveLength(8);
  expect(deeds.at(-1)).toEndWith("tool 9");
  expect(new Set(taken).size).toBe(taken.length);
  expect(taken).toHaveLength(23);
});

test("a process that ends in the middle of what agents did leaves that to the next one [R06]", async () => {
  await using space = await workspace();
  const outbox = outboxIn(space);
  outbox.keep([
    entry("typed", "typed"),
    ...Array.from({ length: 20 }, (_, index) => entry(`t${index}`, "tool")),
  ]);
  outbox.close();
  const stop = new AbortController();
  const taken: string[] = [];
  const pieces: string[][] = [];
  await adoptOutboxes(
    adoption(space, taken, {
      signal: stop.signal,
      store: async (entries) => {
        pieces.push(entries.map(({ id }) => id));
        if (pieces.length === 2) stop.abort();
      },
    }),
  ).catch(() => undefined);
  expect(pieces.flat().length).toBeLessThan(21);
  await adoptOutboxes(adoption(space, taken));
  expect(taken.length).toBe(21);
});

test("the file of a living process is left alone, that of a number used again is not [R06]", async () => {
  await using space = await workspace();
  const outbox = outboxIn(space);
  outbox.keep([entry("1")]);
  const taken: string[] = [];
  await adoptOutboxes(adoption(space, taken));
  expect(taken).toEqual([]);
  const folder = join(space.home, "outbox");
  const [name] = readdirSync(folder);
  const reused = outboxName({ ...ownProcess(), started: "1" }, "z", false);
  renameSync(join(folder, name!), join(folder, reused));
  await adoptOutboxes(adoption(space, taken));
  expect(taken).toEqual(process.platform === "linux" ? ["1"] : []);
});

test("a store that cannot take it now leaves the file to the next one [R01]", async () => {
  await using space = await workspace();
  const outbox = outboxIn(space);
  outbox.keep([entry("1")]);
  outbox.close();
  const refuse = (): Promise<void> => Promise.reject(new Error("busy"));
  await expect(adoptOutboxes(adoption(space, [], { store: refuse }))).rejects.toThrow("busy");
  const taken: string[] = [];
  await adoptOutboxes(adoption(space, taken));
  expect(taken).toEqual(["1"]);
});

test("a file cut at any byte gives what was whole, and never throws [R06]", async () => {
  await using space = await workspace();
  const outbox = outboxIn(space);
  outbox.keep([entry("1"), entry("2")]);
  outbox.close();
  const folder = join(space.home, "outbox");
  const [name] = readdirSync(folder);
  const whole = readFileSync(join(folder, name!));
  for (let bytes = 0; bytes <= whole.length; bytes += 7) {
    for (const left of readdirSync(folder))
      renameSync(join(folder, left), join(space.temp, `${bytes}${left}`));
    writeFileSync(join(folder, name!), whole.subarray(0, bytes));
    const taken: string[] = [];
    await adoptOutboxes(adoption(space, taken));
    expect(taken).toEqual(["1", "2"].slice(0, taken.length));
  }
});

test("grows no further than its bound, except by what a person typed [R06]", async () => {
  await using space = await workspace();
  const outbox = outboxIn(space);
  const large = "x".repeat(1_000_000);
  for (let index = 0; index < 5; index++) outbox.keep([entry(`t${index}`, "tool", large)]);
  expect(outbox.keep([entry("more", "tool")])).toBe(1);
  expect(outbox.keep([entry("typed")])).toBe(0);
  outbox.close();
});

test("a folder that cannot be written costs the outbox, nothing else", async () => {
  await using space = await workspace({ file: "x" });
  const outbox = new Outbox({
    folder: space.at("file/below"),
    identity: IDENTITY,
    scheduler: new ManualTime(),
    token: "a",
  });
  expect(outbox.keep([entry("1")])).toBe(1);
  expect(outbox.close()).toBe(0);
});

test("what a killed process had captured and could not store is stored by the next one, each once [R06] [R01]", async () => {
  await using space = await workspace({}, { git: true });
  // A folder in the store's place: it can be opened by nobody.
  mkdirSync(storePath(space), { recursive: true });
  await using victim = startProcess([...BUN, HANGING, space.path, space.home, storePath(space), "50"], {
    env: space.env(),
  });
  await victim.waitForOutput(/pending 50/u);
  victim.kill("SIGKILL");
  await victim.exited;
  rmdirSync(storePath(space));
  for (let round = 0; round < 2; round++) {
    await using memory = memoryOf(space);
    await memory.ready();
    await memory.idle();
    expect(await texts(memory, "whales")).toEqual(
      Array.from({ length: 50 }, (_, index) => `thought number ${index} about whales`).sort(),
    );
  }
  expect(readdirSync(join(memoryFolder(space), "outbox"))).toEqual([]);
});

test("two processes at once, under Bun and Node, store everything of both [R01]", async () => {
  await using space = await workspace({}, { git: true });
  const start = (runtime: readonly string[], name: string) =>
    startProcess([...runtime, CLOSING, space.path, space.home, name, "40"], { env: space.env() });
  const node = testNode();
  await using one = start(BUN, "ada");
  await using two = start(node === null ? BUN : [node, "--no-warnings"], "bob");
  expect([(await one.exited).code, (await two.exited).code]).toEqual([0, 0]);
  await using memory = memoryOf(space);
  await memory.ready();
  await memory.idle();
  for (const name of ["ada", "bob"])
    expect((await (await memory.store("read"))!.memories.list({ sessionId: name }, 100)).length).toBe(40);
});
