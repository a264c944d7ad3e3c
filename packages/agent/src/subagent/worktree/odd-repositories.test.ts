/** Worktrees of subagents in repositories and under settings as people have them. */
import { expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Workspace, workspace } from "@pi-ts/testkit";
import { made, userView, worktreesOf } from "../test-support/worktrees.ts";

const LINES = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
const CHANGED = LINES.replace("5", "five");

const project = (files: Record<string, string> = {}) =>
  workspace({ "a.txt": LINES, "src/a.txt": LINES, ...files }, { git: true });

/** A finished subagent that changed `src/a.txt`. */
async function finished(trees: ReturnType<typeof worktreesOf>["trees"]) {
  const tree = await made(trees, "task-1");
  writeFileSync(join(tree.folder, "src/a.txt"), CHANGED);
  return await trees.keep(tree, "do it");
}

for (const [setting, value] of [
  ["diff.noprefix", "true"],
  ["diff.mnemonicPrefix", "true"],
  ["diff.context", "0"],
  ["diff.relative", "true"],
  ["diff.submodule", "log"],
  ["color.ui", "always"],
  ["color.diff", "always"],
] as const)
  test(`with ${setting}=${value} a change is written to the file that it is of, and to no other [A-SUB-04]`, async () => {
    await using ws = await project();
    ws.git("config", setting, value);
    await using open = worktreesOf(ws);
    expect((await finished(open.trees))?.stat).not.toContain("\u001b");
    expect(await open.trees.apply("task-1")).toMatchObject({ outcome: "joined", files: ["src/a.txt"] });
    expect([ws.read("src/a.txt"), ws.read("a.txt")]).toEqual([CHANGED, LINES]);
  });

for (const [how, variables] of [
  ["the git folder", (ws: Workspace) => ({ GIT_DIR: ws.at(".git") })],
  [
    "the git folder and the work tree",
    (ws: Workspace) => ({ GIT_DIR: ws.at(".git"), GIT_WORK_TREE: ws.path }),
  ],
  ["the index", (ws: Workspace) => ({ GIT_INDEX_FILE: ws.at(".git/index") })],
  ["both in short", () => ({ GIT_DIR: ".git", GIT_INDEX_FILE: ".git/index" })],
] as const)
  test(`where a git hook that started pi names ${how}, no branch, index or file of the user is written [A-SUB-04][A01]`, async () => {
    await using ws = await project();
    ws.write("a.txt", "staged\n");
    ws.git("add", "a.txt");
    ws.write("a.txt", "dirty\n");
    ws.write("new.txt", "untracked\n");
    const before = userView(ws);
    await using open = worktreesOf(ws, ws.path, variables(ws));
    expect(await finished(open.trees)).toMatchObject({ branch: "pi/task-1", folder: null });
    expect(userView(ws)).toEqual(before);
    expect(ws.git("show", "pi/task-1:src/a.txt")).toBe(CHANGED);
  });

test("a worktree of the user whose disk is not there stays known to git when ours are removed [A-SUB-04][A01]", async () => {
  await using ws = await project();
  const [theirs, away] = [join(ws.outside, "theirs"), join(ws.outside, "away")];
  ws.git("worktree", "add", "--quiet", "--detach", theirs);
  ws.git("-C", theirs, "commit", "--quiet", "--allow-empty", "--message", "only here");
  renameSync(theirs, away);
  await using open = worktreesOf(ws);
  await made(open.trees, "task-1");
  await open.trees.drop("task-1");
  renameSync(away, theirs);
  expect(ws.git("-C", theirs, "log", "-1", "--format=%s")).toBe("only here\n");
});

