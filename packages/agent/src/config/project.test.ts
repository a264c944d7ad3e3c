import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { findProject } from "./project.ts";

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
