import { expect, test } from "bun:test";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { runTool } from "../shared/test-support/file-tool-context.ts";
import { processToolContext } from "../shared/test-support/search-context.ts";
import { gitFileDiffTool } from "./git-file-diff.ts";

async function diff(ws: Workspace, input: { file: string; staged?: boolean }) {
  await using context = processToolContext(ws.path, ws.env());
  return await runTool(gitFileDiffTool, context, input);
}

test("the work tree's and the index's changes of a file are two diffs [A-TOOL-10]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  ws.write("a.txt", "two\n");
  ws.git("add", "a.txt");
  ws.write("a.txt", "three\n");
  expect((await diff(ws, { file: "a.txt" })).text).toContain("-two\n+three");
  expect((await diff(ws, { file: "a.txt", staged: true })).text).toContain("-one\n+two");
});

test("an empty diff says why it is empty and where the changes are [A-TOOL-10]", async () => {
  await using ws = await workspace({ "a.txt": "one\n", "b.txt": "one\n" }, { git: true });
  ws.write("a.txt", "two\n");
  const cases: [{ file: string; staged?: boolean }, string][] = [
    [{ file: "b.txt" }, "b.txt has no unstaged changes"],
    [{ file: "a.txt", staged: true }, "nothing of a.txt is staged; it has unstaged changes (staged: false)"],
  ];
  for (const [input, text] of cases) {
    const outcome = await diff(ws, input);
    expect(outcome).toMatchObject({ outcome: "empty", isError: false, text });
  }
});

test("an untracked file is shown as new", async () => {
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  ws.write("new.txt", "fresh\n");
  const outcome = await diff(ws, { file: "new.txt" });
  expect(outcome.text).toContain("+fresh");
  expect(outcome.text).toContain("not tracked by git");
});

test("names are taken back exactly as the overview prints them [G01]", async () => {
  const names = ["ü b.txt", 'a"b', "-n", "*.txt", ":(top)x", "line\nbreak", " lead"];
  await using ws = await workspace(Object.fromEntries(names.map((name) => [name, "one\n"])), { git: true });
  for (const name of names) {
    ws.write(name, "two\n");
    const shown = /[\n]|^ /.test(name) ? JSON.stringify(name) : name;
    const outcome = await diff(ws, { file: shown });
    expect([name, outcome.text.includes("+two"), outcome.text.split("diff --git").length]).toEqual([
      name,
      true,
      2,
    ]);
  }
});

test("a renamed file's diff names the old file and shows only what changed [G01]", async () => {
  const text = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join("");
  await using ws = await workspace({ "old.txt": text }, { git: true });
  ws.git("mv", "old.txt", "new.txt");
  ws.write("new.txt", text.replace("line 7\n", "line seven\n"));
  ws.git("add", "new.txt");
  const outcome = await diff(ws, { file: "new.txt", staged: true });
  expect(outcome.text).toContain("rename from old.txt");
  expect(outcome.text).toContain("+line seven");
  expect(outcome.text).not.toContain("+line 1\n");
});

test("a deleted file has a diff too", async () => {
  await using ws = await workspace({ "a.txt": "one\n", "b.txt": "" }, { git: true });
  ws.git("rm", "--quiet", "a.txt");
  expect((await diff(ws, { file: "a.txt", staged: true })).text).toContain("-one");
});

test("a huge diff is cut with totals and the way to the rest [G04]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  ws.write("a.txt", "a line of text\n".repeat(400_000));
  const outcome = await diff(ws, { file: "a.txt" });
  expect(outcome.text.length).toBeLessThan(60_000);
  expect(outcome.text).toMatch(/\[cut: 50\.0 KB of \d\.\d MB, [\d,]+ of 400,0\d\d lines; read the file/);
  expect(outcome.details["truncated"]).toBe(true);
});

test("a binary file says so", async () => {
  await using ws = await workspace({ "b.bin": new Uint8Array([0, 1, 2]) }, { git: true });
  ws.write("b.bin", new Uint8Array([0, 1, 3]));
  expect((await diff(ws, { file: "b.bin" })).text).toContain("Binary files");
});

test("secret files are refused by any name [X04]", async () => {
  await using ws = await workspace({ ".env": "KEY=old\n" }, { git: true });
  ws.write(".env", "KEY=s3cret\n");
  ws.git("mv", ".env", "plain.txt");
  for (const input of [{ file: ".env" }, { file: "./.env" }, { file: "plain.txt", staged: true }]) {
    const outcome = await diff(ws, input);
    expect(outcome).toMatchObject({ isError: true, outcome: "not_looked" });
    expect(outcome.text).not.toContain("s3cret");
  }
});

test("a name outside of the project or unknown to git is an error that names it", async () => {
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  for (const file of ["../outside/x", "/etc/passwd", "nope.txt"]) {
    const outcome = await diff(ws, { file });
    expect(outcome.isError).toBe(true);
    expect(outcome.text).toContain(file);
  }
});
