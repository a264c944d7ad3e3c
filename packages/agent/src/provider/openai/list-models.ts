/** What models an OpenAI-speaking service offers, with what compatible servers tell beyond the id. */
import type { ListedModel, ProviderSettings } from "../../contract/model.ts";
import { asList, asObject, asText } from "../shared/read.ts";
import { asThrown, requestError } from "../shared/request-error.ts";
import { openSdk } from "./transport.ts";

/** Asks `GET /models`; throws a PiError when the service refuses or cannot be reached. */
export async function listModels(settings: ProviderSettings, signal: AbortSignal): Promise<ListedModel[]> {
  const { client, exchange } = await openSdk(settings);
  try {
    const answer: unknown = await client.get("/models", { signal });
    return asList(asObject(answer)?.["data"]).flatMap((entry) => listed(asObject(entry) ?? {}));
  } catch (thrown) {
    throw asThrown(requestError(thrown, settings, exchange));
  }
}

function listed(entry: Record<string, unknown>): ListedModel[] {
  const id = asText(entry["id"]);
  if (id === "") return [];
  const model: ListedModel = { id };
  if (asText(entry["name"]) !== "") model.name = asText(entry["name"]);
  // vLLM, OpenRouter and LM Studio each have a name of their own for the window.
  const window = [entry["max_model_len"], entry["context_length"], entry["max_context_length"]].find(
    (value) => typeof value === "number" && value > 0,
  );
  if (typeof window === "number") model.contextWindow = window;
  return [model];
}
