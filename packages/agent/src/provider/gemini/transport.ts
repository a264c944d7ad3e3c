import type { JsonObject } from "../../contract/json.ts";
import type { ProviderSettings } from "../../contract/model.ts";
import { endpoint } from "../shared/endpoint.ts";
import { type Learn, postUntilTaken } from "../shared/post.ts";
import { asObject } from "../shared/read.ts";
import { type ServerSentEvent, serverSentEvents } from "../shared/sse.ts";

/** The version that knows preview features. */
const API_VERSION = "v1beta";

/** The address of a path; people give the base with and without the version. */
export function addressOf(settings: ProviderSettings, path: string): string {
  return endpoint(settings.baseUrl, `/${API_VERSION}/${path}`, /\/v1(?:beta|alpha)?$/);
}

/** The key goes in a header, never in the address. */
export function headersOf(settings: ProviderSettings): Record<string, string> {
  return settings.apiKey ? { "x-goog-api-key": settings.apiKey } : {};
}

/** Sends the request and gives the events of its body. After a refusal that `learn` understands it is encoded and sent again. */
export async function openGemini(
  settings: ProviderSettings,
  model: string,
  encode: () => JsonObject,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<ServerSentEvent>> {
  // Names of tuned models have a folder of their own; the others are under `models/`.
  const path = /^(?:models|tunedModels)\//.test(model) ? model : `models/${model}`;
  const url = addressOf(settings, `${path}:streamGenerateContent?alt=sse`);
  const post = () => ({ url, headers: headersOf(settings), body: encode() });
  const answer = await postUntilTaken(settings, post, learn, signal, { isWhole });
  return answer.whole !== undefined ? unroll(answer.whole) : serverSentEvents(answer.body);
}

/** Without `alt=sse`, which some gateways drop, the chunks come as one list; without streaming as one object. */
function isWhole(value: unknown): boolean {
  return [value].flat().some((chunk) => Array.isArray(asObject(chunk)?.["candidates"]));
}

async function* unroll(whole: unknown): AsyncGenerator<ServerSentEvent> {
  for (const chunk of [whole].flat()) yield { event: "message", data: JSON.stringify(chunk) };
}
