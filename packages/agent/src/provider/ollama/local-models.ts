import type { FetchLike } from "../../contract/model.ts";
import { asList, asObject, asText } from "../shared/read.ts";
import { detectOllama } from "./detect.ts";

/** A list of local files takes milliseconds; a service that hangs must not hold up the start. */
const PATIENCE_MS = 2_000;

/** Names of the models that the Ollama at a base URL has, newest first; null when no Ollama answers there. Never throws. */
export async function localOllamaModels(baseUrl: string, fetch: FetchLike): Promise<string[] | null> {
  const host = baseUrl.replace(/\/+$/, "");
  const signal = AbortSignal.timeout(PATIENCE_MS);
  if (!(await detectOllama(host, fetch, signal))) return null;
  try {
    const response = await fetch(`${host}/api/tags`, { signal });
    const models = asList(asObject(await response.json())?.["models"]).map((item) => ({
      name: asText(asObject(item)?.["name"]),
      changed: asText(asObject(item)?.["modified_at"]),
    }));
    models.sort((a, b) => (Date.parse(b.changed) || 0) - (Date.parse(a.changed) || 0));
    return models.map((model) => model.name).filter((name) => name !== "");
  } catch {
    // It answers, but not with a list: there is nothing to choose from.
    return [];
  }
}
