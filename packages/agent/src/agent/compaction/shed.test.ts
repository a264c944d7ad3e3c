import { expect, test } from "bun:test";
import type { JsonObject } from "../../contract/json.ts";
import type { Message } from "../../contract/messages.ts";
import type { ToolKind } from "../../contract/tool.ts";
import { bench, of, tool, user } from "../test-support/bench.ts";
import {
  asksForSummary,
  automatic,
  calling,
  fakeSpill,
  resulting,
  smallModel,
} from "../test-support/long-history.ts";
import { finishedCalls } from "./calls.ts";
import { superseded } from "./shed.ts";

const KINDS: Record<string, ToolKind> = { read: "inspect", write: "edit", edit: "edit", bash: "run" };

interface Did {
  name: string;
  args?: JsonObject;
  details?: JsonObject;
  failed?: true;
}

/** The indexes of the calls whose results are superseded. */
function shedOf(...calls: Did[]): number[] {
  const messages = calls.flatMap(({ name, args = {}, details = {}, failed }, n): Message[] => {
    const result = resulting(`c${n}`, name, `output ${n}`, details);
    if (failed) result.parts[0]!.isError = true;
    return [calling(`c${n}`, name, args), result];
  });
  const reasons = superseded(finishedCalls(messages), (name) => KINDS[name]);
  return [...reasons.keys()].map((result) => Number(result.id.slice(1))).sort((a, b) => a - b);
}

const read = (path: string, from: number, to: number, args: JsonObject = {}): Did => ({
  name: "read",
  args: { file_path: path, offset: from, ...args },
  details: { path, first_line: from, last_line: to },
});

test("what a tool gave is superseded by the same call, however its arguments are written", () => {
  expect(
    shedOf(
      { name: "bash", args: { command: "npm test", timeout: 9 } },
      { name: "bash", args: { command: "npm test" } },
      { name: "bash", args: { timeout: 9, command: "npm test" } },
    ),
  ).toEqual([0]);
});

test("a call that failed supersedes nothing, and what failed is kept", () => {
  const command = { name: "bash", args: { command: "x" } };
  expect(shedOf(command, { ...command, failed: true })).toEqual([]);
  expect(shedOf({ ...command, failed: true }, command)).toEqual([]);
});

test("a read is superseded by a read of the same or more lines of its file, and by no other", () => {
  expect(shedOf(read("a", 10, 20), read("a", 1, 100))).toEqual([0]);
  expect(shedOf(read("a", 10, 20), read("a", 10, 20, { limit: 11 }))).toEqual([0]);
  expect(shedOf(read("a", 1, 100), read("a", 10, 20))).toEqual([]);
  expect(shedOf(read("a", 1, 15), read("a", 10, 30))).toEqual([]);
  expect(shedOf(read("a", 1, 15), read("b", 1, 30))).toEqual([]);
});

test("a read of one part of a long line is not superseded by a read of another part", () => {
  expect(shedOf(read("a", 5, 5, { column: 9_000 }), read("a", 1, 9))).toEqual([]);
  const cut = { ...read("a", 1, 9), details: { path: "a", first_line: 1, last_line: 9, next_column: 100 } };
  expect(shedOf(read("a", 9, 9), cut)).toEqual([]);
});

test("a read is superseded when its file was written whole later, not when it was edited", () => {
  const path = { path: "a" };
  expect(
    shedOf(read("a", 1, 9), { name: "write", args: { file_path: "./a", content: "x" }, details: path }),
  ).toEqual([0]);
  expect(shedOf(read("a", 1, 9), { name: "edit", args: { file_path: "a" }, details: path })).toEqual([]);
  expect(
    shedOf(read("a", 1, 9), {
      name: "write",
      args: { file_path: "a", content: "x" },
      details: path,
      failed: true,
    }),
  ).toEqual([]);
});

test("the first stage is enough where it frees enough: no summary is asked for, stubs name the file with the whole text", async () => {
  const spill = fakeSpill();
  const history: Message[] = [user("go")];
  for (let n = 0; n < 12; n++)
    history.push(
      calling(`c${n}`, "test", { all: true }),
      resulting(`c${n}`, "test", `RUN-${n} ${"word ".repeat(1_500)}`),
    );
  const b = bench({ model: smallModel, compaction: automatic, tools: [tool("test")], history, spill });
  b.model.says("ok");
  const events = await b.run("newest");
  expect(of(events, "compaction").map(({ kind, phase }) => `${kind} ${phase}`)).toEqual([
    "shed start",
    "shed end",
  ]);
  expect(b.model.requests.some(asksForSummary)).toBe(false);
  const sent = JSON.stringify(b.model.requests[0]?.messages);
  expect(sent).toContain("RUN-11 ");
  expect(sent).not.toContain("RUN-10 ");
  expect(sent).toContain(
    "7506 characters left out: the same call was made again later. The text is in /spill/test-1.txt",
  );
  expect(spill.files.get("/spill/test-1.txt")).toStartWith("RUN-0 ");
  expect(spill.files.size).toBe(11);
  // All calls still have their results, and the log has the whole ones.
  expect(finishedCalls(b.conversation.list)).toHaveLength(12);
  expect(b.runner.undoCompaction()?.kind).toBe("shed");
  expect(JSON.stringify(b.conversation.list)).toContain("RUN-0 ");
});

test("a disk that takes no file leaves a stub without one", async () => {
  const history: Message[] = [user("go")];
  for (let n = 0; n < 12; n++)
    history.push(calling(`c${n}`, "test"), resulting(`c${n}`, "test", "word ".repeat(1_500)));
  const b = bench({ model: smallModel, compaction: automatic, history, spill: fakeSpill(true) });
  b.model.says("ok");
  await b.run("newest");
  const sent = JSON.stringify(b.model.requests[0]?.messages);
  expect(sent).toContain("left out: the same call was made again later.]");
});

test("where the first stage frees too little the second follows, in this order [A-SESS-03]", async () => {
  const history: Message[] = [user("go")];
  for (let n = 0; n < 24; n++)
    history.push(
      calling(`c${n}`, "test", { n: Math.min(n, 18) }),
      resulting(`c${n}`, "test", "word ".repeat(700)),
    );
  const b = bench({ model: smallModel, compaction: automatic, history });
  b.model.says("THE NOTES").says("ok");
  const events = await b.run("newest");
  expect(of(events, "compaction").map(({ kind, phase }) => `${kind} ${phase}`)).toEqual([
    "shed start",
    "shed end",
    "summary start",
    "summary end",
  ]);
});
