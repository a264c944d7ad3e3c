import { expect, test } from "bun:test";
import { resolveRole } from "./resolve.ts";
import { optionsWith, resolveWith, said } from "./test-support/resolve-with.ts";

const KEYS = {
  ANTHROPIC_API_KEY: "sk-ant-1",
  OPENAI_API_KEY: "sk-proj-1",
  GEMINI_API_KEY: "AIza1",
  OPENROUTER_API_KEY: "sk-or-1",
  XAI_API_KEY: "xai-1",
};

test.each([
  ["claude-opus-5-5", "anthropic", "anthropic"],
  ["Claude-opus-5-5", "anthropic", "anthropic"],
  ["gpt-6.2-sol", "openai", "openai-responses"],
  ["o1-preview", "openai", "openai-responses"],
  ["o3", "openai", "openai-responses"],
  ["o4-mini", "openai", "openai-responses"],
  ["chatgpt-6-latest", "openai", "openai-responses"],
  ["codex-mini-latest", "openai", "openai-responses"],
  ["gemini-3.8-flash", "gemini", "gemini"],
  ["glm-5.3:cloud", "ollama", "ollama"],
  ["gpt-oss:120b-cloud", "ollama", "ollama"],
  ["gpt-oss:20b", "ollama", "ollama"],
  ["grok-4.7", "xai", "openai-chat"],
])(
  "the bare name %s goes to %s [A-PROV-01][A-PROV-02][A-PROV-03][A-PROV-04][A-ROLE-02]",
  async (request, provider, wire) => {
    const { model, settings } = await resolveWith(KEYS, { request });
    expect(model).toMatchObject({ provider, wire, id: request });
    expect(settings).toMatchObject({ provider, wire });
  },
);

test.each([
  ["anthropic/claude-opus-5-5", "anthropic", "claude-opus-5-5"],
  ["openai/claude-like", "openai", "claude-like"],
  ["google/gemini-3.8-flash", "gemini", "gemini-3.8-flash"],
  ["ollama/qwen3:8b", "ollama", "qwen3:8b"],
  ["ollama/library/qwen3", "ollama", "library/qwen3"],
  ["openrouter/anthropic/claude-opus-5.5", "openrouter", "anthropic/claude-opus-5.5"],
  [" xai/grok-4.7 ", "xai", "grok-4.7"],
])("%s names its provider [A-PROV-04][A-ROLE-02]", async (request, provider, id) => {
  expect((await resolveWith(KEYS, { request })).model).toMatchObject({ provider, id });
});

test("a known model brings its limits, its abilities and its price [A-ROLE-01]", async () => {
  const { model, notices } = await resolveWith(KEYS, { request: "claude-haiku-5-5" });
  expect(model).toMatchObject({
    known: true,
    contextWindow: 1_000_000,
    maxOutput: 128_000,
    images: true,
    reasoning: true,
    cost: { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 },
    tiers: [{ above: 100_000, input: 0.5 }],
  });
  expect(notices).toEqual([]);
});

test("a dated form of a known model is that model", async () => {
  const { model } = await resolveWith(KEYS, { request: "claude-sonnet-5-5-20261101" });
  expect(model).toMatchObject({ id: "claude-sonnet-5-5-20261101", known: true, contextWindow: 1_000_000 });
});

test("a model that nobody knows runs when its provider is clear, with a notice that lists near names [A-PROV-01]", async () => {
  const resolved = await resolveWith(KEYS, { request: "anthropic/claude-sonet-5-5" });
  expect(resolved.model).toMatchObject({ known: false, contextWindow: 128_000, id: "claude-sonet-5-5" });
  expect(said(resolved)).toContain(`not known to have a model "claude-sonet-5-5"`);
  expect(said(resolved)).toContain("anthropic/claude-sonnet-5-5");
});

test("a model of a local Ollama needs no key and no notice [A-PROV-04]", async () => {
  const { key, settings, notices } = await resolveWith(
    { OLLAMA_API_KEY: "left-over" },
    { request: "ollama/qwen3" },
  );
  expect(key).toBeNull();
  expect(settings.apiKey).toBeUndefined();
  expect(settings.baseUrl).toBe("http://127.0.0.1:11434");
  expect(notices).toEqual([]);
});

