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
