import type { FetchLike, ProviderSettings } from "../../contract/model.ts";

/** A refused request: the answer's status (300 and above), headers and whole body. */
export interface Refusal {
  status: number;
  headers: Headers;
  body: string;
}

/** One request as it went over the wire, whatever the SDK above it keeps of the answer. */
export interface Exchange {
  /** For the SDK: sends its URL, method and body with our headers, and nothing that the SDK took from the environment. */
  fetch: FetchLike;
  /** The answer, once there is one with a status of success. */
  response(): Response | undefined;
  refusal(): Refusal | undefined;
}

/**
 * Stands between an SDK and the network for one request. SDKs add headers from environment variables, lose the headers of
 * a failed answer or misread bodies of compatible servers; here the request gets exactly `headers` (and the user's own,
 * which win) and the answer is kept. `keepBody` gives the SDK an empty body, so that the caller reads the real one.
 */
export function observe(
  settings: ProviderSettings,
  headers: Readonly<Record<string, string>>,
  options: { keepBody?: boolean } = {},
): Exchange {
  let response: Response | undefined;
  let refusal: Refusal | undefined;
  return {
    async fetch(input, init) {
      const answer = await settings.fetch(input, { ...init, headers: requestHeaders(settings, headers) });
      if (answer.ok) {
        response = answer;
        return options.keepBody ? new Response("", { status: 200, headers: answer.headers }) : answer;
      }
      const body = await answer.text();
      refusal = { status: answer.status, headers: answer.headers, body };
      // The SDK gets a short body of its own: what the service said is in `refusal`.
      return new Response("{}", { status: answer.status, headers: { "content-type": "application/json" } });
    },
    response: () => response,
    refusal: () => refusal,
  };
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
