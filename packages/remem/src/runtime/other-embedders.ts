import type { Embedder } from "../core/ports/embedder.ts";
import type { EmbeddingConfig } from "./config/memory-config.ts";
import type { Environment } from "./config/places.ts";

type OtherEmbedding = Extract<EmbeddingConfig, { readonly kind: "openai" | "onnx" }>;

/** Opens an embedder that the user points at. Rejects with an EmbedderError. */
export async function openOtherEmbedder(
  embedding: OtherEmbedding,
  environment: Environment,
): Promise<Embedder> {
  if (embedding.kind === "onnx") {
    const { openOnnxEmbedder } = await import("../embed/onnx-embedder.ts");
    return openOnnxEmbedder({ folder: embedding.path });
  }
  const { OpenAIEmbedder } = await import("../embed/openai-embedder.ts");
  const { baseUrl, model, dimensions, apiKeyVariable } = embedding;
  const apiKey = apiKeyVariable === undefined ? undefined : environment[apiKeyVariable];
  return new OpenAIEmbedder({ baseUrl, model, dimensions, ...(apiKey === undefined ? {} : { apiKey }) });
}
