import { expect, test } from "bun:test";
import type { AddResult } from "../ports/memory-store.ts";
import { ManualTime } from "../test-support/manual-time.ts";
import { fact, PROJECT, TEST_SCREEN, type TestProvider, testProvider } from "../test-support/test-parts.ts";
import { ManagerError } from "./manager-error.ts";
import { MemoryManager } from "./memory-manager.ts";

const PERSON = { name: "Ada", interactive: true } as const;
const PROGRAM = { name: "ci", interactive: false } as const;

interface Opened extends AsyncDisposable {
  readonly time: ManualTime;
  readonly main: TestProvider;
  readonly manager: MemoryManager;
  readonly changes: () => number;
}

async function opened(): Promise<Opened> {
  const time = new ManualTime();
  const main = await testProvider(time);
  let changes = 0;
  const manager = new MemoryManager({
    store: main.store,
    entry: async (memory) => (await main.engine.entries([memory]))[0]!,
    screen: TEST_SCREEN,
    clock: time,
    host: "remem",
    sessionId: "by-hand",
    onChange: () => changes++,
  });
  return {
    time,
    main,
    manager,
    changes: () => changes,
    [Symbol.asyncDispose]: () => main[Symbol.asyncDispose](),
  };
}

const idOf = (result: AddResult | undefined): string => {
  if (result === undefined || result.outcome === "forgotten") throw new Error("nothing was added");
  return result.id;
};

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (ManagerError.is(error)) return error.code;
    throw error;
  }
  return "no error";
}

test("what a person writes has a person's authority, what a program writes has not [B-CORE-08]", async () => {
  await using one = await opened();
  const statement = { kind: "fact", scope: PROJECT, text: "The port is 8080.", subject: "port" } as const;
  const byPerson = idOf(await one.manager.create(statement, PERSON));
  one.time.pass(1);
  const byProgram = await one.manager.create({ ...statement, text: "The port is 1." }, PROGRAM);
  expect(byProgram).toMatchObject({ outcome: "added", state: "candidate" });
  const [person, program] = await one.manager.get([byPerson, idOf(byProgram)]);
  expect(person).toMatchObject({
    state: "active",
    provenance: { typed: true, author: { role: "user", name: "Ada" } },
  });
  expect(program?.provenance).toMatchObject({ typed: false, author: { role: "agent" } });
  expect(one.changes()).toBe(2);
});

test("a new wording leaves the old one as superseded and linked [B-CORE-08] [R11]", async () => {
  await using one = await opened();
  const first = idOf(
    await one.manager.create({ kind: "decision", scope: PROJECT, text: "We use npm." }, PERSON),
  );
  one.time.pass(1);
  const second = idOf(await one.manager.update(first, { text: "We use pnpm." }, PERSON));
  const [old, now] = await one.manager.get([first, second]);
  expect(old).toMatchObject({ state: "superseded", supersededBy: second });
  expect(now).toMatchObject({ state: "active", kind: "decision", text: "We use pnpm." });
  one.time.pass(1);
  const third = idOf(
    await one.manager.supersede(second, { kind: "fact", scope: PROJECT, text: "We use bun." }, PERSON),
  );
  expect((await one.manager.get([second]))[0]).toMatchObject({ state: "superseded", supersededBy: third });
});

test("only a person changes a person's words, erases, approves, rejects or pins", async () => {
  await using one = await opened();
  const id = idOf(await one.manager.create({ kind: "fact", scope: PROJECT, text: "Typed." }, PERSON));
  const { token } = await one.manager.previewForget({ ids: [id] });
  const refused = [
    one.manager.update(id, { text: "Changed." }, PROGRAM),
    one.manager.supersede(id, { kind: "fact", scope: PROJECT, text: "Other." }, PROGRAM),
    one.manager.forget(token, PROGRAM),
    one.manager.approve([id], PROGRAM),
    one.manager.reject([id], PROGRAM),
    one.manager.pin([id], true, PROGRAM),
  ];
  expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => "person_needed"));
  expect((await one.manager.get([id]))[0]).toMatchObject({ state: "active", pinned: false, text: "Typed." });
});

