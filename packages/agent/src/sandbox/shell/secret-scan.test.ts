import { expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { link, workspace } from "@pi-ts/testkit";
import { createSecretScan } from "./secret-scan.ts";

test("secret files are found in all folders, through links, and not in what tools install [X04]", async () => {
  await using ws = await workspace({
    ".env": "1",
    ".env.example": "2",
    "a/b/c/id_ed25519": "3",
    "a/node_modules/x/.env": "4",
    "a/.env.production": link("../shared.txt"),
    "a/.env.gone": link("nowhere"),
    "shared.txt": "5",
  });
  const found = await createSecretScan(ws.path).find();
  expect(found).toEqual([".env", "a/b/c/id_ed25519", "shared.txt"].map((name) => `${ws.path}/${name}`));
});

test("a second look finds what was made, moved and removed in any folder since the first [X04]", async () => {
  await using ws = await workspace({ "a/b/x": "", "a/.env": "1", "c/d/y": "" });
  for (const folder of [".", "a", "a/b", "c", "c/d"]) utimesSync(`${ws.path}/${folder}`, 1, 1);
  const scan = createSecretScan(ws.path);
  expect(await scan.find()).toEqual([`${ws.path}/a/.env`]);
  ws.write("a/b/.env.local", "2");
  rmSync(`${ws.path}/a/.env`);
  mkdirSync(`${ws.path}/c/new`);
  ws.write("c/new/id_rsa", "3");
  expect(await scan.find()).toEqual([`${ws.path}/a/b/.env.local`, `${ws.path}/c/new/id_rsa`]);
  renameSync(`${ws.path}/c/new`, `${ws.path}/moved`);
  expect(await scan.find()).toEqual([`${ws.path}/a/b/.env.local`, `${ws.path}/moved/id_rsa`]);
});

test("in a project that is the whole machine the kernel's own folders are left out [X04]", async () => {
  const found = await createSecretScan("/").find();
  expect(found.filter((path) => /^\/(proc|sys|dev)\//.test(path))).toEqual([]);
});

test("a folder that is not there holds no secrets", async () => {
  await using ws = await workspace({});
  expect(await createSecretScan(`${ws.path}/gone`).find()).toEqual([]);
});