test("a worktree that is locked and whose folder is gone is dropped without a trace [A-SUB-04]", async () => {
  await using ws = await project();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  ws.git("worktree", "lock", tree.folder);
  renameSync(tree.folder, join(ws.outside, "gone"));
  await open.trees.drop("task-1");
  expect(ws.git("worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(readdirSync(ws.at(".git/pi-worktrees"))).toEqual([]);
});

test("a repository without a commit inside of the project keeps no worktree from being made, and is named [A06]", async () => {
  await using ws = await project();
  ws.git("init", "--quiet", "nested");
  ws.write("nested/x.txt", "x\n");
  ws.write("zzz.txt", "after it\n");
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  expect(readFileSync(join(tree.folder, "zzz.txt"), "utf8")).toBe("after it\n");
  expect(tree.notes.join()).toContain("nested/");
  expect(tree.forAgent.join()).toContain("nested/");
});

test("the content of a repository inside of the project is named as what the copy does not hold [A06]", async () => {
  await using ws = await project();
  ws.git("init", "--quiet", "nested");
  ws.git("-C", "nested", "commit", "--quiet", "--allow-empty", "--message", "inner");
  await using open = worktreesOf(ws);
  expect((await made(open.trees, "task-1")).notes.join()).toContain("repositories inside of the project");
});

for (const setting of ["status.showUntrackedFiles=no", "diff.ignoreSubmodules=all"])
  test(`repositories that an agent made stay with their folder under ${setting}, and the rest is on the branch [A01]`, async () => {
    await using ws = await project();
    ws.git("config", ...(setting.split("=") as [string, string]));
    await using open = worktreesOf(ws);
    const tree = await made(open.trees, "task-1");
    for (const name of ["empty", "full"]) {
      ws.git("init", "--quiet", join(tree.folder, name));
      writeFileSync(join(tree.folder, name, "x.txt"), "x\n");
    }
    ws.git("-C", join(tree.folder, "full"), "add", "--all");
    ws.git("-C", join(tree.folder, "full"), "commit", "--quiet", "--message", "inner");
    writeFileSync(join(tree.folder, "made.txt"), "made\n");
    expect(await open.trees.keep(tree, "")).toMatchObject({ folder: tree.folder });
    expect(ws.git("show", "pi/task-1:made.txt")).toBe("made\n");
    expect(["empty", "full"].map((name) => existsSync(join(tree.folder, name, "x.txt")))).toEqual([
      true,
      true,
    ]);
  });

test("what was killed before its branch was there leaves nothing after the next start [A-SUB-04]", async () => {
  await using ws = await project();
  const owner = { pid: 1, host: hostname(), start: "1", boot: "another" };
  const facts = {
    id: "task-1",
    base: ws.git("rev-parse", "HEAD").trim(),
    gitFolder: "/nowhere",
    ready: false,
    owner,
  };
  ws.write(".git/pi-worktrees/task-1.json", JSON.stringify(facts));
  await using open = worktreesOf(ws);
  expect(await open.trees.prune()).toEqual({ kept: 0 });
  expect(await open.trees.left()).toEqual([]);
});

test("core.safecrlf stops at line ends of the user, and no worktree [A06]", async () => {
  await using ws = await project({ "mixed.txt": "a\r\nb\n" });
  ws.git("config", "core.autocrlf", "true");
  ws.git("config", "core.safecrlf", "true");
  ws.write("mixed.txt", "a\r\nb\nc\n");
  await using open = worktreesOf(ws);
  await finished(open.trees);
  expect(await open.trees.apply("task-1")).toMatchObject({ outcome: "joined", files: ["src/a.txt"] });
  expect(ws.read("mixed.txt")).toBe("a\r\nb\nc\n");
});

test("in a sparse checkout files outside of it are taken along, kept and merged, and the worktree goes [A-SUB-04][A01]", async () => {
  await using ws = await project({ "out/b.txt": "b\n", "out/c.txt": "c\n" });
  ws.git("sparse-checkout", "set", "src");
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  writeFileSync(join(tree.folder, "src/a.txt"), CHANGED);
  mkdirSync(join(tree.folder, "out"));
  writeFileSync(join(tree.folder, "out/b.txt"), "changed\n");
  writeFileSync(join(tree.folder, "out/new.txt"), "new\n");
  expect(await open.trees.keep(tree, "")).toMatchObject({ folder: null });
  const files = ["out/b.txt", "out/new.txt", "src/a.txt"];
  expect(await open.trees.merge("task-1")).toMatchObject({ outcome: "joined", files });
  expect(["b", "c", "new"].map((name) => ws.git("show", `HEAD:out/${name}.txt`))).toEqual([
    "changed\n",
    "c\n",
    "new\n",
  ]);
});

test("an untracked file outside of a sparse checkout keeps no worktree from being made and joined [A06]", async () => {
  await using ws = await project({ "out/b.txt": "b\n" });
  ws.git("sparse-checkout", "set", "src");
  ws.write("out/new.txt", "new\n");
  await using open = worktreesOf(ws);
  await finished(open.trees);
  expect(ws.git("show", "pi/task-1:out/new.txt")).toBe("new\n");
  expect(await open.trees.apply("task-1")).toMatchObject({ outcome: "joined", files: ["src/a.txt"] });
});

for (const lock of ["HEAD.lock", "refs/heads/main.lock", "index.lock"])
  test(`a merge that meets ${lock} changes nothing, says so, and works when it is gone [A-SUB-04]`, async () => {
    await using ws = await project();
    await using open = worktreesOf(ws);
    await finished(open.trees);
    const before = userView(ws);
    ws.write(`.git/${lock}`, "");
    const { outcome, message } = await open.trees.merge("task-1");
    expect(outcome).toBe("refused");
    expect(message).toContain("nothing was changed");
    expect(message).toContain(lock);
    expect(message).not.toContain("uncommitted");
    rmSync(ws.at(`.git/${lock}`));
    expect(userView(ws)).toEqual(before);
    expect(await open.trees.merge("task-1")).toMatchObject({ outcome: "joined" });
  });

test("of a worktree whose folder was removed the commits are kept, and git knows it no more [A01]", async () => {
  await using ws = await project();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  writeFileSync(join(tree.folder, "src/a.txt"), CHANGED);
  ws.git("-C", tree.folder, "commit", "--quiet", "--all", "--message", "mine");
  rmSync(tree.folder, { recursive: true });
  expect(await open.trees.keep(tree, "")).toMatchObject({ branch: "pi/task-1", folder: null });
  expect(ws.git("show", "pi/task-1:src/a.txt")).toBe(CHANGED);
  expect(ws.git("worktree", "list").trim().split("\n")).toHaveLength(1);
});

test("a worktree whose .git the agent removed is on its branch, and goes [A-SUB-04]", async () => {
  await using ws = await project();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  writeFileSync(join(tree.folder, "src/a.txt"), CHANGED);
  rmSync(join(tree.folder, ".git"));
  expect(await open.trees.keep(tree, "")).toMatchObject({ folder: null });
  expect(ws.git("show", "pi/task-1:src/a.txt")).toBe(CHANGED);
  expect(ws.git("worktree", "list").trim().split("\n")).toHaveLength(1);
});

test("locks that a killed git left in a worktree and on its branch are in nobody's way [A01][A04]", async () => {
  await using ws = await project();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  writeFileSync(join(tree.folder, "src/a.txt"), CHANGED);
  for (const lock of [
    "worktrees/task-1/HEAD.lock",
    "worktrees/task-1/index.lock",
    "refs/heads/pi/task-1.lock",
  ])
    ws.write(`.git/${lock}`, "");
  const facts = JSON.parse(ws.read(".git/pi-worktrees/task-1.json"));
  facts.owner = { pid: 1, host: hostname(), start: "1", boot: "another" };
  ws.write(".git/pi-worktrees/task-1.json", JSON.stringify(facts));
  expect(await open.trees.keep(tree, "")).toMatchObject({ branch: "pi/task-1", folder: null });
  expect(ws.git("show", "pi/task-1:src/a.txt")).toBe(CHANGED);
});

test("where git knows no name of the user changes are merged in a copy, and in the project it is git that says so [A-SOP-04]", async () => {
  await using ws = await project();
  ws.git("config", "user.useConfigOnly", "true");
  const names = ["AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"];
  const nobody = Object.fromEntries(names.map((name) => [`GIT_${name}`, undefined]));
  await using open = worktreesOf(ws, ws.path, nobody);
  const copy = await made(open.trees, "run-1");
  await using inside = worktreesOf(ws, copy.cwd, nobody);
  await finished(inside.trees);
  expect(await inside.trees.merge("task-1")).toMatchObject({ outcome: "joined", files: ["src/a.txt"] });
  await open.trees.keep(copy, "");
  await expect(open.trees.merge("run-1")).rejects.toThrow("tell me who you are");
  expect(ws.read("src/a.txt")).toBe(LINES);
});

test.skipIf(process.getuid === undefined || process.getuid() === 0)(
  "a git folder that may not be written is the reason why there is no worktree [A06]",
  async () => {
    await using ws = await project();
    await using open = worktreesOf(ws);
    chmodSync(ws.at(".git"), 0o500);
    try {
      expect(await open.trees.make("task-1")).toEqual({
        reason: `nothing can be written into its git folder ${ws.at(".git")} (EACCES)`,
      });
    } finally {
      chmodSync(ws.at(".git"), 0o700);
    }
  },
);

test('a branch that is called "pi" is named as what is in the way, and how to move it', async () => {
  await using ws = await project();
  ws.git("branch", "pi");
  await using open = worktreesOf(ws);
  await expect(made(open.trees, "task-1")).rejects.toMatchObject({
    message: expect.stringContaining('called "pi"'),
    hint: expect.stringContaining("git branch -m pi"),
  });
  expect(readdirSync(ws.at(".git/pi-worktrees"))).toEqual([]);
});
