import type { JsonObject } from "../../contract/json.ts";
import type { ProviderSettings } from "../../contract/model.ts";
import { bodyOf, type Learn, postUntilTaken } from "../shared/post.ts";
import { type ServerSentEvent, serverSentEvents } from "../shared/sse.ts";

/** The version that knows preview features. */
export const API_VERSION = "v1beta";

/** People give the address with and without the version. */
export function baseUrlOf(settings: ProviderSettings): string {
  return settings.baseUrl.replace(/\/+$/, "").replace(/\/v1(?:beta|alpha)?$/, "");
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
  const url = `${baseUrlOf(settings)}/${API_VERSION}/${path}:streamGenerateContent?alt=sse`;
  const post = () => ({ url, headers: headersOf(settings), body: encode() });
  return serverSentEvents(bodyOf(await postUntilTaken(settings, post, learn, signal)));
}
