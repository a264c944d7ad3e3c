import { expect, test } from "bun:test";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { mayHoldMemories, memoryPlaces } from "./memory-places.ts";

const at = (user: string, environment: Record<string, string> = {}, configured?: string) =>
  memoryPlaces({ configured, root: join(user, ".pi-go"), user, environment });

test("without a store, an outbox or settings of the engine there is nothing to be opened [R14]", async () => {
  await using ws = await workspace();
  expect(mayHoldMemories(at(ws.home), {})).toBe(false);
  expect(mayHoldMemories(at(ws.home), { REMEM_DATABASE_URL: "postgres://x" })).toBe(true);
});

test.each([
  ["the store", ".pi-go/memory/claude-mem.db"],
  ["what a process left behind", ".pi-go/memory/outbox/1.jsonl"],
  ["settings of the engine", ".config/remem/config.json"],
])("%s is a reason to look [A-MEM-10]", async (_, file) => {
  await using ws = await workspace();
  ws.write(join(ws.home, file), "x");
  expect(mayHoldMemories(at(ws.home), {})).toBe(true);
});

test("memory.db_path and REMEM_CONFIG_DIR move what is looked at [A-MEM-10]", async () => {
  await using ws = await workspace();
  ws.write(join(ws.home, "mine/outbox/1.jsonl"), "x");
  const moved = at(ws.home, { REMEM_CONFIG_DIR: "own" }, join(ws.home, "mine/mem.db"));
  expect(mayHoldMemories(moved, {})).toBe(true);
  expect(moved.engineSettings).toEqual([join(ws.home, "own", "config.json")]);
});
