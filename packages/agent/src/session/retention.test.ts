import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { applyRetention, type RetentionLimits } from "./retention.ts";
import { storeOf, user } from "./test-support/sessions.ts";

const DAY = 86_400;
const NEW = { mode: "print", model: "m", provider: "p" };
const BIG = 100_000;

/** Sessions of the days 0, 10, 20 and 30 of the year, 100 KB each; today is day 31. */
function world(ws: Workspace) {
  const root = ws.at("sessions");
  const ids = [0, 10, 20, 30].map((day) => {
    const session = storeOf(root, day * DAY).store.create({ cwd: ws.path, ...NEW });
    session.append(user("hello"));
    session.close();
    writeFileSync(join(session.folder!, "extra"), "x".repeat(BIG));
    return session.id;
  });
  const { store } = storeOf(root);
  const apply = (limits: RetentionLimits, keep: string[] = [], signal = new AbortController().signal) =>
    applyRetention({
      root,
      sessions: store.list(),
      limits,
      keep: new Set(keep),
      now: Date.UTC(2026, 0, 1) + 31 * DAY * 1_000,
      signal,
    });
  return { ids, store, apply, left: () => readdirSync(root).sort() };
}

test("sessions that were not used for the days of the setting are deleted, and no other [C13]", async () => {
  await using ws = await workspace({});
  const { ids, apply, left } = world(ws);
  const report = await apply({ days: 15, maxBytes: 0 });
  expect({ old: report.old, oversize: report.oversize }).toEqual({ old: 2, oversize: 0 });
  expect(report.bytes).toBeGreaterThan(2 * BIG);
  expect(left()).toEqual(ids.slice(2).sort());
});

test("above the size of the setting those that were used longest ago go until all fit [C13]", async () => {
  await using ws = await workspace({});
  const { ids, apply, left } = world(ws);
  expect((await apply({ days: 0, maxBytes: 2.5 * BIG })).oversize).toBe(2);
  expect(left()).toEqual(ids.slice(2).sort());
});

test("the session of this run and one that is in use stay, whatever the limits say [C03][C13]", async () => {
  await using ws = await workspace({});
  const { ids, store, apply, left } = world(ws);
  const open = store.open(ids[1]!);
  const report = await apply({ days: 1, maxBytes: 1 }, [ids[0]!]);
  expect(report.old + report.oversize).toBe(2);
  expect(left()).toEqual([ids[0]!, ids[1]!].sort());
  open.close();
});

test("without limits nothing is deleted, and at an interrupt nothing more", async () => {
  await using ws = await workspace({});
  const { apply, left } = world(ws);
  await apply({ days: 0, maxBytes: 0 });
  await apply({ days: 1, maxBytes: 1 }, [], AbortSignal.abort());
  expect(left()).toHaveLength(4);
});

test("a session of pi-go is never deleted unasked", async () => {
  await using ws = await workspace({
    "sessions/go1/meta.json": JSON.stringify({
      id: "go1",
      appName: "pi-go",
      updatedAt: "2020-01-01T00:00:00Z",
    }),
    "sessions/go1/events.jsonl": "{}\n",
  });
  const { apply, left } = world(ws);
  await apply({ days: 1, maxBytes: 1 });
  expect(left()).toEqual(["go1"]);
});
