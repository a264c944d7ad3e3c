import type { ListedModel, ProviderSettings } from "../../contract/model.ts";
import { fetchJson } from "../shared/fetch-json.ts";
import { asCount, asList, asObject, asText } from "../shared/read.ts";
import { addressOf, headersOf } from "./transport.ts";

/** Pages of a list; more than this is a service that never ends. */
const MOST_PAGES = 20;

/** The models that can answer (no embedding or image ones), with their limits. Throws a PiError when the service refuses. */
export async function listGeminiModels(
  settings: ProviderSettings,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const models: ListedModel[] = [];
  let token = "";
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const url = new URL(addressOf(settings, "models"));
    url.searchParams.set("pageSize", "1000");
    if (token !== "") url.searchParams.set("pageToken", token);
    const body = asObject(await fetchJson(settings, url.href, headersOf(settings), signal));
    models.push(...asList(body?.["models"]).flatMap(readModel));
    token = asText(body?.["nextPageToken"]);
    if (token === "") break;
  }
  return models;
}

function readModel(item: unknown): ListedModel[] {
  const fields = asObject(item);
  const id = asText(fields?.["name"]).replace(/^models\//, "");
  const methods = fields?.["supportedGenerationMethods"];
  if (fields === undefined || id === "") return [];
  if (Array.isArray(methods) && !methods.includes("generateContent")) return [];
  const name = asText(fields["displayName"]);
  const contextWindow = asCount(fields["inputTokenLimit"]);
  const maxOutput = asCount(fields["outputTokenLimit"]);
  return [
    {
      id,
      ...(name !== "" && { name }),
      ...(contextWindow > 0 && { contextWindow }),
      ...(maxOutput > 0 && { maxOutput }),
      ...(typeof fields["thinking"] === "boolean" && { reasoning: fields["thinking"] }),
    },
  ];
}
