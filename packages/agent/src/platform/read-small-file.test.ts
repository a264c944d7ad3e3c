import { expect, test } from "bun:test";
import { symlinkSync, truncateSync } from "node:fs";
import { workspace } from "@pi-ts/testkit";
import { readSmallFile } from "./read-small-file.ts";

test("a small file is read as text, without its byte order mark", async () => {
  await using ws = await workspace({ "a.txt": "\ufeffünï\n" });
  expect(readSmallFile(ws.at("a.txt"))).toBe("ünï\n");
});

test("what would fill memory or wait for ever in the place of a small file is refused at once [C02][K01]", async () => {
  await using ws = await workspace({ "big.txt": "x", "folder/a.txt": "" });
  truncateSync(ws.at("big.txt"), 10 * 1024 * 1024 * 1024);
  expect(() => readSmallFile(ws.at("big.txt"))).toThrow("too large");
  expect(() => readSmallFile(ws.at("folder"))).toThrow("folder");
  expect(() => readSmallFile(ws.at("missing"))).toThrow("ENOENT");
  if (process.platform === "win32") return;
  Bun.spawnSync(["mkfifo", ws.at("pipe")]);
  expect(() => readSmallFile(ws.at("pipe"))).toThrow("not a file");
  symlinkSync("/dev/zero", ws.at("zero"));
  expect(() => readSmallFile(ws.at("zero"))).toThrow("not a file");
});
