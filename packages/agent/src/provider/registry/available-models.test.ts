import { expect, test } from "bun:test";
import { join } from "node:path";
import { modelServer, type Workspace, workspace } from "@pi-ts/testkit";
import { availableModels } from "./available-models.ts";
import type { ResolveOptions } from "./resolve.ts";
import { optionsWith } from "./test-support/resolve-with.ts";

async function available(ws: Workspace, options: ResolveOptions) {
  const list = { cacheFolder: join(ws.home, "cache"), clock: { now: () => 1 } };
  const { models, notices } = await availableModels(options, list, new AbortController().signal);
  return {
    models,
    names: models.map((model) => `${model.provider}/${model.id}`),
    said: notices.map((n) => n.message).join("\n"),
  };
}

test("every provider with a key is asked, also configured ones, with what only the config knows", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.models = [{ id: "listed" }] as typeof server.models;
  const environment = { ANTHROPIC_API_KEY: "a", ANTHROPIC_BASE_URL: server.url };
  const providers = {
    mine: { baseUrl: server.baseUrl("openai-chat"), models: [{ id: "own", contextWindow: 7 }] },
  };
  const { names, models, said } = await available(ws, { ...optionsWith(environment, { providers }), fetch });
  expect(names).toEqual(["anthropic/listed", "mine/listed", "mine/own"]);
  expect(models[2]).toMatchObject({ known: true, contextWindow: 7, wire: "openai-chat" });
  expect(said).toBe("");
});

test("a service that does not answer gives its built-in list and a notice [P19]", async () => {
  await using ws = await workspace();
  const { names, said } = await available(ws, optionsWith({ ANTHROPIC_API_KEY: "a" }));
  expect(names).toContain("anthropic/claude-opus-5-5");
  expect(said).toContain("anthropic could not be asked for its models");
});

test("without any key the built-in table is shown, and said to be that [U03]", async () => {
  await using ws = await workspace();
  const { names, said } = await available(ws, optionsWith({}));
  expect(names).toContain("openai/gpt-6.2-sol");
  expect(said).toBe("no API key is set: these are the models that are known without asking");
});

test("an Ollama that runs is asked, one that does not is no news [A-PROV-04]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.models = [{ id: "qwen3:8b" }] as typeof server.models;
  const environment = { OLLAMA_HOST: server.url };
  const running = { ...optionsWith(environment, { localModels: async () => ["qwen3:8b"] }), fetch };
  expect((await available(ws, running)).names).toEqual(["ollama/qwen3:8b"]);
  expect((await available(ws, optionsWith(environment))).said).not.toContain("ollama");
});

test("a key that must not be sent is named instead of used [U03]", async () => {
  await using ws = await workspace();
  const { said } = await available(ws, optionsWith({ ANTHROPIC_API_KEY: "a\n" }));
  expect(said).toContain("ANTHROPIC_API_KEY (from the environment) has a line break in it");
});
