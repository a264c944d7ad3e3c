import { expect, test } from "bun:test";
import { link, workspace } from "@pi-ts/testkit";
import { findSecretFiles } from "./secret-scan.ts";

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
  const found = await findSecretFiles(ws.path);
  expect(found).toEqual({
    files: [".env", "shared.txt", "a/b/c/id_ed25519"].map((name) => `${ws.path}/${name}`),
    complete: true,
  });
});

test("a folder that is not there holds no secrets", async () => {
  await using ws = await workspace({});
  expect(await findSecretFiles(`${ws.path}/gone`)).toEqual({ files: [], complete: true });
});
