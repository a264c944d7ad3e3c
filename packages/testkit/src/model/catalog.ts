import type { Fields } from "./wire.ts";

/** A model as the server lists it. */
export interface ListedModel {
  id: string;
  name?: string;
  contextWindow?: number;
  maxOutput?: number;
  capabilities?: string[];
}

/** The models a server lists unless a test sets its own. */
export function defaultModels(): ListedModel[] {
  return [
    {
      id: "test-model",
      name: "Test Model",
      contextWindow: 200_000,
      maxOutput: 32_000,
      capabilities: ["completion", "tools", "vision", "thinking"],
    },
    {
      id: "small-model",
      name: "Small Model",
      contextWindow: 8_192,
      maxOutput: 2_048,
      capabilities: ["completion", "tools"],
    },
  ];
}

/** An answer to a request that is not for a completion; undefined when the server has no such path. */
export function catalogAnswer(
  method: string,
  path: string,
  anthropic: boolean,
  body: Fields,
  models: readonly ListedModel[],
): { status: number; body: Fields } | undefined {
  if (method === "GET" && path.endsWith("/v1beta/models")) return { status: 200, body: geminiList(models) };
  if (method === "GET" && path.endsWith("/v1/models"))
    return { status: 200, body: anthropic ? anthropicList(models) : openaiList(models) };
  if (method === "GET" && path.endsWith("/api/version")) return { status: 200, body: { version: "0.19.0" } };
  if (method === "GET" && path.endsWith("/api/tags")) return { status: 200, body: ollamaList(models) };
  if (method === "GET" && path.endsWith("/api/ps")) return { status: 200, body: { models: [] } };
  if (method === "POST" && path.endsWith("/api/show")) return ollamaShow(body, models);
  return undefined;
}

function anthropicList(models: readonly ListedModel[]): Fields {
  return {
    data: models.map((model) => ({
      type: "model",
      id: model.id,
      display_name: model.name ?? model.id,
      created_at: "2026-01-01T00:00:00Z",
      max_input_tokens: model.contextWindow ?? null,
      max_tokens: model.maxOutput ?? null,
    })),
    has_more: false,
    first_id: models[0]?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  };
}

function openaiList(models: readonly ListedModel[]): Fields {
  return {
    object: "list",
    data: models.map((model) => ({
      id: model.id,
      object: "model",
      created: 1_767_225_600,
      owned_by: "test",
    })),
  };
}

function geminiList(models: readonly ListedModel[]): Fields {
  return {
    models: models.map((model) => ({
      name: `models/${model.id}`,
      displayName: model.name ?? model.id,
      inputTokenLimit: model.contextWindow ?? 32_768,
      outputTokenLimit: model.maxOutput ?? 8_192,
      supportedGenerationMethods: ["generateContent", "countTokens"],
      thinking: model.capabilities?.includes("thinking") ?? false,
    })),
  };
}

function ollamaList(models: readonly ListedModel[]): Fields {
  return {
    models: models.map((model) => ({
      name: model.id,
      model: model.id,
      modified_at: "2026-01-01T00:00:00Z",
      size: 1_000_000,
      digest: "0".repeat(64),
      details: { family: "test", parameter_size: "1B", quantization_level: "Q4_0" },
    })),
  };
}

function ollamaShow(body: Fields, models: readonly ListedModel[]): { status: number; body: Fields } {
  const model = models.find((listed) => listed.id === (body["model"] ?? body["name"]));
  if (!model) return { status: 404, body: { error: `model '${String(body["model"])}' not found` } };
  return {
    status: 200,
    body: {
      details: { family: "test" },
      model_info: { "general.architecture": "test", "test.context_length": model.contextWindow ?? 8_192 },
      capabilities: model.capabilities ?? ["completion"],
    },
  };
}
