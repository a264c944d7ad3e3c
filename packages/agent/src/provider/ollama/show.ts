/** What a running Ollama knows of a model. */
import type { ProviderSettings } from "../../contract/model.ts";
import { endpoint } from "../shared/endpoint.ts";
import { fetchJson } from "../shared/fetch-json.ts";
import { bearerHeaders } from "../shared/post.ts";
import { asCount, asList, asObject } from "../shared/read.ts";

/** From `/api/show`; a field that the service does not tell is undefined. */
export interface ShownModel {
  /** Tokens that the model was made for; not what the service gives it. */
  contextLength?: number;
  thinking?: boolean;
  images?: boolean;
}

/** A request must not wait long for facts that it can do without. */
const PATIENCE_MS = 2_000;

/** Asks for a model, at most 2 s long. Never throws: what cannot be found out is just not known. */
export async function showModel(
  settings: ProviderSettings,
  model: string,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<ShownModel> {
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    const url = endpoint(settings.baseUrl, "/api/show");
    const body = asObject(await fetchJson(settings, url, bearerHeaders(settings), patience, { model }));
    const info = asObject(body?.["model_info"]) ?? {};
    const key = Object.keys(info).find((name) => name.endsWith(".context_length"));
    const contextLength = key === undefined ? 0 : asCount(info[key]);
    const capabilities = body?.["capabilities"];
    return {
      ...(contextLength > 0 && { contextLength }),
      ...(Array.isArray(capabilities) && {
        thinking: asList(capabilities).includes("thinking"),
        images: asList(capabilities).includes("vision"),
      }),
    };
  } catch {
    // The request itself tells what is wrong, with the service's words.
    return {};
  }
}
