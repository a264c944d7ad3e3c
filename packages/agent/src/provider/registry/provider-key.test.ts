import { expect, test } from "bun:test";
import { resolveWith } from "./test-support/resolve-with.ts";

test.each([
  ["claude-x", "ANTHROPIC_API_KEY"],
  ["gpt-x", "OPENAI_API_KEY"],
  ["gemini-x", "GEMINI_API_KEY"],
  ["groq/x", "GROQ_API_KEY"],
  ["moonshot/x", "MOONSHOTAI_API_KEY"],
  ["ollama-cloud/x", "OLLAMA_API_KEY"],
])("without its key %s is refused, naming %s and the file [U03][A-PROV-06]", async (request, variable) => {
  await expect(resolveWith({ OTHER_API_KEY: "x" }, { request })).rejects.toMatchObject({
    code: "no_key",
    exitCode: 4,
    message: expect.stringContaining(`${variable} is not set`),
    hint: expect.stringContaining(`write ${variable}=… into /home/u/.pi-go/.env`),
  });
});

test("a key that cannot be meant as it is is never sent [U03]", async () => {
  await expect(
    resolveWith({ ANTHROPIC_API_KEY: "sk-ant-1\r\n" }, { request: "claude-x" }),
  ).rejects.toMatchObject({
    code: "bad_key",
    exitCode: 4,
    message:
      "the API key for anthropic was not sent: ANTHROPIC_API_KEY (from the environment) has a line break in it",
  });
});

test.each([
  ["openai/gpt-x", { OPENAI_API_KEY: "sk-ant-1" }, "anthropic"],
  ["claude-x", { ANTHROPIC_API_KEY: "AIza1" }, "gemini"],
  ["gemini-x", { GEMINI_API_KEY: "sk-proj-1" }, "openai"],
])("a key of another provider is not shown to %s [U03]", async (request, keys, owner) => {
  await expect(resolveWith(keys, { request })).rejects.toMatchObject({
    code: "bad_key",
    message: expect.stringContaining(`looks like a key of ${owner}`),
  });
});

test("a gateway may take any key [U03]", async () => {
  const keys = { OPENAI_API_KEY: "sk-ant-1", OPENAI_BASE_URL: "https://gateway.example/v1" };
  expect((await resolveWith(keys, { request: "gpt-x" })).settings.apiKey).toBe("sk-ant-1");
});

// biome-ignore lint/suspicious/noTemplateCurlyInString: the text as people write it into the config
test.each(["$MY_KEY", "${MY_KEY}"])(
  "a configured key %s is the variable's value, and missing it is named [U03]",
  async (apiKey) => {
    const providers = { mine: { baseUrl: "https://mine.example/v1", apiKey } };
    const { settings, key } = await resolveWith({ MY_KEY: "secret" }, { request: "mine/m", providers });
    expect(settings.apiKey).toBe("secret");
    expect(key?.variable).toBe("MY_KEY");
    await expect(resolveWith({}, { request: "mine/m", providers })).rejects.toMatchObject({
      code: "no_key",
      message: expect.stringContaining("MY_KEY is not set"),
    });
  },
);

test("the config's own key for a provider is taken before the environment's, since it belongs to that address [U03]", async () => {
  const providers = { openai: { baseUrl: "https://gateway.example/v1", apiKey: "gateway-key" } };
  const { settings, key } = await resolveWith({ OPENAI_API_KEY: "sk-1" }, { request: "gpt-x", providers });
  expect(settings.apiKey).toBe("gateway-key");
  expect(key).toMatchObject({ variable: "providers.openai.apiKey", source: "your config file" });
});

test("a configured provider without a key runs without one, or with the variable of its name [U03]", async () => {
  const providers = { "my-box": { baseUrl: "http://127.0.0.1:8080/v1" } };
  expect((await resolveWith({}, { request: "my-box/m", providers })).key).toBeNull();
  expect(
    (await resolveWith({ MY_BOX_API_KEY: "k" }, { request: "my-box/m", providers })).settings.apiKey,
  ).toBe("k");
});

test("a key that goes unencrypted over a network is warned about, on this machine it is not", async () => {
  const to = async (url: string) => {
    const { notices } = await resolveWith({ OPENAI_API_KEY: "sk-1" }, { request: "openai/gpt-6-sol", url });
    return notices.map((notice) => notice.message).join();
  };
  expect(await to("http://gateway.example/v1")).toContain("goes unencrypted to http://gateway.example/v1");
  expect(await to("http://127.0.0.1:9/v1")).toBe("");
  expect(await to("http://[::1]:9/v1")).toBe("");
});
