/** What the file tools promise together; each has its own tests in its folder. */
import { expect, test } from "bun:test";
import { appendFileSync, linkSync } from "node:fs";
import { link, workspace } from "@pi-ts/testkit";
import type { JsonObject } from "../contract/json.ts";
import { editTool } from "./edit/edit.ts";
import { lsTool } from "./ls/ls.ts";
import { readTool } from "./read/read.ts";
import { fileToolContext, runTool } from "./shared/test-support/file-tool-context.ts";
import { treeTool } from "./tree/tree.ts";
import { writeTool } from "./write/write.ts";

test("read, edit, edit, write without an outside change is never refused [F06]", async () => {
  await using ws = await workspace({ "a.txt": "one\ntwo\n" });
  const context = fileToolContext(ws.path);
  const steps = [
    await runTool(readTool, context, { file_path: "a.txt" }),
    await runTool(editTool, context, { file_path: "a.txt", old_string: "one", new_string: "1" }),
    await runTool(editTool, context, { file_path: "./a.txt", old_string: "two", new_string: "2" }),
    await runTool(writeTool, context, { file_path: ws.at("a.txt"), content: "all\n" }),
    await runTool(editTool, context, { file_path: "a.txt", old_string: "all", new_string: "new" }),
    await runTool(writeTool, context, { file_path: "a.txt", content: "end\n" }),
  ];
  expect(steps.map((step) => step.isError)).toEqual([false, false, false, false, false, false]);
  expect(ws.read("a.txt")).toBe("end\n");
});

test("a line added outside after read survives a write, also after an edit between [F06]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" });
  const context = fileToolContext(ws.path);
  await runTool(readTool, context, { file_path: "a.txt" });
  appendFileSync(ws.at("a.txt"), "outside\n");
  const write = () => runTool(writeTool, context, { file_path: "a.txt", content: "all" });
  expect((await write()).text).toContain("changed since you read it");
  await runTool(editTool, context, { file_path: "a.txt", old_string: "one", new_string: "1" });
  expect((await write()).isError).toBe(true);
  expect(ws.read("a.txt")).toBe("1\noutside\n");
  await runTool(readTool, context, { file_path: "a.txt" });
  expect((await write()).isError).toBe(false);
});

test("a file read page by page may be overwritten after the last page only [F06]", async () => {
  await using ws = await workspace({ "a.txt": "1\n2\n3\n4\n" });
  const context = fileToolContext(ws.path);
  const write = () => runTool(writeTool, context, { file_path: "a.txt", content: "new\n" });
  await runTool(readTool, context, { file_path: "a.txt", limit: 2 });
  expect((await write()).isError).toBe(true);
  await runTool(readTool, context, { file_path: "a.txt", offset: 3 });
  expect((await write()).isError).toBe(false);
});

test("edits of one file at the same time all land or are reported, even without the loop's lock [F05]", async () => {
  const lines = Array.from({ length: 5 }, (_, index) => `line ${index}`);
  await using ws = await workspace({ "a.txt": lines.join("\r\n"), l: link("a.txt") });
  const context = fileToolContext(ws.path);
  const outcomes = await Promise.all(
    lines.map((line, index) =>
      runTool(editTool, context, {
        file_path: index % 2 === 0 ? "a.txt" : "l",
        old_string: line,
        new_string: `changed ${index}`,
      }),
    ),
  );
  const text = ws.read("a.txt");
  for (const [index, outcome] of outcomes.entries())
    expect([index, text.includes(`changed ${index}`)]).toEqual([index, !outcome.isError]);
});

test("read, write and edit of one file share a lock under every spelling [F05]", async () => {
  await using ws = await workspace({ "a.txt": "", l: link("a.txt") });
  const context = fileToolContext(ws.path);
  const keys = ["a.txt", "./a.txt", "l", ws.at("a.txt")].flatMap((file_path) => [
    readTool.lockKey?.({ file_path }, context),
    writeTool.lockKey?.({ file_path, content: "" }, context),
    editTool.lockKey?.({ file_path }, context),
  ]);
  expect([new Set(keys).size, typeof keys[0]]).toEqual([1, "string"]);
});

test("no tool leaves the project, by a link, a dangling link or a folder link [F16][A-SAND-01]", async () => {
  await using ws = await workspace({ d: link("..") });
  ws.write(`${ws.outside}/secret.txt`, "SECRET");
  ws.write("out", link(ws.outside));
  ws.write("dangling", link(`${ws.outside}/new.txt`));
  const context = fileToolContext(ws.path);
  const before = ws.snapshotOf("outside");
  for (const path of [
    "out/secret.txt",
    "dangling",
    "d/outside/secret.txt",
    `${ws.outside}/secret.txt`,
    "out",
    "d",
  ]) {
    const outcomes = [
      await runTool(readTool, context, { file_path: path }),
      await runTool(writeTool, context, { file_path: path, content: "x" }),
      await runTool(editTool, context, { file_path: path, old_string: "SECRET", new_string: "x" }),
      await runTool(lsTool, context, { path }),
      await runTool(treeTool, context, { path }),
    ];
    for (const outcome of outcomes) {
      expect([path, outcome.isError, outcome.details["code"]]).toEqual([path, true, "file_outside"]);
      expect(outcome.text).not.toContain("SECRET");
    }
  }
  expect(ws.snapshotOf("outside")).toEqual(before);
});

test("the declarations of the five tools stay small: they are paid for at every step", () => {
  const declarations = [readTool, writeTool, editTool, lsTool, treeTool].map(
    ({ name, description, input }): JsonObject => ({
      name,
      description,
      parameters: JSON.parse(JSON.stringify(input)),
    }),
  );
  expect(JSON.stringify(declarations).length).toBeLessThanOrEqual(2000);
});

test("a file with other names is replaced alone, and that is told [F16]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" });
  const context = fileToolContext(ws.path);
  const other = `${ws.outside}/b.txt`;
  linkSync(ws.at("a.txt"), other);
  const edit = await runTool(editTool, context, { file_path: "a.txt", old_string: "one", new_string: "1" });
  expect(edit.text).toContain("1 other name (a hard link), which keeps the old content");
  linkSync(ws.at("a.txt"), `${other}2`);
  await runTool(readTool, context, { file_path: "a.txt" });
  const write = await runTool(writeTool, context, { file_path: "a.txt", content: "2\n" });
  expect(write.text).toContain("1 other name (a hard link)");
  expect([ws.read("a.txt"), ws.read(other), ws.read(`${other}2`)]).toEqual(["2\n", "one\n", "1\n"]);
});
