import { expect, test } from "bun:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { workspace } from "@pi-ts/testkit";
import { type Handshake, handshakeFile, readHandshake, runtimeName, writeHandshake } from "./handshake.ts";

const HANDSHAKE: Handshake = {
  host: "pi",
  hostVersion: "1.6.0",
  adapterVersion: "2.0.0",
  adapterPath: "/somewhere/pi.js",
  runtime: runtimeName(),
  store: { kind: "sqlite", path: "/somewhere/memory.db" },
  loadedAt: "2026-11-30T12:00:00.000Z",
};

test("what an adapter wrote is read again, is its owner's only, and leaves nothing beside it [W12]", async () => {
  await using ws = await workspace();
  const places = { globalFolder: ws.home };
  writeHandshake(places, { ...HANDSHAKE, adapterVersion: "1.0.0" });
  writeHandshake(places, HANDSHAKE);
  expect(readHandshake(places, "pi")).toMatchObject(HANDSHAKE);
  expect(readHandshake(places, "opencode")).toBeNull();
  const file = handshakeFile(places, "pi");
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(file))).toEqual(["pi.json"]);
});

test.each([
  ["no JSON", "{"],
  ["another form", JSON.stringify({ form: 2, ...HANDSHAKE })],
  ["another host's", JSON.stringify({ form: 1, ...HANDSHAKE, host: "opencode" })],
  ["a time that is none", JSON.stringify({ form: 1, ...HANDSHAKE, loadedAt: "soon" })],
  ["something huge", JSON.stringify({ form: 1, ...HANDSHAKE, more: "x".repeat(20_000) })],
])("a file with %s is no handshake", async (_, content) => {
  await using ws = await workspace();
  const places = { globalFolder: ws.home };
  writeHandshake(places, HANDSHAKE);
  writeFileSync(handshakeFile(places, "pi"), content);
  expect(readHandshake(places, "pi")).toBeNull();
});
