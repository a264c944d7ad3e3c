import { expect, test } from "bun:test";
import { executable, link, workspace } from "@pi-ts/testkit";
import { findProgram, searchPlaces } from "./find-program.ts";
import { foundServers } from "./found-servers.ts";
import { SERVERS } from "./server-table.ts";

const server = (name: string) => SERVERS.find((definition) => definition.name === name)!;
const SCRIPT = executable("#!/bin/sh\nexit 1\n");

test("Go, TypeScript, Python and Rust have servers that are found without configuration [A-LSP-05]", async () => {
  await using ws = await workspace();
  for (const name of ["gopls", "typescript-language-server", "pyright-langserver", "ruff", "rust-analyzer"])
    ws.write(`${ws.outside}/bin/${name}`, SCRIPT);
  const places = searchPlaces({ PATH: `${ws.outside}/bin` }, ws.home, ws.path, true);
  expect(foundServers({}, places).map(({ name, needsTrust }) => [name, needsTrust])).toEqual([
    ["gopls", false],
    ["typescript", false],
    ["pyright", false],
    ["ruff", false],
    ["rust-analyzer", false],
  ]);
});

test("toolchains' own folders are looked through after PATH [A-LSP-05]", async () => {
  await using ws = await workspace();
  ws.write(`${ws.home}/.cargo/bin/rust-analyzer`, SCRIPT);
  ws.write(`${ws.outside}/gopath/bin/gopls`, SCRIPT);
  const places = searchPlaces({ PATH: "/nowhere", GOPATH: `${ws.outside}/gopath` }, ws.home, ws.path, true);
  expect(findProgram(server("rust-analyzer"), ws.path, places)?.argv).toEqual([
    `${ws.home}/.cargo/bin/rust-analyzer`,
  ]);
  expect(findProgram(server("gopls"), ws.path, places)?.argv[0]).toBe(`${ws.outside}/gopath/bin/gopls`);
});

test("a server in the project's own node_modules is taken in a trusted project, nearest first, and in no other [X01]", async () => {
  await using ws = await workspace({
    "node_modules/.bin/typescript-language-server": SCRIPT,
    "packages/a/node_modules/.bin/typescript-language-server": SCRIPT,
  });
  const places = (trusted: boolean) => searchPlaces({ PATH: "/nowhere" }, ws.home, ws.path, trusted);
  const find = (trusted: boolean) => findProgram(server("typescript"), ws.at("packages/a"), places(trusted));
  expect(find(true)?.argv).toEqual([
    ws.at("packages/a/node_modules/.bin/typescript-language-server"),
    "--stdio",
  ]);
  expect(find(false)).toBeNull();
});

test("no way through PATH leads to a program of a project that is not trusted [X01]", async () => {
  await using ws = await workspace({ "bin/gopls": SCRIPT });
  ws.write(`${ws.outside}/bin/gopls`, link("../../project/bin/gopls"));
  for (const PATH of [ws.at("bin"), "bin", ".", `${ws.outside}/bin`]) {
    const found = (trusted: boolean) =>
      findProgram(server("gopls"), ws.path, searchPlaces({ PATH }, ws.home, ws.path, trusted));
    expect(found(false)).toBeNull();
  }
  const trusted = searchPlaces({ PATH: ws.at("bin") }, ws.home, ws.path, true);
  expect(findProgram(server("gopls"), ws.path, trusted)?.argv).toEqual([ws.at("bin/gopls")]);
});

test("a file that may not be run, and a folder, are no programs", async () => {
  await using ws = await workspace();
  ws.write(`${ws.outside}/bin/gopls`, "text");
  ws.write(`${ws.outside}/other/gopls/x`, "text");
  const PATH = `${ws.outside}/bin:${ws.outside}/other`;
  expect(findProgram(server("gopls"), ws.path, searchPlaces({ PATH }, ws.home, ws.path, true))).toBeNull();
});
