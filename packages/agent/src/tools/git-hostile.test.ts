import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { runProcess, type Workspace, workspace } from "@pi-ts/testkit";
import { gitFileDiffTool } from "./git-file-diff/git-file-diff.ts";
import { gitHunkTool } from "./git-hunk/git-hunk.ts";
import { gitOverviewTool } from "./git-overview/git-overview.ts";
import { runTool } from "./shared/test-support/file-tool-context.ts";
import { processToolContext } from "./shared/test-support/search-context.ts";

async function diff(ws: Workspace, file: string, staged = false) {
  await using context = processToolContext(ws.path, ws.env());
  return await runTool(gitFileDiffTool, context, { file, staged });
}

test("a missing object is not fetched by a command that the repository names [G03][X01]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  const blob = ws.git("rev-parse", "HEAD:a.txt").trim();
  rmSync(join(ws.path, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  const settings: [string, string][] = [
    ["core.repositoryformatversion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", `ext::touch ${join(ws.outside, "pwned")}`],
    ["protocol.ext.allow", "always"],
  ];
  for (const [key, value] of settings) ws.git("config", "--local", key, value);
  ws.write("a.txt", "two\n");
  const before = ws.snapshotOf("outside");
  const outcome = await diff(ws, "a.txt");
  expect([outcome.outcome, outcome.isError]).toEqual(["failed", true]);
  expect(outcome.text).toContain("partial clone");
  expect(ws.snapshotOf("outside")).toEqual(before);
});

test("a submodule's settings run nothing when its commit has moved [G03][G04]", async () => {
  await using library = await workspace({ "b.txt": "one\n" }, { git: true });
  await using ws = await workspace({ "a.txt": "" }, { git: true });
  ws.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.path, "sub");
  ws.git("commit", "-qm", "sub");
  ws.write("sub/b.txt", "two\n");
  ws.write("sub/.gitattributes", "* diff=evil\n");
  ws.git("-C", "sub", "add", ".");
  ws.git("-C", "sub", "commit", "-qm", "two");
  ws.git("-C", "sub", "config", "diff.evil.textconv", `touch ${join(ws.outside, "pwned")}; cat`);
  ws.git("config", "diff.submodule", "diff");
  const before = ws.snapshotOf("outside");
  expect((await diff(ws, "sub")).text).toMatch(/-Subproject commit [0-9a-f]+\n\+Subproject commit/);
  expect(ws.snapshotOf("outside")).toEqual(before);
});

test("a folder's diff is never shown, since a secret file may be in it [X04]", async () => {
  await using ws = await workspace(
    { "d/.env": "KEY=CANARY-1\n", "d/a.txt": "one\n", "gone/.env": "KEY=CANARY-2\n", "clean/x": "" },
    { git: true },
  );
  ws.write("d/.env", "KEY=CANARY-3\n");
  rmSync(join(ws.path, "gone"), { recursive: true });
  for (const file of [".", "d", "d/", "gone", `${ws.path}/d`]) {
    const outcome = await diff(ws, file);
    expect(outcome.text).not.toContain("CANARY");
    expect(outcome.isError).toBe(true);
  }
  expect((await diff(ws, "d")).text).toContain("d is a folder, in which 1 tracked file");
  expect(await diff(ws, "clean")).toMatchObject({ outcome: "empty", details: { state: "folder" } });
});

test("a file in conflict has its hunk [G04]", async () => {
  await using ws = await workspace({ "m.txt": "base\n" }, { git: true });
  ws.git("checkout", "-qb", "other");
  ws.write("m.txt", "theirs\n");
  ws.git("commit", "-qam", "other");
  ws.git("checkout", "-q", "-");
  ws.write("m.txt", "mine\n");
  ws.git("commit", "-qam", "mine");
  expect(() => ws.git("merge", "other")).toThrow();
  await using context = processToolContext(ws.path, ws.env());
  const outcome = await runTool(gitHunkTool, context, { file: "m.txt" });
  expect(outcome.text).toStartWith("m.txt: 1 hunk, +5 -0\n[1] @@@ -1,1 -1,1 +1,5 @@@");
  expect(outcome.text).toContain("++<<<<<<< HEAD\n +mine\n++=======\n+ theirs\n");
  expect((await runTool(gitOverviewTool, context, {})).text).toContain("unmerged (1):\n  U m.txt");
});

test("a file that git was told not to look at is not called unchanged [G04]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  ws.git("update-index", "--assume-unchanged", "a.txt");
  ws.write("a.txt", "two\n");
  expect((await diff(ws, "a.txt")).text).toStartWith("git does not look at a.txt");
});

test("a .git that leads nowhere is told from a folder without one [G04]", async () => {
  await using broken = await workspace({ ".git": "gitdir: /nowhere/x\n", "a.txt": "" });
  expect((await diff(broken, "a.txt")).text).toContain("git does not take it for a repository");
  await using plain = await workspace({ "a.txt": "" });
  expect((await diff(plain, "a.txt")).text).toContain("is not inside a git work tree");
});

test("names in a diff are the true ones [G01]", async () => {
  await using ws = await workspace({ "ü.txt": "one\n" }, { git: true });
  ws.write("ü.txt", "two\n");
  expect((await diff(ws, "ü.txt")).text).toStartWith("diff --git a/ü.txt b/ü.txt");
});

test("a GIT_DIR or GIT_WORK_TREE that leads nowhere is named [G04]", async () => {
  await using ws = await workspace({ "a.txt": "one\n" }, { git: true });
  for (const name of ["GIT_DIR", "GIT_WORK_TREE"]) {
    await using context = processToolContext(ws.path, ws.env({ [name]: "/nonexistent" }));
    expect((await runTool(gitOverviewTool, context, {})).text).toContain(`${name}=/nonexistent`);
  }
});

test.skipIf(process.platform !== "linux")(
  "a name that is no UTF-8 can be asked for as it was printed, and one that only looks like it is itself [G01]",
  async () => {
    await using ws = await workspace({ "x\\xFF": "one\n" }, { git: true });
    const shell = async (script: string) => await runProcess(["bash", "-c", script], { cwd: ws.path });
    await shell("mkdir $'d\\xe9'; echo one > $'d\\xe9/f'; echo one > $'bad\\xff'; echo one > $'gone\\xff'");
    ws.git("add", "-A");
    ws.git("commit", "-qm", "bytes");
    await shell(
      "echo two > $'d\\xe9/f'; echo two > $'bad\\xff'; echo new > $'new\\xff'; echo two > 'x\\xFF'",
    );
    await shell("rm $'gone\\xff'");
    await using context = processToolContext(ws.path, ws.env());
    const overview = (await runTool(gitOverviewTool, context, {})).text;
    for (const [file, line] of [
      ["bad\\xFF", "+two"],
      ["d\\xE9/f", "+two"],
      ["gone\\xFF", "-one"],
      ["new\\xFF", "+new"],
      ["x\\xFF", "+two"],
    ] as const) {
      expect(overview).toContain(file);
      expect([file, (await diff(ws, file)).text]).toEqual([file, expect.stringContaining(`\n${line}`)]);
    }
  },
);
