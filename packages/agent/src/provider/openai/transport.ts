import type { ProviderSettings } from "../../contract/model.ts";
import { jsonEvents } from "../shared/json-events.ts";
import { bearerHeaders, type Learn, plainUrl, postUntilTaken } from "../shared/post.ts";

/** Sends the request and gives its raw events; after a refusal that `learn` understands it is encoded and sent again. */
export async function openResponses(
  settings: ProviderSettings,
  encode: () => unknown,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<unknown>> {
  const url = `${plainUrl(settings)}/responses`;
  const headers = { accept: "text/event-stream", ...bearerHeaders(settings) };
  const post = () => ({ url, headers, body: encode() });
  return jsonEvents(await postUntilTaken(settings, post, learn, signal), settings);
}
