import type { ProviderSettings } from "../../contract/model.ts";
import { endpoint } from "../shared/endpoint.ts";
import { jsonEvents } from "../shared/json-events.ts";
import { bearerHeaders, type Learn, postUntilTaken } from "../shared/post.ts";
import { asObject } from "../shared/read.ts";

/** Sends the request and gives its raw events; after a refusal that `learn` understands it is encoded and sent again. */
export async function openResponses(
  settings: ProviderSettings,
  encode: () => unknown,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<unknown>> {
  const url = endpoint(settings.baseUrl, "/responses");
  const headers = { accept: "text/event-stream", ...bearerHeaders(settings) };
  const post = () => ({ url, headers, body: encode() });
  const answer = await postUntilTaken(settings, post, learn, signal, { isWhole });
  return jsonEvents(answer, settings, (whole) => [{ type: lastEvent(whole), response: whole }]);
}

/** A gateway that ignores `stream` answers with the response that a stream's last event would hold. */
function isWhole(value: unknown): boolean {
  const response = asObject(value);
  return Array.isArray(response?.["output"]) || (response?.["object"] === "response" && !response["error"]);
}

function lastEvent(whole: unknown): string {
  const status = asObject(whole)?.["status"];
  return status === "incomplete" || status === "failed" ? `response.${status}` : "response.completed";
}