test("forgetting shows first what would go, then erases exactly that and says how much [R10]", async () => {
  await using one = await opened();
  await one.main.engine.remember([fact("one"), fact("two"), fact("three")]);
  const preview = await one.manager.previewForget({ scope: PROJECT });
  expect(preview).toMatchObject({ memories: 3, sessions: 1 });
  expect(preview.sample.map(({ text }) => text).sort()).toEqual(["one", "three", "two"]);
  expect(await one.manager.list({ scope: PROJECT }, 10)).toHaveLength(3);
  expect(await one.manager.forget(preview.token, PERSON)).toMatchObject({ memories: 3 });
  expect(await one.manager.list({ scope: PROJECT }, 10)).toEqual([]);
  expect(await codeOf(one.manager.previewForget({ scope: PROJECT }))).toBe("nothing_selected");
});

test("a preview that is old, changed, cut or made up is refused, and nothing is erased [R10]", async () => {
  await using one = await opened();
  await one.main.engine.remember([fact("one")]);
  const { token } = await one.manager.previewForget({ scope: PROJECT });
  await one.main.engine.remember([fact("two")]);
  expect(await codeOf(one.manager.forget(token, PERSON))).toBe("preview_changed");
  const fresh = await one.manager.previewForget({ scope: PROJECT });
  one.time.pass(15 * 60_000);
  expect(await codeOf(one.manager.forget(fresh.token, PERSON))).toBe("preview_expired");
  for (const bad of ["", "forget1.", fresh.token.slice(0, -9), "yes"])
    expect(await codeOf(one.manager.forget(bad, PERSON))).toBe("preview_invalid");
  expect(await one.manager.list({ scope: PROJECT }, 10)).toHaveLength(2);
});

test("a preview's token works in another process, too [R10]", async () => {
  await using one = await opened();
  await one.main.engine.remember([fact("one", { files: ["ümlaut.ts"] })]);
  const { token } = await one.manager.previewForget({ scope: PROJECT });
  const other = new MemoryManager({
    store: one.main.store,
    entry: async (memory) => ({ memory }),
    screen: TEST_SCREEN,
    clock: one.time,
    host: "remem",
    sessionId: "other",
  });
  expect(await other.forget(token, PERSON)).toMatchObject({ memories: 1 });
});

test("candidates are approved or rejected, and a rejected one is not learned again [B-CORE-05]", async () => {
  await using one = await opened();
  const added = await one.main.engine.remember([
    fact("good idea", { state: "candidate" }),
    fact("bad idea", { state: "candidate" }),
    fact("settled"),
  ]);
  const [good, bad, settled] = added.map(idOf);
  expect(await one.manager.approve([good!, settled!], PERSON)).toBe(1);
  expect(await one.manager.reject([bad!, settled!], PERSON)).toBe(1);
  expect((await one.manager.get([good!, bad!, settled!])).map(({ state }) => state)).toEqual([
    "active",
    "active",
  ]);
  expect(await one.main.engine.remember([fact("bad idea")])).toEqual([{ outcome: "forgotten" }]);
});

test("takes secrets out of what is written down, and refuses what is nothing else [R09]", async () => {
  await using one = await opened();
  const statement = { kind: "fact", scope: PROJECT, text: "login with hunter2" } as const;
  const id = idOf(await one.manager.create(statement, PERSON));
  expect((await one.manager.get([id]))[0]?.text).toBe("login with [redacted:password]");
  expect(await codeOf(one.manager.create({ ...statement, text: "hunter2" }, PERSON))).toBe("withheld");
  expect(await codeOf(one.manager.update("nobody", { text: "x" }, PERSON))).toBe("unknown_memory");
});
