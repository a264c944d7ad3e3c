import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, modelServer, type Workspace, workspace } from "@pi-ts/testkit";
import type { ProviderSettings, WireAdapter } from "../../contract/model.ts";
import { keptModel, listModels } from "./list-models.ts";
import { loadWire } from "./wires.ts";

const DAY = 24 * 60 * 60 * 1000;
const signal = new AbortController().signal;

function settingsFor(server: ModelServer, wire: ProviderSettings["wire"] = "anthropic"): ProviderSettings {
  return {
    provider: wire === "anthropic" ? "anthropic" : "mine",
    wire,
    baseUrl: server.baseUrl(wire),
    apiKey: "k",
    headers: {},
    fetch,
  };
}

function options(ws: Workspace, now = 1_000) {
  return { cacheFolder: join(ws.home, "cache"), clock: { now: () => now } };
}

test.each(["anthropic", "openai-responses", "openai-chat", "gemini", "ollama"] as const)(
  "the wire %s is found, and lists what its service offers [A-PROV-05]",
  async (wire) => {
    await using server = await modelServer();
    await using ws = await workspace();
    const adapter: WireAdapter = await loadWire(wire);
    expect(adapter.wire).toBe(wire);
    const models = await listModels(settingsFor(server, wire), options(ws), signal);
    expect(models.map((model) => model.id).sort()).toEqual(server.models.map((model) => model.id).sort());
    expect(models.every((model) => model.wire === wire)).toBe(true);
  },
);

test("a list is kept privately for a day, and asked for again after it or when told to [P19]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const settings = settingsFor(server);
  const first = await listModels(settings, options(ws), signal);
  server.models = [];
  expect(await listModels(settings, options(ws, 1_000 + DAY - 1), signal)).toEqual(first);
  expect(await listModels(settings, options(ws, 1_000 + DAY), signal)).toEqual([]);
  const file = join(ws.home, "cache/models/anthropic.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  server.models = [{ id: "new" }] as typeof server.models;
  expect(await listModels(settings, options(ws, 1_000 + DAY), signal)).toEqual([]);
  expect(await listModels(settings, { ...options(ws, 1_000 + DAY), refresh: true }, signal)).toMatchObject([
    { id: "new" },
  ]);
});

test("a list that was kept for another address, or is damaged, is not used", async () => {
  await using server = await modelServer();
  await using other = await modelServer();
  await using ws = await workspace();
  await listModels(settingsFor(server), options(ws), signal);
  other.models = [];
  expect(await listModels(settingsFor(other), options(ws), signal)).toEqual([]);
  writeFileSync(join(ws.home, "cache/models/anthropic.json"), "{");
  expect((await listModels(settingsFor(server), options(ws), signal)).length).toBeGreaterThan(0);
});

test("what the service does not say is filled in from the built-in table", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.models = [{ id: "claude-opus-5-5" }] as typeof server.models;
  const [model] = await listModels(settingsFor(server), options(ws), signal);
  expect(model).toMatchObject({ id: "claude-opus-5-5", cost: { input: 4 }, levels: { high: "high" } });
});

test("a list that cannot be kept is given all the same", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  writeFileSync(join(ws.home, "cache"), "a file in the way");
  expect((await listModels(settingsFor(server), options(ws), signal)).length).toBeGreaterThan(0);
});

test("a provider's name cannot lead its list out of the cache folder [X01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  mkdirSync(join(ws.home, "cache"));
  await listModels({ ...settingsFor(server), provider: "../../evil" }, options(ws), signal);
  expect(readdirSync(join(ws.home, "cache/models"))).toEqual(["..%2F..%2Fevil.json"]);
  expect(existsSync(join(ws.home, "evil.json"))).toBe(false);
});

test("what a service said of a model is known at any later time, for its address only [A-PROV-05]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const settings = settingsFor(server);
  server.models = [{ id: "claude-of-tomorrow", contextWindow: 3_000_000 }];
  expect(keptModel(settings, "claude-of-tomorrow", options(ws).cacheFolder)).toBeNull();
  await listModels(settings, options(ws), signal);
  expect(keptModel(settings, "claude-of-tomorrow", options(ws).cacheFolder)).toMatchObject({
    provider: "anthropic",
    known: true,
    contextWindow: 3_000_000,
  });
  expect(keptModel(settings, "another", options(ws).cacheFolder)).toBeNull();
  const elsewhere = { ...settings, baseUrl: "http://127.0.0.1:1" };
  expect(keptModel(elsewhere, "claude-of-tomorrow", options(ws).cacheFolder)).toBeNull();
});
