import type { ProviderSettings } from "../../contract/model.ts";
import { endpoint } from "../shared/endpoint.ts";
import { jsonEvents } from "../shared/json-events.ts";
import { type Learn, postUntilTaken } from "../shared/post.ts";
import type { EncodedRequest } from "./encode.ts";
import { isWhole, unroll } from "./whole-message.ts";

/**
 * The version that every gateway knows. The newer one (2026-10-21) only forbids things that we never send.
 * The key goes as `x-api-key`, which all of them read; a bearer header is not known to all.
 */
export function headersOf(settings: ProviderSettings, betas: readonly string[] = []): Record<string, string> {
  return {
    accept: "text/event-stream",
    "anthropic-version": "2023-06-01",
    ...(settings.apiKey && { "x-api-key": settings.apiKey }),
    ...(betas.length > 0 && { "anthropic-beta": betas.join(",") }),
  };
}

/** The address of a path; people give the base with and without the version. */
export function addressOf(settings: ProviderSettings, path: string): string {
  return endpoint(settings.baseUrl, `/v1${path}`, /\/v1$/);
}

/** Sends the request and gives its raw events; after a refusal that `learn` understands it is encoded and sent again. */
export async function openMessages(
  settings: ProviderSettings,
  encode: () => EncodedRequest,
  learn: Learn,
  signal: AbortSignal,
): Promise<AsyncIterable<unknown>> {
  const url = addressOf(settings, "/messages");
  const post = () => {
    const { body, betas } = encode();
    return { url, headers: headersOf(settings, betas), body: { ...body, stream: true } };
  };
  const answer = await postUntilTaken(settings, post, learn, signal, { isWhole });
  return jsonEvents(answer, settings, unroll);
}
