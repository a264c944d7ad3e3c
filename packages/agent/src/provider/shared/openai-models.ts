import type { ListedModel, ProviderSettings } from "../../contract/model.ts";
import { endpoint } from "./endpoint.ts";
import { fetchJson } from "./fetch-json.ts";
import { bearerHeaders } from "./post.ts";
import { asCount, asList, asObject, asText } from "./read.ts";

/**
 * What an OpenAI-speaking server lists at `/models`, with what it tells of each: OpenRouter and Groq the context and the
 * output limit, vLLM `max_model_len`, LM Studio `max_context_length`. Some list at the top level. Throws a PiError when the
 * server refuses or cannot be reached.
 */
export async function listOpenaiModels(
  settings: ProviderSettings,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const url = endpoint(settings.baseUrl, "/models");
  const body = await fetchJson(settings, url, bearerHeaders(settings), signal);
  const items = Array.isArray(body) ? body : asList(asObject(body)?.["data"] ?? asObject(body)?.["models"]);
  return items.flatMap(readModel);
}

function readModel(item: unknown): ListedModel[] {
  const fields = asObject(item);
  const id = asText(fields?.["id"]) || asText(fields?.["name"]);
  if (fields === undefined || id === "") return [];
  const top = asObject(fields["top_provider"]);
  const contextWindow =
    asCount(fields["context_length"]) ||
    asCount(fields["context_window"]) ||
    asCount(fields["max_model_len"]) ||
    asCount(fields["max_context_length"]);
  const maxOutput = asCount(top?.["max_completion_tokens"]) || asCount(fields["max_completion_tokens"]);
  const inputs = asObject(fields["architecture"])?.["input_modalities"];
  const parameters = fields["supported_parameters"];
  const name = asText(fields["name"]);
  return [
    {
      id,
      ...(name !== "" && name !== id && { name }),
      ...(contextWindow > 0 && { contextWindow }),
      ...(maxOutput > 0 && { maxOutput }),
      ...(Array.isArray(inputs) && { images: inputs.includes("image") }),
      ...(Array.isArray(parameters) && { reasoning: parameters.includes("reasoning") }),
    },
  ];
}
