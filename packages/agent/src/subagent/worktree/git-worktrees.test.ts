import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { executable, type Workspace, workspace } from "@pi-ts/testkit";
import { made, userView, worktreesOf } from "../test-support/worktrees.ts";

/** A repository with a staged, an unstaged, an untracked and an ignored file. */
async function dirtyProject(): Promise<Workspace> {
  const ws = await workspace({ "a.txt": "one\n", "b.txt": "one\n", ".gitignore": "*.log\n" }, { git: true });
  ws.write("a.txt", "staged\n");
  ws.git("add", "a.txt");
  ws.write("a.txt", "staged, then changed\n");
  ws.write("new.txt", "untracked\n");
  ws.write("run.log", "ignored\n");
  return ws;
}

/** As if the process that made the worktree `task-1` was killed. */
function disown(ws: Workspace, base: string, ready: boolean): void {
  // A pid of another boot: nobody.
  const owner = { pid: 1, host: hostname(), start: "1", boot: "another" };
  const facts = { id: "task-1", base, gitFolder: ws.at(".git/worktrees/task-1"), ready, owner };
  ws.write(".git/pi-worktrees/task-1.json", JSON.stringify(facts));
}

const write = (folder: string, name: string, text: string) => writeFileSync(join(folder, name), text);

test("a worktree holds what is not committed, and the user's files, index, stash and status stay byte for byte [A-SUB-04][A06]", async () => {
  await using ws = await dirtyProject();
  await using made1 = worktreesOf(ws);
  const before = userView(ws);
  const tree = await made(made1.trees, "task-1");
  expect(readFileSync(join(tree.folder, "a.txt"), "utf8")).toBe("staged, then changed\n");
  expect(readFileSync(join(tree.folder, "new.txt"), "utf8")).toBe("untracked\n");
  expect(existsSync(join(tree.folder, "run.log"))).toBe(false);
  expect(userView(ws)).toEqual(before);
  expect(tree.forAgent.join(" ")).toContain("with what is not committed there");
});

test("committed, uncommitted, untracked and detached work all ends on the branch, and the worktree goes [A01]", async () => {
  await using ws = await dirtyProject();
  await using open = worktreesOf(ws);
  const { trees } = open;
  const tree = await made(trees, "task-1");
  const git = (...words: string[]) => ws.git("-C", tree.folder, ...words);
  git("checkout", "--quiet", "--detach");
  write(tree.folder, "b.txt", "committed\n");
  git("commit", "--quiet", "--all", "--message", "mine");
  write(tree.folder, "a.txt", "uncommitted\n");
  write(tree.folder, "fresh.txt", "untracked\n");
  const change = await trees.keep(tree, "do it");
  expect(change).toMatchObject({ branch: "pi/task-1", folder: null });
  expect(change?.stat).toContain("3 files changed");
  expect(ws.git("show", "pi/task-1:b.txt")).toBe("committed\n");
  expect(ws.git("show", "pi/task-1:a.txt")).toBe("uncommitted\n");
  expect(ws.git("show", "pi/task-1:fresh.txt")).toBe("untracked\n");
  expect(existsSync(tree.folder)).toBe(false);
  expect(ws.git("worktree", "list").trim().split("\n")).toHaveLength(1);
});

test("a commit that an agent turned its back on keeps a name [A01]", async () => {
  await using ws = await dirtyProject();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  write(tree.folder, "b.txt", "first try\n");
  ws.git("-C", tree.folder, "commit", "--quiet", "--all", "--message", "first");
  ws.git("-C", tree.folder, "checkout", "--quiet", "--detach", tree.base);
  write(tree.folder, "b.txt", "second try\n");
  await open.trees.keep(tree, "");
  expect(ws.git("show", "pi/task-1:b.txt")).toBe("second try\n");
  expect(ws.git("show", "pi/task-1-earlier:b.txt")).toBe("first try\n");
});

