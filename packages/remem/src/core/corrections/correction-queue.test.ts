import { expect, test } from "bun:test";
import { openSqliteStore } from "../../store/sqlite/open-store.ts";
import { ManagerError } from "../manager/manager-error.ts";
import { ManualTime } from "../test-support/manual-time.ts";
import {
  CONTEXT,
  FOREIGN,
  fact,
  TEST_SCREEN,
  type TestProvider,
  testProvider,
} from "../test-support/test-parts.ts";
import type { RecallTrace } from "../trace/recall-trace.ts";
import { CorrectionError } from "./correction-error.ts";
import { CorrectionQueue } from "./correction-queue.ts";

const PERSON = { name: "Ada", interactive: true } as const;
const PROGRAM = { name: "agent", interactive: false } as const;
const PROMPT = "which port does the staging api listen on?";

interface Opened extends AsyncDisposable {
  readonly time: ManualTime;
  readonly main: TestProvider;
  readonly queue: CorrectionQueue;
  readonly ids: readonly string[];
}

async function opened(prompt = PROMPT): Promise<Opened> {
  const time = new ManualTime();
  const main = await testProvider(time);
  const added = await main.engine.remember([
    fact("The staging api listens on port 8080."),
    fact("The staging api of another project listens on 1.", { scope: FOREIGN }),
  ]);
  let count = 0;
  const queue = new CorrectionQueue({
    store: main.store,
    state: main.store.state,
    screen: TEST_SCREEN,
    clock: time,
    newId: () => `c${++count}`,
    host: "remem",
    entry: async (memory) => ({ memory }),
    previousTrace: async (sessionId) =>
      sessionId === "now" ? ({ prompt, sessionId } as RecallTrace) : undefined,
    openCopy: () => openSqliteStore({ path: ":memory:", clock: time }),
    promptTokens: 1_024,
  });
  const ids = added.map((one) => (one.outcome === "added" ? one.id : ""));
  return { time, main, queue, ids, [Symbol.asyncDispose]: () => main[Symbol.asyncDispose]() };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (CorrectionError.is(error) || ManagerError.is(error)) return error.code;
    throw error;
  }
  return "no error";
}

const RIGHT = "The staging api listens on port 9090.";

test("a correction is handed in with the prompt of the turn before, checked on a copy, and applied by a person [B-CORE-09]", async () => {
  await using one = await opened();
  const handedIn = await one.queue.submit({ context: CONTEXT, statement: RIGHT, disputed: [one.ids[0]!] });
  expect(handedIn).toMatchObject({ state: "pending", revision: 1, prompt: PROMPT, project: "p" });
  const before = await one.main.store.status();
  const validated = await one.queue.validate(handedIn.id);
  expect(validated).toMatchObject({ state: "validated", findings: [], revision: 2 });
  expect(await one.main.store.status()).toEqual(before);
  one.time.pass(1);
  const applied = await one.queue.approve(handedIn.id, 2, PERSON, "seen it myself");
  expect(applied).toMatchObject({ state: "applied", decided: { by: "Ada", reason: "seen it myself" } });
  const { hits } = await one.main.engine.recall(PROMPT, { scopes: CONTEXT.scopes, budget: 500 });
  expect(hits.map(({ record }) => record.text)).toEqual([RIGHT]);
  expect(hits[0]?.record.provenance).toMatchObject({ typed: true, author: { name: "Ada" } });
  expect((await one.main.store.get([one.ids[0]!]))[0]).toMatchObject({ state: "superseded" });
  expect(await one.queue.open()).toEqual([]);
  expect((await one.queue.decided()).map(({ id }) => id)).toEqual([handedIn.id]);
});

test("one that the prompt would not bring up needs changes and cannot be applied [B-CORE-09]", async () => {
  await using one = await opened();
  const { id } = await one.queue.submit({ context: CONTEXT, statement: "Bananas are yellow." });
  const checked = await one.queue.validate(id);
  expect(checked.state).toBe("needs_changes");
  expect(checked.findings[0]).toContain("does not bring the statement up");
  expect(await codeOf(one.queue.approve(id, checked.revision, PERSON))).toBe("not_validated");
});

test("one that would push an applied correction out needs changes [B-CORE-09]", async () => {
  await using one = await opened();
  const first = await one.queue.submit({ context: CONTEXT, statement: RIGHT, disputed: [one.ids[0]!] });
  await one.queue.validate(first.id);
  await one.queue.approve(first.id, 2, PERSON);
  const [record] = await one.main.store.list({ scope: CONTEXT.writes, states: ["active"] }, 1);
  const second = await one.queue.submit({
    context: CONTEXT,
    statement: "The staging api listens on a port of its own.",
    disputed: [record!.id],
  });
  const checked = await one.queue.validate(second.id);
  expect(checked.state).toBe("needs_changes");
  expect(checked.findings.join()).toContain(`correction ${first.id} would no longer hold`);
});

test("only a person decides, on what that person has seen, and once [B-CORE-09]", async () => {
  await using one = await opened();
  const { id } = await one.queue.submit({ context: CONTEXT, statement: RIGHT });
  await one.queue.validate(id);
  expect(await codeOf(one.queue.approve(id, 2, PROGRAM))).toBe("person_needed");
  expect(await codeOf(one.queue.reject(id, 2, PROGRAM))).toBe("person_needed");
  expect(await codeOf(one.queue.approve(id, 1, PERSON))).toBe("changed_meanwhile");
  expect((await one.queue.reject(id, 2, PERSON)).state).toBe("rejected");
  expect(await codeOf(one.queue.approve(id, 3, PERSON))).toBe("unknown_correction");
});

test("nobody corrects what was not shown: no earlier turn, another project's memory, an empty statement [B-CORE-09]", async () => {
  await using one = await opened();
  const hand = (more: object) => codeOf(one.queue.submit({ context: CONTEXT, statement: RIGHT, ...more }));
  expect(await hand({ disputed: [one.ids[1]!] })).toBe("unknown_memory");
  expect(await hand({ statement: "  " })).toBe("empty");
  expect(await hand({ context: { ...CONTEXT, sessionId: "other" } })).toBe("no_previous_turn");
});

test("a secret in a correction is not kept [R09]", async () => {
  await using one = await opened();
  const { statement } = await one.queue.submit({ context: CONTEXT, statement: "the login is hunter2" });
  expect(statement).toBe("the login is [redacted:password]");
});
