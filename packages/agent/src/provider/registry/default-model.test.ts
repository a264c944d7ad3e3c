import { expect, test } from "bun:test";
import { tableModel } from "./model-table.ts";
import { BUILT_IN_PROVIDERS } from "./providers.ts";
import { resolveWith, said } from "./test-support/resolve-with.ts";

const OWN = { mine: { baseUrl: "http://127.0.0.1:1/v1", models: [{ id: "m1" }, { id: "m2" }] } };

test.each([
  ["anthropic", { ANTHROPIC_API_KEY: "sk-ant-1", OPENAI_API_KEY: "sk-1", GEMINI_API_KEY: "AIza1" }],
  ["openai", { OPENAI_API_KEY: "sk-1", GEMINI_API_KEY: "AIza1" }],
  ["gemini", { GEMINI_API_KEY: "AIza1", GROQ_API_KEY: "gsk_1" }],
  ["groq", { GROQ_API_KEY: "gsk_1" }],
  ["openrouter", { OPENROUTER_API_KEY: "sk-or-1", GROQ_API_KEY: "gsk_1" }],
])(
  "without a model the first provider with a key is %s, said in a notice [A-ROLE-02]",
  async (provider, keys) => {
    const resolved = await resolveWith(keys);
    expect(resolved.model).toMatchObject({ provider, known: true });
    expect(said(resolved)).toContain(`no model is set: using ${provider}/${resolved.model.id}`);
  },
);

test("configured providers come after the three and before a local Ollama [A-ROLE-02]", async () => {
  const localModels = async () => ["qwen3:8b"];
  const mine = await resolveWith({ GROQ_API_KEY: "gsk_1" }, { providers: OWN, localModels });
  expect(mine.model).toMatchObject({ provider: "mine", id: "m1" });
  const first = await resolveWith({ GEMINI_API_KEY: "AIza1" }, { providers: OWN, localModels });
  expect(first.model.provider).toBe("gemini");
});

test("with no key at all a running Ollama is found and used [A-PROV-04][U03]", async () => {
  const asked: string[] = [];
  const resolved = await resolveWith(
    { OLLAMA_HOST: "10.0.0.9" },
    {
      localModels: async (baseUrl) => {
        asked.push(baseUrl);
        return ["qwen3:8b", "other"];
      },
    },
  );
  expect(resolved.model).toMatchObject({ provider: "ollama", id: "qwen3:8b" });
  expect(asked).toEqual(["http://10.0.0.9:11434"]);
});

test("with a key no Ollama is looked for: the start needs no network [P19]", async () => {
  const localModels = () => Promise.reject(new Error("was asked"));
  expect((await resolveWith({ OPENAI_API_KEY: "sk-1" }, { localModels })).model.provider).toBe("openai");
  expect((await resolveWith({}, { request: "ollama/x", localModels })).model.id).toBe("x");
});

test("with nothing the error says exactly what to set, where, and names the demo [U03]", async () => {
  await expect(resolveWith({})).rejects.toMatchObject({
    code: "no_key",
    exitCode: 4,
    message: "no API key is set, and no Ollama answers at http://127.0.0.1:11434",
    hint: expect.stringMatching(
      /ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.*\/home\/u\/\.pi-go\/\.env.*pi demo/s,
    ),
  });
});

test("an Ollama without a model is said to have none [U03]", async () => {
  await expect(resolveWith({}, { localModels: async () => [] })).rejects.toMatchObject({
    message: expect.stringContaining("the Ollama at http://127.0.0.1:11434 has no model"),
    hint: expect.stringContaining("ollama pull"),
  });
});

test("a key that cannot be right is passed over with a notice, or named when there is no other [U03]", async () => {
  const bad = { ANTHROPIC_API_KEY: "'sk-ant-1'" };
  const resolved = await resolveWith({ ...bad, OPENAI_API_KEY: "sk-1" });
  expect(resolved.model.provider).toBe("openai");
  expect(said(resolved)).toContain("ANTHROPIC_API_KEY (from the environment) has quotation marks around it");
  await expect(resolveWith(bad)).rejects.toMatchObject({
    code: "bad_key",
    exitCode: 4,
    message: expect.stringContaining(
      "ANTHROPIC_API_KEY (from the environment) has quotation marks around it",
    ),
  });
});

test("every default model is in the built-in table", () => {
  for (const { name, defaultModel, wire } of BUILT_IN_PROVIDERS)
    if (name !== "ollama") expect(tableModel(name, defaultModel, wire), name).toBeDefined();
});
