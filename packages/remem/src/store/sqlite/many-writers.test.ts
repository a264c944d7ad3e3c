import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { openSqliteStore } from "./open-store.ts";

const WRITERS = 6;
const EACH = 40;
const KILLED_AFTER = 10;
const SCRIPT = join(import.meta.dir, "__fixtures__/writer.ts");
/** Node runs TypeScript by itself, and has SQLite, from here on. */
const LEAST_NODE = [22, 19] as const;

/** Bun, and Node when one that is new enough is installed (or named by REMEM_TEST_NODE). */
function runtimes(): string[][] {
  const node = process.env["REMEM_TEST_NODE"] ?? "node";
  const version = spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" }).stdout ?? "";
  const [major = 0, minor = 0] = version.trim().split(".").map(Number);
  const usable = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  return [[process.execPath, "--no-env-file", "run"], ...(usable ? [[node, "--no-warnings"]] : [])];
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

test("six programs write to one store while a seventh is killed: nothing acknowledged is lost [R01]", async () => {
  await using space = await workspace();
  const path = join(space.home, "store.db");
  const available = runtimes();
  const start = (name: string, count: number, index: number) =>
    Bun.spawn([...available[index % available.length]!, SCRIPT, path, name, String(count)], {
      env: space.env(),
      stdout: "pipe",
      stderr: "pipe",
    });
  const writers = Array.from({ length: WRITERS }, (_, index) => start(`writer${index}`, EACH, index));
  const victim = start("victim", 1_000_000, 0);
  let acknowledged = 0;
  for await (const line of lines(victim.stdout)) {
    if (line === "added") acknowledged++;
    if (acknowledged === KILLED_AFTER) victim.kill("SIGKILL");
  }
  await victim.exited;
  const outcomes = await Promise.all(
    writers.map(async (writer) => ({
      written: (await new Response(writer.stdout).text()).split("\n").filter((line) => line === "added")
        .length,
      errors: await new Response(writer.stderr).text(),
      code: await writer.exited,
    })),
  );
  expect(outcomes).toEqual(outcomes.map(() => ({ written: EACH, errors: "", code: 0 })));
  const store = await openSqliteStore({ path, clock: { now: () => 0 } });
  try {
    const all = await store.list({ scope: { kind: "project", id: "p" } }, 1_000_000);
    for (let index = 0; index < WRITERS; index++)
      expect(all.filter(({ text }) => text.startsWith(`writer${index} `))).toHaveLength(EACH);
    expect(all.filter(({ text }) => text.startsWith("victim ")).length).toBeGreaterThanOrEqual(acknowledged);
    // One of each writer's statements holds; all others are superseded.
    expect(all.filter(({ state }) => state === "active")).toHaveLength(WRITERS + 1);
    expect(await store.check()).toEqual([]);
  } finally {
    await store.close();
  }
});
