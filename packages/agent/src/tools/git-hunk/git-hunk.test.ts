import { expect, test } from "bun:test";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { runTool } from "../shared/test-support/file-tool-context.ts";
import { processToolContext } from "../shared/test-support/search-context.ts";
import { gitHunkTool } from "./git-hunk.ts";

async function hunks(ws: Workspace, input: { file: string; staged?: boolean }) {
  await using context = processToolContext(ws.path, ws.env());
  return await runTool(gitHunkTool, context, input);
}

const lines = (change: Record<number, string>) =>
  Array.from({ length: 40 }, (_, index) => `${change[index] ?? `line ${index}`}\n`).join("");

test("hunks are numbered, with their header, lines and counts [A-TOOL-11]", async () => {
  await using ws = await workspace({ "a.txt": lines({}) }, { git: true });
  ws.write("a.txt", lines({ 3: "three", 30: "thirty\nthirty and a half" }));
  const outcome = await hunks(ws, { file: "a.txt" });
  expect(outcome.text).toStartWith("a.txt: 2 hunks, +3 -2\n[1] @@ -1,7 +1,7 @@");
  expect(outcome.text).toContain("(+2 -1)");
  expect(outcome.details).toMatchObject({ total_hunks: 2, truncated: false });
  const [first] = outcome.details["hunks"] as { content: string; lines: number; added: number }[];
  expect(first).toMatchObject({ lines: 8, added: 1, removed: 1 });
  expect(first?.content).toContain("-line 3\n+three");
});

test("lines that look like headers are content [A-TOOL-11]", async () => {
  await using ws = await workspace({ "a.txt": "x\n" }, { git: true });
  ws.write("a.txt", "x\n@@ -1 +1 @@\n-- a\n++ b\n");
  const outcome = await hunks(ws, { file: "a.txt" });
  expect(outcome.details).toMatchObject({ total_hunks: 1 });
  expect(outcome.text).toContain("+@@ -1 +1 @@\n+-- a\n+++ b");
});

test("a file without a final newline keeps git's mark", async () => {
  await using ws = await workspace({ "a.txt": "x" }, { git: true });
  ws.write("a.txt", "y");
  expect((await hunks(ws, { file: "a.txt" })).text).toContain("\\ No newline at end of file");
});

test("no changes and no text hunks are told apart", async () => {
  await using ws = await workspace({ "a.txt": "x\n", "b.bin": new Uint8Array([0, 1]) }, { git: true });
  ws.write("b.bin", new Uint8Array([0, 2]));
  expect(await hunks(ws, { file: "a.txt" })).toMatchObject({
    outcome: "empty",
    text: "a.txt has no unstaged changes",
  });
  const binary = await hunks(ws, { file: "b.bin" });
  expect(binary.outcome).toBe("empty");
  expect(binary.text).toContain("changed, but without text hunks");
});

test("more hunks than fit are cut with their number", async () => {
  const text = (word: string) =>
    Array.from(
      { length: 6_000 },
      (_, index) => `${index % 10 === 0 ? word : "same"} ${index} ${"x".repeat(60)}\n`,
    ).join("");
  await using ws = await workspace({ "a.txt": text("old") }, { git: true });
  ws.write("a.txt", text("new"));
  const outcome = await hunks(ws, { file: "a.txt" });
  expect(outcome.details).toMatchObject({ total_hunks: 600, truncated: true });
  expect(outcome.text).toMatch(/\[cut: \d+ of 600 hunks; read the file for the rest\]$/);
  expect(outcome.text.length).toBeLessThan(60_000);
});
