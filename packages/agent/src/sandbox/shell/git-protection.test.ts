import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { link, workspace } from "@pi-ts/testkit";
import { gitProtection } from "./git-protection.ts";

const NOTHING = { writable: [], fixed: [], readOnly: [] };

test("hooks and settings of the project's repository are protected, and its folder stays where it is [G03]", async () => {
  await using ws = await workspace({}, { git: true });
  const git = `${ws.path}/.git`;
  expect(gitProtection(ws.path, true)).toEqual({
    writable: [],
    fixed: [git],
    readOnly: [`${git}/hooks`, `${git}/config`],
    gitFolder: git,
  });
});

test("a linked worktree may write to its repository, whose hooks stay protected [G03]", async () => {
  await using ws = await workspace({ "a.txt": "" }, { git: true });
  ws.git("worktree", "add", "-q", `${ws.outside}/tree`);
  expect(gitProtection(`${ws.outside}/tree`, true)).toEqual({
    writable: [`${ws.path}/.git`],
    fixed: [],
    readOnly: [`${ws.outside}/tree/.git`, `${ws.path}/.git/hooks`, `${ws.path}/.git/config`],
    gitFolder: `${ws.path}/.git`,
  });
});

test("a subagent's worktree may write to new objects and its own part of the repository, and to nothing else of it [G03][A-SUB-04]", async () => {
  await using ws = await workspace({ "a.txt": "" }, { git: true });
  const git = `${ws.path}/.git`;
  const tree = `${git}/pi-worktrees/task-1`;
  ws.git("worktree", "add", "-q", "--detach", tree);
  const own = `${git}/worktrees/task-1`;
  const { writable, readOnly } = gitProtection(tree, true);
  expect(writable).toEqual([`${git}/objects`, own]);
  expect(readOnly).toEqual(
    expect.arrayContaining([`${tree}/.git`, `${git}/objects/pack`, `${own}/gitdir`, `${own}/commondir`]),
  );
});

test("a folder below the top of a linked worktree has the rights of that worktree, a subagent's too [G03][A-SUB-04]", async () => {
  await using ws = await workspace({ "packages/a/x": "" }, { git: true });
  const git = `${ws.path}/.git`;
  ws.git("worktree", "add", "-q", "--detach", `${git}/pi-worktrees/task-1`);
  ws.git("worktree", "add", "-q", "--detach", `${ws.outside}/tree`);
  const below = (tree: string) => gitProtection(`${tree}/packages/a`, true).writable;
  expect(below(`${git}/pi-worktrees/task-1`)).toEqual([`${git}/objects`, `${git}/worktrees/task-1`]);
  expect(below(`${ws.outside}/tree`)).toEqual([git]);
});

test("a folder in a git folder that is no worktree makes nothing of that writable [G03]", async () => {
  await using ws = await workspace({ ".git/stray/a/x": "" }, { git: true });
  expect(gitProtection(`${ws.path}/.git/stray/a`, true)).toEqual(NOTHING);
});

test("a project cannot make a folder of the user writable by naming it as its git folder [G03]", async () => {
  await using ws = await workspace({ ".git": "gitdir: ../home/private\n" });
  mkdirSync(`${ws.home}/private`, { recursive: true });
  await Bun.write(`${ws.home}/private/commondir`, "..\n");
  expect(gitProtection(ws.path, true)).toEqual({ ...NOTHING, readOnly: [`${ws.path}/.git`] });
  await using other = await workspace({ ".git": link(ws.home) });
  expect(gitProtection(other.path, true)).toEqual(NOTHING);
});

test("a part of a repository may be committed from", async () => {
  await using ws = await workspace({ "packages/a/x": "" }, { git: true });
  const protection = gitProtection(`${ws.path}/packages/a`, true);
  expect(protection.writable).toEqual([`${ws.path}/.git`]);
  expect(protection.readOnly).toContain(`${ws.path}/.git/hooks`);
});
