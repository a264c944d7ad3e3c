import { expect, test } from "bun:test";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { runTool } from "../shared/test-support/file-tool-context.ts";
import { processToolContext } from "../shared/test-support/search-context.ts";
import { gitOverviewTool } from "./git-overview.ts";

async function overview(ws: Workspace) {
  await using context = processToolContext(ws.path, ws.env());
  return await runTool(gitOverviewTool, context, {});
}

test("branch, commits, staged, unstaged and untracked files are told apart [A-TOOL-09]", async () => {
  await using ws = await workspace({ "a.txt": "one\n", "b.txt": "one\n" }, { git: true });
  ws.write("a.txt", "two\n");
  ws.git("add", "a.txt");
  ws.write("b.txt", "three\n");
  ws.write("new.txt", "n\n");
  const outcome = await overview(ws);
  expect(outcome.text).toMatch(
    /^branch: main\ncommits \(newest 1\):\n {2}[0-9a-f]{7,} first commit\nstaged \(1\):\n {2}M a\.txt\nunstaged \(1\):\n {2}M b\.txt\nuntracked \(1\):\n {2}new\.txt$/,
  );
  expect(outcome.details).toMatchObject({
    branch: "main",
    staged: [{ path: "a.txt", code: "M" }],
    unstaged: [{ path: "b.txt", code: "M" }],
    untracked: ["new.txt"],
  });
});

test("odd names are listed truly, and renames with both names [G01]", async () => {
  const names = ["ü b.txt", 'a"b', "-n", " lead"];
  await using ws = await workspace({ "old name.txt": "one\ntwo\nthree\nfour\n" }, { git: true });
  ws.git("mv", "old name.txt", "new name.txt");
  for (const name of names) ws.write(name, "x\n");
  ws.write("line\nbreak", "x\n");
  const outcome = await overview(ws);
  expect(outcome.text).toContain("R old name.txt -> new name.txt");
  for (const shown of ["  ü b.txt", '  a"b', "  -n", '  " lead"', '  "line\\nbreak"'])
    expect(outcome.text.split("\n")).toContain(shown);
});

test("a folder without a repository fails with that reason [A-TOOL-09]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" });
  const outcome = await overview(ws);
  expect(outcome).toMatchObject({ isError: true, outcome: "failed", details: { code: "git_no_repository" } });
});

test("a machine without git has not been looked at", async () => {
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  await using context = processToolContext(ws.path, ws.env({ PATH: ws.outside }));
  const outcome = await runTool(gitOverviewTool, context, {});
  expect(outcome).toMatchObject({ isError: true, outcome: "not_looked" });
  expect(outcome.text).toContain("git is not installed");
});

test("a repository before its first commit and a detached head are no errors", async () => {
  await using ws = await workspace({});
  ws.git("init", "--quiet", "--initial-branch=main");
  ws.write("a.txt", "one\n");
  expect((await overview(ws)).text).toBe(
    "branch: main\ncommits: none yet\nstaged: none\nunstaged: none\nuntracked (1):\n  a.txt",
  );
  ws.git("add", "a.txt");
  ws.git("commit", "--quiet", "--message", "one");
  ws.git("checkout", "--quiet", "--detach");
  expect((await overview(ws)).text).toMatch(/^branch: none \(detached at [0-9a-f]{10}\)\n/);
});

test("a changed submodule is named as such and not entered [G04]", async () => {
  await using other = await workspace({ "s.txt": "one\n" }, { git: true });
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  ws.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.path, "sub");
  ws.git("commit", "--quiet", "--message", "with submodule");
  ws.git("-C", "sub", "commit", "--quiet", "--allow-empty", "--message", "moved");
  const outcome = await overview(ws);
  expect(outcome.text).toContain("M sub (submodule)");
  expect(outcome.text).toContain("changes inside submodules were not looked at");
});

test("5,000 changed files are counted truly and listed in part [G04]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  for (let index = 0; index < 5_000; index++) ws.write(`n/f${index}.txt`, "");
  ws.git("add", "n");
  const outcome = await overview(ws);
  expect(outcome.text).toContain("staged (5000):");
  expect(outcome.text).toContain("… 4900 more; for all: bash git status --short");
  expect(outcome.details["totals"]).toEqual({ staged: 5_000, unstaged: 0, untracked: 0 });
});
