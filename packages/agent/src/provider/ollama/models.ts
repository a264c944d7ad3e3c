import type { ListedModel, ProviderSettings } from "../../contract/model.ts";
import { endpoint } from "../shared/endpoint.ts";
import { fetchJson } from "../shared/fetch-json.ts";
import { bearerHeaders } from "../shared/post.ts";
import { asList, asObject, asText } from "../shared/read.ts";
import { showModel } from "./show.ts";

/** Models of which more than the name is asked; the rest is listed by name. */
const MOST_SHOWN = 40;

/** The models that an Ollama has, newest first, with what `/api/show` tells of each. Throws a PiError when it cannot be reached. */
export async function listOllamaModels(
  settings: ProviderSettings,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const url = endpoint(settings.baseUrl, "/api/tags");
  const body = asObject(await fetchJson(settings, url, bearerHeaders(settings), signal));
  const ids = asList(body?.["models"])
    .map((item) => asText(asObject(item)?.["name"]) || asText(asObject(item)?.["model"]))
    .filter((id) => id !== "");
  return Promise.all(
    ids.map(async (id, index): Promise<ListedModel> => {
      const shown = index < MOST_SHOWN ? await showModel(settings, id, signal) : {};
      return {
        id,
        ...(shown.contextLength !== undefined && { contextWindow: shown.contextLength }),
        ...(shown.thinking !== undefined && { reasoning: shown.thinking }),
        ...(shown.images !== undefined && { images: shown.images }),
      };
    }),
  );
}
