/** What models an Anthropic-speaking service offers, with what it tells of them. */
import type { ListedModel, ProviderSettings } from "../../contract/model.ts";
import { fetchJson } from "../shared/fetch-json.ts";
import { asList, asObject, asText } from "../shared/read.ts";
import { addressOf, headersOf } from "./transport.ts";

/** Pages that are read at most, of up to 1,000 models each. */
const PAGES = 20;

/** Asks `GET /v1/models`; throws a PiError when the service refuses or cannot be reached. */
export async function listModels(settings: ProviderSettings, signal: AbortSignal): Promise<ListedModel[]> {
  const models: ListedModel[] = [];
  let after = "";
  for (let page = 0; page < PAGES; page += 1) {
    const url = new URL(addressOf(settings, "/models"));
    url.searchParams.set("limit", "1000");
    if (after !== "") url.searchParams.set("after_id", after);
    const answer = asObject(await fetchJson(settings, url.href, headersOf(settings), signal));
    for (const entry of asList(answer?.["data"])) models.push(...listed(asObject(entry) ?? {}));
    const last = asText(answer?.["last_id"]);
    if (answer?.["has_more"] !== true || last === "" || last === after) break;
    after = last;
  }
  return models;
}

function listed(entry: Record<string, unknown>): ListedModel[] {
  const id = asText(entry["id"]);
  if (id === "") return [];
  const model: ListedModel = { id };
  const capabilities = asObject(entry["capabilities"]);
  const supported = (name: string) => asObject(capabilities?.[name])?.["supported"];
  const [images, reasoning] = [supported("image_input"), supported("thinking")];
  if (asText(entry["display_name"]) !== "") model.name = asText(entry["display_name"]);
  if (typeof entry["max_input_tokens"] === "number") model.contextWindow = entry["max_input_tokens"];
  if (typeof entry["max_tokens"] === "number") model.maxOutput = entry["max_tokens"];
  if (typeof images === "boolean") model.images = images;
  if (typeof reasoning === "boolean") model.reasoning = reasoning;
  return [model];
}
