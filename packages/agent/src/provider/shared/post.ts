/** Sending a request to a model service and getting its body, without an SDK between: see docs/adr/0003. */
import type { ModelError, ProviderSettings } from "../../contract/model.ts";
import { parseBody } from "./error-body.ts";
import { serviceError } from "./errors.ts";
import { failureContext, RequestFailure, requestError } from "./request-error.ts";

/** True when something was learned from a refusal, so that the request, encoded anew, is worth one more try. `sent` is its JSON. */
export type Learn = (error: ModelError, sent: string) => boolean;

/** One request as it will go over the wire. */
export interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/**
 * Sends a request, and sends it again for as long as `learn` gets wiser by the refusals; `encode` makes it anew for each
 * try. Gives the answer of a success that can be a stream. Throws a {@link RequestFailure} with the last refusal.
 */
export async function postUntilTaken(
  settings: ProviderSettings,
  encode: () => Post,
  learn: Learn,
  signal: AbortSignal,
  options: { json?: "stream" } = {},
): Promise<Response> {
  for (;;) {
    const { url, headers, body } = encode();
    const sent = JSON.stringify(body);
    try {
      const response = await settings.fetch(url, {
        method: "POST",
        headers: requestHeaders(settings, headers),
        body: sent,
        signal,
      });
      await requireSuccess(response, settings);
      await requireStream(response, settings, options.json === "stream");
      return response;
    } catch (thrown) {
      const error = requestError(thrown, settings);
      if (signal.aborted || !learn(error, sent)) throw new RequestFailure(error);
    }
  }
}

/** The body of an answer; an empty one where there is none. */
export function bodyOf(response: Response): ReadableStream<Uint8Array> {
  return response.body ?? new Blob([]).stream();
}

/** The headers of a request to a JSON service; names are case-insensitive and the user's settings win. */
export function requestHeaders(
  settings: ProviderSettings,
  headers: Readonly<Record<string, string>>,
): Headers {
  const all = new Headers({ "content-type": "application/json", "user-agent": "pi-ts", ...headers });
  for (const [name, value] of Object.entries(settings.headers)) all.set(name, value);
  return all;
}

/** The key as a bearer token; without one (a local server) no header at all. */
export function bearerHeaders(settings: ProviderSettings): Record<string, string> {
  return settings.apiKey ? { authorization: `Bearer ${settings.apiKey}` } : {};
}

/** A base URL without the slashes at its end. */
export function plainUrl(settings: ProviderSettings): string {
  return settings.baseUrl.replace(/\/+$/, "");
}

async function requireSuccess(response: Response, settings: ProviderSettings): Promise<void> {
  if (response.ok) return;
  const answer = {
    status: response.status,
    body: parseBody(await response.text()),
    headers: response.headers,
  };
  throw new RequestFailure(serviceError(answer, failureContext(settings)));
}

/** Refuses a success that is no stream: a proxy's login page, or a gateway that answers 200 with an error object. */
async function requireStream(
  response: Response,
  settings: ProviderSettings,
  jsonIsStream: boolean,
): Promise<void> {
  const type = response.headers.get("content-type")?.toLowerCase() ?? "";
  const page = type.startsWith("text/html");
  if (!page && (jsonIsStream || !/^application\/(?:[a-z.]+\+)?json/.test(type))) return;
  const error = serviceError({ body: parseBody(await response.text()) }, failureContext(settings));
  if (!page) throw new RequestFailure(error);
  throw new RequestFailure({
    ...error,
    code: "invalid",
    retryable: false,
    hint: "The base URL does not lead to a model service.",
  });
}
