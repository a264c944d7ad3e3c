import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { findProject, projectSkillFolders } from "./project.ts";

test("a folder inside of a git work tree belongs to the nearest .pi-go upwards [A-CONF-01]", async () => {
  await using ws = await workspace({ ".pi-go/config.json": "{}", "a/b/x": "" }, { git: true });
  expect(findProject(join(ws.path, "a/b"), join(ws.home, ".pi-go"))).toEqual({
    root: ws.path,
    folder: join(ws.path, ".pi-go"),
  });
});

test("a repository inside of a project does not take the outer one's settings [X01]", async () => {
  await using ws = await workspace({ ".pi-go/config.json": "{}", "inner/.git/HEAD": "" }, { git: true });
  const inner = join(ws.path, "inner");
  expect(findProject(inner, join(ws.home, ".pi-go"))).toEqual({ root: inner, folder: null });
});

test("outside of git only the folder itself counts [X01]", async () => {
  await using ws = await workspace({ ".pi-go/config.json": "{}", "a/x": "" });
  const inner = join(ws.path, "a");
  expect(findProject(inner, join(ws.home, ".pi-go"))).toEqual({ root: inner, folder: null });
  expect(findProject(ws.path, join(ws.home, ".pi-go")).folder).toBe(join(ws.path, ".pi-go"));
});

test("the home folder as a project has no settings of its own: its .pi-go is the user's", async () => {
  await using ws = await workspace();
  mkdirSync(join(ws.home, ".pi-go"));
  expect(findProject(ws.home, join(ws.home, ".pi-go")).folder).toBeNull();
});

test("the root of the file system can be a project", () => {
  expect(findProject("/", "/nowhere/.pi-go").root).toBe("/");
});

test("a folder that is reached through a link is the same project [X01]", async () => {
  await using ws = await workspace({ ".pi-go/config.json": "{}" });
  const { symlinkSync } = await import("node:fs");
  symlinkSync(ws.path, join(ws.outside, "alias"));
  expect(findProject(join(ws.outside, "alias"), join(ws.home, ".pi-go")).root).toBe(ws.path);
});

test("without a .pi-go the nearest folder with skills of other agents or an .mcp.json is the project", async () => {
  await using ws = await workspace(
    { ".claude/skills/a/SKILL.md": "x", "sub/.mcp.json": "{}", "sub/deep/f": "", "other/f": "" },
    { git: true },
  );
  const rootOf = (path: string) => findProject(ws.at(path), join(ws.home, ".pi-go")).root;
  expect(rootOf("other")).toBe(ws.path);
  expect(rootOf("sub/deep")).toBe(ws.at("sub"));
});

test("skills lie in .claude, .agents and .pi-go of the project, the last one strongest; in the home folder they are the user's own", async () => {
  await using ws = await workspace({ ".pi-go/x": "" });
  expect(projectSkillFolders(findProject(ws.path, join(ws.home, ".pi-go")))).toEqual(
    [".claude/skills", ".agents/skills", ".pi-go/skills"].map((path) => ws.at(path)),
  );
  mkdirSync(join(ws.home, ".pi-go"));
  mkdirSync(join(ws.home, ".claude/skills"), { recursive: true });
  expect(projectSkillFolders(findProject(ws.home, join(ws.home, ".pi-go")))).toEqual([]);
});