test("an agent works on no branch, and a commit that it reset away keeps a name [A01]", async () => {
  await using ws = await dirtyProject();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  const git = (...words: string[]) => ws.git("-C", tree.folder, ...words).trim();
  expect(git("rev-parse", "--abbrev-ref", "HEAD")).toBe("HEAD");
  write(tree.folder, "b.txt", "first try\n");
  git("commit", "--quiet", "--all", "--message", "first");
  git("reset", "--quiet", "--hard", tree.base);
  write(tree.folder, "b.txt", "second try\n");
  git("commit", "--quiet", "--all", "--message", "second");
  git("commit", "--quiet", "--amend", "--message", "second, in other words");
  await open.trees.keep(tree, "do it");
  expect(ws.git("show", "pi/task-1:b.txt")).toBe("second try\n");
  expect(ws.git("show", "pi/task-1-earlier:b.txt")).toBe("first try\n");
});

test("commits of an agent that was killed are on its branch from the next start on [A01][A04]", async () => {
  await using ws = await dirtyProject();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  write(tree.folder, "b.txt", "committed\n");
  ws.git("-C", tree.folder, "commit", "--quiet", "--all", "--message", "mine");
  disown(ws, tree.base, true);
  expect(await open.trees.prune()).toEqual({ kept: 1 });
  rmSync(tree.folder, { recursive: true });
  expect(ws.git("show", "pi/task-1:b.txt")).toBe("committed\n");
});

test("a worktree with ignored files or a repository inside of it stays and is named [A01]", async () => {
  await using ws = await dirtyProject();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  write(tree.folder, "secret.log", "only here\n");
  expect(await open.trees.keep(tree, "")).toMatchObject({ folder: tree.folder });
  expect(readFileSync(join(tree.folder, "secret.log"), "utf8")).toBe("only here\n");
  const other = await made(open.trees, "task-2");
  ws.git("init", "--quiet", join(other.folder, "inner"));
  write(join(other.folder, "inner"), "x.txt", "inner work\n");
  ws.git("-C", join(other.folder, "inner"), "add", "--all");
  ws.git("-C", join(other.folder, "inner"), "commit", "--quiet", "--message", "inner");
  expect(await open.trees.keep(other, "")).toMatchObject({ folder: other.folder });
  expect(existsSync(join(other.folder, "inner", "x.txt"))).toBe(true);
});

test("nothing changed leaves nothing: no branch, no worktree, no file [A-SUB-04]", async () => {
  await using ws = await dirtyProject();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  expect(await open.trees.keep(tree, "")).toBeNull();
  expect(ws.git("branch", "--list", "pi/*")).toBe("");
  expect(await open.trees.left()).toEqual([]);
});

test("apply brings the change into dirty files without touching the index, and the rest of the user's work stays [A-SUB-04]", async () => {
  await using ws = await workspace({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "b.txt": "b\n" }, { git: true });
  await using open = worktreesOf(ws);
  ws.write("a.txt", "mine\n2\n3\n4\n5\n6\n7\n8\n9\n");
  ws.git("add", "a.txt");
  const index = ws.git("ls-files", "--stage");
  const tree = await made(open.trees, "task-1");
  write(tree.folder, "a.txt", "mine\n2\n3\n4\n5\n6\n7\n8\ntheirs\n");
  write(tree.folder, "made.txt", "new\n");
  rmSync(join(tree.folder, "b.txt"));
  await open.trees.keep(tree, "");
  ws.write("a.txt", "mine again\n2\n3\n4\n5\n6\n7\n8\n9\n");
  const joined = await open.trees.apply("task-1");
  expect(joined).toMatchObject({ outcome: "joined", files: ["a.txt", "b.txt", "made.txt"] });
  expect(ws.read("a.txt")).toBe("mine again\n2\n3\n4\n5\n6\n7\n8\ntheirs\n");
  expect(ws.read("made.txt")).toBe("new\n");
  expect(ws.exists("b.txt")).toBe(false);
  expect(ws.git("ls-files", "--stage")).toBe(index);
  expect(await open.trees.left()).toEqual([]);
});

test("a clash is told with its files, changes no byte and loses nothing [A-SUB-04]", async () => {
  await using ws = await dirtyProject();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  write(tree.folder, "a.txt", "theirs\n");
  write(tree.folder, "b.txt", "theirs\n");
  await open.trees.keep(tree, "");
  ws.write("a.txt", "mine\n");
  const before = userView(ws);
  for (const join of [open.trees.apply("task-1"), open.trees.merge("pi/task-1")]) {
    const joined = await join;
    expect(joined).toMatchObject({ outcome: "conflict", files: ["a.txt"] });
    expect(joined.message).toContain("pi/task-1");
  }
  expect(userView(ws)).toEqual(before);
  expect(ws.git("show", "pi/task-1:a.txt")).toBe("theirs\n");
});

