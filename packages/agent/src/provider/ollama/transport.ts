import type { JsonObject } from "../../contract/json.ts";
import type { ProviderSettings } from "../../contract/model.ts";
import { endpoint } from "../shared/endpoint.ts";
import { linesOf } from "../shared/lines.ts";
import { bearerHeaders, type Learn, postUntilTaken } from "../shared/post.ts";

/** Sends the request and gives the lines of its answer. What the model does not take (thinking) is left out and the request sent again. */
export async function openOllama(
  settings: ProviderSettings,
  encode: () => JsonObject,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<string>> {
  const url = endpoint(settings.baseUrl, "/api/chat");
  const post = () => ({ url, headers: bearerHeaders(settings), body: encode() });
  const { body } = await postUntilTaken(settings, post, learn, signal, { jsonLines: true });
  return linesOf(body);
}