test("an unknown bare name is an error with near names, exit code 4 [A-ROLE-02]", async () => {
  await expect(resolveWith(KEYS, { request: "sonet" })).rejects.toMatchObject({
    code: "model_unknown",
    exitCode: 4,
    message: `unknown model "sonet"`,
    hint: expect.stringContaining("anthropic/claude-sonnet-5"),
  });
});

test.each(["", " ", "anthropic/", "a b", "claude\nx", "nobody/model"])(
  "the model %j is refused with exit code 4 before any request [A-ROLE-02]",
  async (request) => {
    const asked = request.trim() === "" ? { roles: { default: { model: request } } } : { request };
    await expect(resolveWith(KEYS, asked)).rejects.toMatchObject({ code: "model_unknown", exitCode: 4 });
  },
);

test("an unknown provider lists the known ones [A-ROLE-02]", async () => {
  await expect(resolveWith(KEYS, { request: "antropic/claude-x" })).rejects.toMatchObject({
    message: `unknown provider "antropic" in the model "antropic/claude-x"`,
    hint: expect.stringContaining("Near names: anthropic."),
  });
});

test.each(["constructor", "__proto__", "toString"])(
  "the name %s is no provider, role or model [X01]",
  async (name) => {
    await expect(resolveWith(KEYS, { request: `${name}/x` })).rejects.toMatchObject({
      code: "model_unknown",
    });
    await expect(resolveWith(KEYS, { request: name })).rejects.toMatchObject({ code: "model_unknown" });
    expect((await resolveWith(KEYS, { role: name })).model.provider).toBe("anthropic");
  },
);

const roles = {
  default: { model: "claude-opus-5-5" },
  smol: { model: "gpt-6-luna" },
  plan: { model: "special", provider: "openrouter" },
};

test("a role picks its model, --model wins over it, and a role that is not set is the default [A-ROLE-01][A-ROLE-02][A-ROLE-03]", async () => {
  const id = async (other: object) => (await resolveWith(KEYS, { roles, ...other })).model;
  expect(await id({})).toMatchObject({ id: "claude-opus-5-5" });
  expect(await id({ role: "smol" })).toMatchObject({ id: "gpt-6-luna", provider: "openai" });
  expect(await id({ role: "plan" })).toMatchObject({ id: "special", provider: "openrouter" });
  expect(await id({ role: "slow" })).toMatchObject({ id: "claude-opus-5-5" });
  expect(await id({ role: "smol", request: "o3" })).toMatchObject({ id: "o3" });
});

test("the provider of the default role does not stick to another model [A-ROLE-02]", async () => {
  const pinned = { default: { model: "gpt-x", provider: "openrouter" } };
  const { model } = await resolveWith(KEYS, { roles: pinned, request: "claude-opus-5-5" });
  expect(model.provider).toBe("anthropic");
});

test("a later role of a run is the run's own model unless it is set [A-ROLE-02]", async () => {
  const options = optionsWith(KEYS, { roles, request: "gemini-3.8-flash" });
  const run = await resolveWith(KEYS, { roles, request: "gemini-3.8-flash" });
  expect((await resolveRole("commit", run, options)).model.id).toBe("gemini-3.8-flash");
  expect((await resolveRole("smol", run, options)).model.id).toBe("gpt-6-luna");
});

test("headers of the config, the provider and the command line go along, the last one wins", async () => {
  const { settings } = await resolveWith(KEYS, {
    request: "claude-opus-5-5",
    headers: { a: "config", b: "config", c: "config" },
    providers: { anthropic: { headers: { b: "provider", c: "provider" } } },
    flagHeaders: { c: "flag" },
  });
  expect(settings.headers).toEqual({ a: "config", b: "provider", c: "flag" });
});

test("a header that cannot be sent is named before any request", async () => {
  await expect(resolveWith(KEYS, { headers: { good: "a\nb" } })).rejects.toMatchObject({
    code: "provider_invalid",
    message: expect.stringContaining(`the header "good" cannot be sent`),
  });
});