test("merge makes one commit of the agent's change alone, beside other uncommitted work [A-SUB-04]", async () => {
  await using ws = await dirtyProject();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  write(tree.folder, "b.txt", "theirs\n");
  await open.trees.keep(tree, "change b");
  expect(await open.trees.merge("task-1")).toMatchObject({ outcome: "joined", files: ["b.txt"] });
  expect(ws.git("show", "--name-only", "--format=%s|%an", "HEAD")).toBe(
    "pi task-1: change b|Test Author\n\nb.txt\n",
  );
  expect(ws.git("status", "--porcelain")).toBe("MM a.txt\n?? new.txt\n");
  expect(ws.read("a.txt")).toBe("staged, then changed\n");
});

test("merge over a file with uncommitted changes is refused and changes nothing [A-SUB-04]", async () => {
  await using ws = await workspace({ "a.txt": "1\n2\n3\n4\n5\n6\n7\n8\n9\n" }, { git: true });
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  write(tree.folder, "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\ntheirs\n");
  await open.trees.keep(tree, "");
  ws.write("a.txt", "mine\n2\n3\n4\n5\n6\n7\n8\n9\n");
  const before = userView(ws);
  expect(await open.trees.merge("task-1")).toMatchObject({ outcome: "refused" });
  expect(userView(ws)).toEqual(before);
});

test("drop forgets the branch and the worktree, and says by which commit it can still be found", async () => {
  await using ws = await dirtyProject();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  write(tree.folder, "b.txt", "theirs\n");
  write(tree.folder, "x.log", "ignored\n");
  await open.trees.keep(tree, "");
  const commit = await open.trees.drop("task-1");
  expect(ws.git("show", `${commit}:b.txt`)).toBe("theirs\n");
  expect(existsSync(tree.folder)).toBe(false);
  expect(await open.trees.left()).toEqual([]);
});

test("a finished agent's worktree comes back from its branch [A-SUB-04]", async () => {
  await using ws = await dirtyProject();
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  write(tree.folder, "b.txt", "first\n");
  const change = await open.trees.keep(tree, "");
  const again = await open.trees.reopen("task-1", change!);
  expect(readFileSync(join(again!.folder, "b.txt"), "utf8")).toBe("first\n");
  write(again!.folder, "b.txt", "second\n");
  await open.trees.keep(again!, "");
  expect(ws.git("show", "pi/task-1:b.txt")).toBe("second\n");
});

test("a repository without a commit, and an untracked subfolder as the place of work, have worktrees too [A06]", async () => {
  await using ws = await workspace({ "deep/sub/x.txt": "x\n" });
  ws.git("init", "--quiet", "--initial-branch=main");
  await using open = worktreesOf(ws, ws.at("deep/sub"));
  const tree = await made(open.trees, "task-1");
  expect(tree.cwd).toBe(join(tree.folder, "deep", "sub"));
  write(tree.cwd, "x.txt", "y\n");
  await open.trees.keep(tree, "");
  expect(await open.trees.apply("task-1")).toMatchObject({ outcome: "joined" });
  expect(ws.read("deep/sub/x.txt")).toBe("y\n");
});

test("without a repository, and in a bare one, it says why there is no worktree [A06]", async () => {
  await using ws = await workspace({ "a.txt": "a" });
  await using open = worktreesOf(ws);
  expect(await open.trees.make("task-1")).toEqual({ reason: "this is no git repository" });
  ws.git("init", "--quiet", "--bare", ws.at("bare.git"));
  await using bare = worktreesOf(ws, ws.at("bare.git"));
  expect(await bare.trees.make("task-1")).toEqual({ reason: "this repository has no work tree here" });
  expect(await open.trees.left()).toEqual([]);
});

