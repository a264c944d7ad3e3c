export { EmbedderError, type EmbedderErrorCode } from "./embedder-error.ts";
export { HashEmbedder } from "./hash-embedder.ts";
export { OnnxEmbedder, type OnnxEmbedderOptions, openOnnxEmbedder } from "./onnx-embedder.ts";
export { OpenAIEmbedder, type OpenAIEmbedderOptions } from "./openai-embedder.ts";
export { StaticEmbedder } from "./static-embedder.ts";
