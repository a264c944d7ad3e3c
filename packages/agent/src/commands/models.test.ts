import { expect, test } from "bun:test";
import type { CommandResult, ParsedArguments } from "../contract/command.ts";
import type { ModelInfo } from "../contract/model.ts";
import { modelsCommand } from "./models.ts";

const SONNET: ModelInfo = {
  provider: "anthropic",
  id: "claude-sonnet-5-5",
  name: "Claude Sonnet 5.5",
  wire: "anthropic",
  known: true,
  contextWindow: 1_048_576,
  maxOutput: 128_000,
  images: true,
  reasoning: true,
  cost: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 },
};
const LOCAL: ModelInfo = {
  ...SONNET,
  provider: "ollama",
  id: "qwen3:8b",
  name: "Qwen",
  wire: "ollama",
  known: false,
  images: false,
  reasoning: false,
};
delete LOCAL.cost;

async function models(
  words: string[],
  options: ParsedArguments["options"] = {},
): Promise<CommandResult & { refreshed: boolean }> {
  let refreshed = false;
  const ports = {
    models: {
      list: async (refresh: boolean) => {
        refreshed = refresh;
        return { models: [SONNET, LOCAL], notices: [{ level: "info" as const, message: "a notice" }] };
      },
      current: async () => ({ provider: "anthropic", id: "claude-sonnet-5-5" }),
    },
  };
  const result = await modelsCommand.run({ words, options }, ports, new AbortController().signal);
  return { ...result, refreshed };
}

test("models lists what --model takes, with limits and prices, and says which one is current [A-PROV-05]", async () => {
  const { blocks, exitCode, data } = await models([]);
  expect(exitCode).toBe(0);
  expect(blocks[0]).toEqual({ kind: "text", text: "a notice" });
  expect(blocks[1]).toMatchObject({
    kind: "table",
    rows: [
      ["anthropic/claude-sonnet-5-5 (current)", "1M", "128k", "yes", "yes", "2", "10"],
      ["ollama/qwen3:8b", "?", "?", "", "", "?", "?"],
    ],
  });
  expect(data).toMatchObject({
    models: [
      { id: "claude-sonnet-5-5", current: true },
      { id: "qwen3:8b", current: false },
    ],
  });
});

test.each([["SONNET"], ["anthropic/cl"], ["sonnet 5.5"]])(
  "the query %s finds the model by id, provider or name",
  async (query) => {
    const { data } = await models([query]);
    expect(data).toMatchObject({ models: [{ id: "claude-sonnet-5-5" }] });
  },
);

test("a query without a match says so and exits with 1", async () => {
  const { blocks, exitCode } = await models(["nothing"]);
  expect(exitCode).toBe(1);
  expect(blocks.at(-1)).toEqual({ kind: "text", text: `no model matches "nothing"` });
});

test("--refresh asks the services again", async () => {
  expect((await models([])).refreshed).toBe(false);
  expect((await models([], { refresh: true })).refreshed).toBe(true);
});

test("a line of several words is a prompt, not a query", () => {
  expect(modelsCommand.accepts({ words: ["which", "models", "are", "good"], options: {} })).toBe(false);
  expect(modelsCommand.accepts({ words: [], options: { print: true } })).toBe(false);
});
