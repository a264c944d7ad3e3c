import type { JsonObject } from "../../contract/json.ts";
import type { ProviderSettings } from "../../contract/model.ts";
import { endpoint } from "../shared/endpoint.ts";
import { bearerHeaders, type Learn, postUntilTaken } from "../shared/post.ts";
import { asObject } from "../shared/read.ts";
import { type ServerSentEvent, serverSentEvents } from "../shared/sse.ts";

/** Sends the request and gives the events of its body. After a refusal that `learn` understands it is encoded and sent again. */
export async function openChat(
  settings: ProviderSettings,
  encode: () => JsonObject,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<ServerSentEvent>> {
  const url = endpoint(settings.baseUrl, "/chat/completions");
  const headers = { accept: "text/event-stream", ...bearerHeaders(settings) };
  const post = () => ({ url, headers, body: encode() });
  const answer = await postUntilTaken(settings, post, learn, signal, { isWhole });
  return answer.whole !== undefined ? oneEvent(JSON.stringify(answer.whole)) : serverSentEvents(answer.body);
}

function isWhole(value: unknown): boolean {
  return Array.isArray(asObject(value)?.["choices"]);
}

/** A server that ignored `stream` answers with one JSON object, which is read like a single chunk. */
async function* oneEvent(data: string): AsyncGenerator<ServerSentEvent> {
  yield { event: "message", data };
}
