import { expect, test } from "bun:test";
import { chmodSync, mkdirSync } from "node:fs";
import { link, type Workspace, workspace } from "@pi-ts/testkit";
import { collectContextFiles } from "./context-files.ts";

const collect = (ws: Workspace, cwd = ".") => collectContextFiles({ cwd: ws.at(cwd), userFolder: ws.home });
const names = (ws: Workspace, cwd?: string) =>
  collect(ws, cwd).files.map((file) => [file.scope, file.name, file.text]);

test("instructions come from the user, then from the top of the repository down, the nearest last", async () => {
  await using ws = await workspace({
    "AGENTS.md": "top",
    "pkg/AGENTS.md": "pkg",
    "pkg/app/AGENTS.md": "app",
    "pkg/app/.pi-go/AGENTS.md": "own",
    "pkg/other/AGENTS.md": "other",
    ".git/HEAD": "",
  });
  ws.write(`${ws.home}/AGENTS.md`, "user");
  expect(names(ws, "pkg/app")).toEqual([
    ["user", `${ws.home}/AGENTS.md`, "user"],
    ["parent", "AGENTS.md", "top"],
    ["parent", "pkg/AGENTS.md", "pkg"],
    ["project", "pkg/app/AGENTS.md", "app"],
    ["project", "pkg/app/.pi-go/AGENTS.md", "own"],
  ]);
});

test("without a repository only the current folder is read", async () => {
  await using ws = await workspace({ "AGENTS.md": "above", "pkg/AGENTS.md": "here" });
  expect(names(ws, "pkg")).toEqual([["project", "AGENTS.md", "here"]]);
});

test("CLAUDE.md is read where a folder has no AGENTS.md", async () => {
  await using ws = await workspace({
    "CLAUDE.md": "claude",
    "pkg/CLAUDE.md": "not this",
    "pkg/AGENTS.md": "agents",
    ".git": "gitdir: /elsewhere",
  });
  expect(names(ws, "pkg").map(([, name]) => name)).toEqual(["CLAUDE.md", "pkg/AGENTS.md"]);
});

test("a link inside of the project is followed, and a file with two names counts once", async () => {
  await using ws = await workspace({
    "AGENTS.md": link("docs/rules.md"),
    "docs/rules.md": "rules",
    ".pi-go/AGENTS.md": link("../AGENTS.md"),
  });
  expect(names(ws)).toEqual([["project", "docs/rules.md", "rules"]]);
});

test("a link that leaves the project is reported and not read, also through a linked folder [X05]", async () => {
  await using ws = await workspace({ ".pi-go": link("../outside"), "AGENTS.md": link("../outside/secret") });
  ws.write(`${ws.outside}/secret`, "secret");
  ws.write(`${ws.outside}/AGENTS.md`, "secret");
  const { files, problems } = collect(ws);
  expect(files).toEqual([]);
  expect(problems).toEqual([
    `AGENTS.md was not read: it is a link to ${ws.outside}/secret, outside of the project`,
    `.pi-go/AGENTS.md was not read: it is a link to ${ws.outside}/AGENTS.md, outside of the project`,
  ]);
});

test("the user's own file may be a link to anywhere", async () => {
  await using ws = await workspace({});
  ws.write(`${ws.outside}/dotfiles.md`, "mine");
  ws.write(`${ws.home}/AGENTS.md`, link("../outside/dotfiles.md"));
  expect(names(ws).map(([scope, , text]) => [scope, text])).toEqual([["user", "mine"]]);
});

test("what is no text is reported and costs nothing else", async () => {
  await using ws = await workspace({ ".pi-go/AGENTS.md": "own", ".git/HEAD": "", "a/b/c/AGENTS.md": "c" });
  ws.write("AGENTS.md", new Uint8Array([0x41, 0, 0x42]));
  ws.write("a/AGENTS.md", new Uint8Array([0x41, 0xff, 0x42]));
  mkdirSync(ws.at("a/b/AGENTS.md"));
  const { files, problems } = collect(ws, "a/b/c");
  expect(files.map((file) => file.text)).toEqual(["c"]);
  expect(problems).toEqual([
    "AGENTS.md was not read: it holds binary data",
    "a/AGENTS.md was not read: it is not UTF-8 text",
    "a/b/AGENTS.md was not read: it is not a file",
  ]);
});

test("a link to nothing, a circle of links and a file nobody may read are reported", async () => {
  await using ws = await workspace({
    "AGENTS.md": link("gone.md"),
    ".git/HEAD": "",
    "a/AGENTS.md": link("AGENTS.md"),
    "a/b/AGENTS.md": "x",
  });
  chmodSync(ws.at("a/b/AGENTS.md"), 0);
  const { problems } = collect(ws, "a/b");
  expect(problems[0]).toContain("a link to a file that does not exist");
  expect(problems[1]).toContain("a/AGENTS.md was not read");
  // Root may read everything.
  if (process.getuid?.() !== 0) expect(problems[2]).toContain("a/b/AGENTS.md was not read");
});

test("a long file is cut at a line, and the cut is stated", async () => {
  await using ws = await workspace({ "AGENTS.md": `${"é".repeat(49)}\n`.repeat(400) });
  const { files, problems } = collect(ws);
  const [file] = files;
  expect(file!.text).toBe(`${"é".repeat(49)}\n`.repeat(330));
  expect(file!.cut).toEqual({ leftOut: 39_600 - 32_670, size: 39_600 });
  expect(problems).toEqual(["AGENTS.md was cut: its last 6930 of 39600 bytes were not read"]);
});

test("a cut in a file of one line never splits a character [F19]", async () => {
  for (let before = 0; before < 4; before++) {
    await using ws = await workspace({ "AGENTS.md": "x".repeat(before) + "😀".repeat(10_000) });
    const { text } = collect(ws).files[0]!;
    expect(text).not.toContain("\ufffd");
    expect(text.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(text)).toBeGreaterThan(32 * 1024 - 4);
  }
});

test("together at most 64 KB are read: what is farthest away goes first, and that is said", async () => {
  const full = `${"x".repeat(1023)}\n`.repeat(30);
  await using ws = await workspace({
    "AGENTS.md": full,
    "a/AGENTS.md": full,
    "a/b/AGENTS.md": full,
    ".git/HEAD": "",
  });
  ws.write(`${ws.home}/AGENTS.md`, full);
  const { files, problems } = collect(ws, "a/b");
  expect(files.map((file) => [file.scope, file.text.length])).toEqual([
    ["user", 30 * 1024],
    ["parent", 4 * 1024],
    ["project", 30 * 1024],
  ]);
  expect(problems).toEqual([
    "a/AGENTS.md was cut: its last 26624 of 30720 bytes were not read",
    "AGENTS.md was left out: the instructions together are limited to 64 KB",
  ]);
});

test("a byte order mark is no part of the text, and an empty file is passed over", async () => {
  await using ws = await workspace({ "AGENTS.md": "\ufeffrules", ".pi-go/AGENTS.md": " \n" });
  expect(names(ws)).toEqual([["project", "AGENTS.md", "rules"]]);
});
