import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import type { RootMemo } from "../identity/git/root-memo.ts";
import { identifyProject } from "../identity/identify-project.ts";
import { keptRoots } from "./kept-roots.ts";

test("git is asked for a repository's first commit once, and again for another repository at its place [R02]", async () => {
  await using space = await workspace({ "a.txt": "one" }, { git: true });
  const kept = keptRoots(join(space.home, "claude-mem.db"), () => "token");
  let answered = 0;
  const roots: RootMemo = {
    ...kept,
    read: async (stamp) => {
      const found = await kept.read(stamp);
      if (found !== undefined) answered++;
      return found;
    },
  };
  const look = async () =>
    (await identifyProject(space.path, { home: space.home, roots })).evidence.rootCommit;
  const first = await look();
  expect(first).toBe(space.git("rev-parse", "HEAD").trim());
  expect([await look(), answered]).toEqual([first, 1]);
  rmSync(join(space.path, ".git"), { recursive: true });
  space.git("init", "-q");
  space.git("commit", "-q", "--allow-empty", "-m", "another beginning");
  const second = await look();
  expect([second, answered]).toEqual([space.git("rev-parse", "HEAD").trim(), 1]);
  expect(second).not.toBe(first);
});

test("where nothing is remembered yet, no file is made for first commits", async () => {
  await using space = await workspace();
  const roots = keptRoots(join(space.home, "none", "claude-mem.db"), () => "token");
  await roots.keep("stamp", "commit");
  expect(await roots.read("stamp")).toBeUndefined();
});
