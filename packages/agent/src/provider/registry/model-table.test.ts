import { expect, test } from "bun:test";
import { tableModel, tableModels, tableProviders } from "./model-table.ts";

test("every row of the table is a usable model", () => {
  let count = 0;
  for (const provider of tableProviders())
    for (const id of tableModels(provider)) {
      const model = tableModel(provider, id, "openai-chat")!;
      expect(model).toMatchObject({ provider, id, known: true });
      expect(model.contextWindow).toBeGreaterThan(1000);
      expect(model.maxOutput).toBeGreaterThan(1000);
      count++;
    }
  expect(count).toBeGreaterThan(250);
});

test("effort levels are kept as the provider names them, also that one is not offered", () => {
  expect(tableModel("openai", "gpt-5.1", "openai-responses")?.levels).toMatchObject({
    off: "none",
    minimal: null,
    high: "high",
  });
  expect(tableModel("openai", "gpt-4o", "openai-responses")?.levels).toBeUndefined();
});

test("an Ollama cloud model is known by its local name, without a price [A-PROV-04]", () => {
  const model = tableModel("ollama", "glm-5.3:cloud", "ollama");
  expect(model).toMatchObject({ provider: "ollama", id: "glm-5.3:cloud", contextWindow: 1_048_576 });
  expect(model?.cost).toBeUndefined();
  expect(tableModel("ollama", "gpt-oss:120b-cloud", "ollama")?.contextWindow).toBe(131_072);
  expect(tableModel("ollama", "qwen3:8b", "ollama")).toBeUndefined();
});
