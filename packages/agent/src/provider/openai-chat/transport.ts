import type { JsonObject } from "../../contract/json.ts";
import type { ProviderSettings } from "../../contract/model.ts";
import { bearerHeaders, bodyOf, type Learn, plainUrl, postUntilTaken } from "../shared/post.ts";
import { type ServerSentEvent, serverSentEvents } from "../shared/sse.ts";

/** Sends the request and gives the events of its body. After a refusal that `learn` understands it is encoded and sent again. */
export async function openChat(
  settings: ProviderSettings,
  encode: () => JsonObject,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<ServerSentEvent>> {
  const url = `${plainUrl(settings)}/chat/completions`;
  const headers = { accept: "text/event-stream", ...bearerHeaders(settings) };
  const post = () => ({ url, headers, body: encode() });
  const response = await postUntilTaken(settings, post, learn, signal, { json: "stream" });
  const type = response.headers.get("content-type") ?? "";
  if (!/^application\/(?:[a-z.]+\+)?json/i.test(type)) return serverSentEvents(bodyOf(response));
  return oneEvent(await response.text());
}

/** A server that ignored `stream` answers with one JSON object, which is read like a single chunk. */
async function* oneEvent(data: string): AsyncGenerator<ServerSentEvent> {
  yield { event: "message", data };
}
