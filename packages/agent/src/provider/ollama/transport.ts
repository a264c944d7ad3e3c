import type { JsonObject } from "../../contract/json.ts";
import type { ProviderSettings } from "../../contract/model.ts";
import { linesOf } from "../shared/lines.ts";
import { bearerHeaders, bodyOf, type Learn, plainUrl, postUntilTaken } from "../shared/post.ts";

/** Sends the request and gives the lines of its answer. What the model does not take (thinking) is left out and the request sent again. */
export async function openOllama(
  settings: ProviderSettings,
  encode: () => JsonObject,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<string>> {
  const url = `${plainUrl(settings)}/api/chat`;
  const post = () => ({ url, headers: bearerHeaders(settings), body: encode() });
  // Ollama's own answers are `application/x-ndjson` or `application/json`.
  return linesOf(bodyOf(await postUntilTaken(settings, post, learn, signal, { json: "stream" })));
}
