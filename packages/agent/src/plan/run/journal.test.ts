import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { RunJournal, type RunRecord } from "./journal.ts";
import type { SliceResult } from "./run-ports.ts";

const slice = (number: number, agent: string): SliceResult => ({
  number,
  title: `t${number}`,
  outcome: "done",
  attempts: 1,
  durationMs: 5,
  agent,
});
const RECORDS: readonly RunRecord[] = [
  { type: "begin", run: "run-x-1", base: "abc", at: 7 },
  { type: "worker", slice: 1, agent: "task-1" },
  { type: "taking", slice: 1, title: "t1", agent: "task-1", head: "h1" },
  { type: "slice", result: slice(1, "task-1") },
  { type: "worker", slice: 2, agent: "task-2" },
];

test("a run that was cut off anywhere is found again with what it had done [A-SOP-04]", async () => {
  await using ws = await workspace();
  const file = join(ws.outside, "runs/x.jsonl");
  const journal = new RunJournal(file);
  expect(journal.unfinished()).toBeNull();
  for (const record of RECORDS) journal.append(record);
  const whole = readFileSync(file, "utf8");
  expect(journal.unfinished()).toMatchObject({
    run: "run-x-1",
    base: "abc",
    done: [slice(1, "task-1")],
    taking: null,
    workers: ["task-2"],
  });
  for (let length = whole.length; length >= 0; length--) {
    truncateSync(file, length);
    const left = journal.unfinished();
    const records = whole
      .slice(0, length)
      .split("\n")
      .filter((line) => isWhole(line)).length;
    expect(left === null).toBe(records === 0);
    expect(left?.done ?? []).toHaveLength(records >= 4 ? 1 : 0);
    expect(left?.taking?.head ?? null).toBe(records === 3 ? "h1" : null);
  }
});

function isWhole(line: string): boolean {
  try {
    return typeof JSON.parse(line) === "object";
  } catch {
    return false;
  }
}

test("half a line costs that line only; a merged run is over, a failed one goes on [A-SOP-04]", async () => {
  await using ws = await workspace();
  const file = join(ws.outside, "x.jsonl");
  const journal = new RunJournal(file);
  for (const record of RECORDS) journal.append(record);
  appendFileSync(file, '\n{"type":"sli');
  journal.append({ type: "delivering" });
  expect(journal.unfinished()).toMatchObject({ delivering: true, done: [slice(1, "task-1")] });
  journal.append({ type: "end", outcome: "conflict" });
  expect(journal.unfinished()).toMatchObject({ delivering: false });
  journal.append({ type: "end", outcome: "merged" });
  expect(journal.unfinished()).toBeNull();
});
