import { expect, test } from "bun:test";
import { resolveWith } from "./test-support/resolve-with.ts";

const KEYS = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "b", GEMINI_API_KEY: "c", MISTRAL_API_KEY: "d" };

async function addressOf(request: string, environment: object, other: object = {}): Promise<string> {
  return (await resolveWith({ ...KEYS, ...environment }, { request, ...other })).settings.baseUrl;
}

test.each([
  ["claude-x", "https://api.anthropic.com"],
  ["gpt-x", "https://api.openai.com/v1"],
  ["gemini-x", "https://generativelanguage.googleapis.com"],
  ["mistral/x", "https://api.mistral.ai/v1"],
  ["ollama/x", "http://127.0.0.1:11434"],
])("%s goes to %s unless something says otherwise [A-PROV-06]", async (request, address) => {
  expect(await addressOf(request, {})).toBe(address);
});

test.each([
  ["claude-x", { ANTHROPIC_BASE_URL: "http://h:1" }, "http://h:1"],
  ["claude-x", { ANTHROPIC_BASE_URL: "http://h:1/v1/" }, "http://h:1"],
  ["gpt-x", { OPENAI_BASE_URL: "http://h:1/v1" }, "http://h:1/v1"],
  ["gemini-x", { GEMINI_BASE_URL: "http://h:1/" }, "http://h:1"],
  ["gemini-x", { GEMINI_BASE_URL: "http://h:1/v1beta" }, "http://h:1"],
  ["mistral/x", { MISTRAL_BASE_URL: "http://h:1/v1" }, "http://h:1/v1"],
  ["ollama/x", { OLLAMA_HOST: "0.0.0.0:99" }, "http://127.0.0.1:99"],
  ["gpt-x", { OPENAI_BASE_URL: " " }, "https://api.openai.com/v1"],
])("%s follows the variable in %j [A-PROV-06]", async (request, environment, address) => {
  expect(await addressOf(request, environment)).toBe(address);
});

test("--url wins over the variable, that over the config [A-PROV-06]", async () => {
  const providers = { openai: { baseUrl: "http://config/v1" } };
  const environment = { OPENAI_BASE_URL: "http://env/v1" };
  expect(await addressOf("gpt-x", {}, { providers })).toBe("http://config/v1");
  expect(await addressOf("gpt-x", environment, { providers })).toBe("http://env/v1");
  expect(await addressOf("gpt-x", environment, { providers, url: "http://flag/v1" })).toBe("http://flag/v1");
});

test("the wire of a built-in provider can be changed in the config [A-PROV-02]", async () => {
  const chat = await resolveWith(KEYS, { request: "gpt-x", providers: { openai: { wire: "openai-chat" } } });
  expect(chat.settings).toMatchObject({ wire: "openai-chat", baseUrl: "https://api.openai.com/v1" });
  expect(chat.model.wire).toBe("openai-chat");
  const ollama = await resolveWith(KEYS, {
    request: "ollama/x",
    providers: { ollama: { wire: "openai-chat" } },
  });
  expect(ollama.settings.baseUrl).toBe("http://127.0.0.1:11434/v1");
});

test("a provider of the user's own runs on the wire it names, with what the config knows of its models", async () => {
  const providers = {
    mine: {
      baseUrl: "http://127.0.0.1:1/",
      wire: "anthropic" as const,
      models: [{ id: "m", contextWindow: 5000, maxOutput: 100, cost: { input: 1, output: 2 } }],
    },
  };
  const { model, settings, notices } = await resolveWith({}, { request: "m", providers });
  expect(settings).toMatchObject({ provider: "mine", wire: "anthropic", baseUrl: "http://127.0.0.1:1" });
  expect(model).toMatchObject({
    known: true,
    contextWindow: 5000,
    cost: { input: 1, output: 2, cacheRead: 1, cacheWrite: 1 },
  });
  expect(notices).toEqual([]);
});

test("the config may correct what is built in of a model, and the rest stays", async () => {
  const providers = { anthropic: { models: [{ id: "claude-opus-5-5", contextWindow: 9000 }] } };
  const { model } = await resolveWith(KEYS, { request: "claude-opus-5-5", providers });
  expect(model).toMatchObject({ contextWindow: 9000, maxOutput: 128_000, reasoning: true });
});

test.each([
  ["anthropic/x", { ANTHROPIC_BASE_URL: "localhost:1" }, {}, "ANTHROPIC_BASE_URL"],
  ["mine/x", {}, { mine: { wire: "gemini" as const } }, "providers.mine.baseUrl"],
])(
  "%s with an address that cannot be used is named, exit code 4 [U03]",
  async (request, environment, providers, named) => {
    const failure = await resolveWith({ ...KEYS, ...environment }, { request, providers }).catch(
      (error) => error,
    );
    expect(failure).toMatchObject({ code: "provider_invalid", exitCode: 4 });
    expect(`${failure.message} ${failure.hint}`).toContain(named);
  },
);

test("a refused address is named without its password and its query [X05]", async () => {
  for (const address of ["user:topsecret@h", "ftp://user:topsecret@h/?key=topsecret"]) {
    const failure = await resolveWith(
      { ...KEYS, ANTHROPIC_BASE_URL: address },
      { request: "anthropic/x" },
    ).catch((error) => error);
    expect(failure).toMatchObject({ code: "provider_invalid" });
    expect(`${failure.message} ${failure.hint}`).not.toContain("topsecret");
  }
});

test.each([
  ["anthropic/x", "ANTHROPIC_BASE_URL", "http://h/v1/messages", "http://h"],
  ["anthropic/x", "ANTHROPIC_BASE_URL", " http://h/p/?v=1#f ", "http://h/p?v=1"],
  ["openai/gpt-5.5", "OPENAI_BASE_URL", "http://h/v1/responses/", "http://h/v1"],
  ["openrouter/x", "OPENROUTER_BASE_URL", "http://h/v1/chat/completions", "http://h/v1"],
  ["gemini/x", "GEMINI_BASE_URL", "http://h/v1beta/models", "http://h"],
])(
  "%s with %s=%s goes to %s, without what the client adds itself [U03]",
  async (request, name, address, base) => {
    const { settings } = await resolveWith(
      { ...KEYS, OPENROUTER_API_KEY: "k", [name]: address },
      { request },
    );
    expect(settings.baseUrl).toBe(base);
  },
);