test("a worktree inside of a linked worktree works, and both share one place [A06]", async () => {
  await using ws = await dirtyProject();
  ws.git("worktree", "add", "--quiet", join(ws.outside, "linked"));
  await using open = worktreesOf(ws, join(ws.outside, "linked"));
  const tree = await made(open.trees, "task-1");
  expect(tree.folder).toBe(ws.at(".git/pi-worktrees/task-1"));
  write(tree.folder, "b.txt", "linked\n");
  await open.trees.keep(tree, "");
  await open.trees.apply("task-1");
  expect(readFileSync(join(ws.outside, "linked", "b.txt"), "utf8")).toBe("linked\n");
  expect(ws.read("b.txt")).toBe("one\n");
});

test("a worktree whose making was cut off is removed, and never taken for one in which files were deleted [A01][A04]", async () => {
  await using ws = await dirtyProject();
  await using open = worktreesOf(ws);
  const folder = ws.at(".git/pi-worktrees");
  const base = ws
    .git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "pi: the project when task-1 began")
    .trim();
  ws.git("worktree", "add", "--quiet", "-b", "pi/task-1", join(folder, "task-1"), base);
  rmSync(join(folder, "task-1", "b.txt"));
  disown(ws, base, false);
  expect(await open.trees.apply("task-1")).toMatchObject({ outcome: "refused" });
  expect(ws.read("b.txt")).toBe("one\n");
  expect(await open.trees.prune()).toEqual({ kept: 0 });
  expect([existsSync(join(folder, "task-1")), ws.git("branch", "--list", "pi/*")]).toEqual([false, ""]);
});

test.each(["half of it", "none"])(
  "a worktree whose making was cut off is kept as nothing, with %s of what git knew of it [A01][A04]",
  async (left) => {
    await using ws = await dirtyProject();
    await using open = worktreesOf(ws);
    const folder = ws.at(".git/pi-worktrees");
    const base = ws
      .git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "pi: the project when task-1 began")
      .trim();
    ws.git("worktree", "add", "--quiet", "-b", "pi/task-1", join(folder, "task-1"), base);
    rmSync(join(folder, "task-1", "b.txt"));
    if (left === "none") rmSync(ws.at(".git/worktrees/task-1"), { recursive: true });
    disown(ws, base, false);
    expect(await open.trees.keep({ id: "task-1", base }, "")).toBe(null);
    expect([existsSync(join(folder, "task-1")), ws.git("branch", "--list", "pi/*")]).toEqual([false, ""]);
    expect(await open.trees.left()).toEqual([]);
  },
);

test("no hook, filter, signer or file monitor of a hostile repository runs [X01]", async () => {
  await using ws = await workspace(
    { "a.txt": "a\n", ".gitattributes": "* filter=evil diff=evil merge=evil\n" },
    { git: true },
  );
  const evil = `touch ${ws.at("pwned")}; cat`;
  for (const [key, value] of [
    ["filter.evil.clean", evil],
    ["filter.evil.smudge", evil],
    ["filter.evil.required", "true"],
    ["diff.evil.textconv", evil],
    ["merge.evil.driver", evil],
    ["core.fsmonitor", ws.at(".git/evil")],
    ["commit.gpgSign", "true"],
    ["gpg.program", ws.at(".git/evil")],
  ] as const)
    ws.git("config", key, value);
  const hooks = [
    "post-checkout",
    "pre-commit",
    "post-commit",
    "reference-transaction",
    "post-index-change",
    "post-merge",
  ];
  for (const name of ["evil", ...hooks.map((hook) => `hooks/${hook}`)])
    ws.write(`.git/${name}`, executable(`#!/bin/sh\n${evil}\n`));
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  write(tree.folder, "a.txt", "b\n");
  await open.trees.keep(tree, "");
  await open.trees.apply("task-1");
  await open.trees.prune();
  expect(ws.read("a.txt")).toBe("b\n");
  expect(ws.exists("pwned")).toBe(false);
});

test("submodules and LFS files are named as what the copy does not hold [A06]", async () => {
  await using ws = await workspace(
    { "a.bin": "a\n", ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n", ".gitmodules": "" },
    { git: true },
  );
  await using open = worktreesOf(ws);
  const tree = await made(open.trees, "task-1");
  expect(tree.notes.join(" ")).toContain("submodules");
  expect(tree.forAgent.join(" ")).toContain("Git LFS");
});
