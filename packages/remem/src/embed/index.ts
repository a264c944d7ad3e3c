export { HashEmbedder } from "./hash-embedder.ts";
export { StaticEmbedder } from "./static-embedder.ts";
