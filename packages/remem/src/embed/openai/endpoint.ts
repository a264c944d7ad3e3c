import { EmbedderError } from "../embedder-error.ts";

/** Where embeddings are asked for. */
export interface Endpoint {
  readonly url: string;
  /** The name that errors use: no path, no user, no query. */
  readonly host: string;
}

/** The endpoint below a base URL such as `https://api.openai.com/v1`; a query stays. Throws an EmbedderError for anything else. */
export function endpointOf(baseUrl: string): Endpoint {
  const url = URL.parse(baseUrl);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new EmbedderError(
      "bad_settings",
      "the base URL of the embedding service is no http or https address",
      "give it with its scheme and version, such as http://127.0.0.1:11434/v1",
    );
  if (url.username !== "" || url.password !== "")
    throw new EmbedderError(
      "bad_settings",
      `the base URL of the embedding service ${url.host} holds a user name or a password`,
      "leave them out of the URL and give the key by its environment variable",
    );
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/embeddings`;
  url.hash = "";
  return { url: url.href, host: url.host };
}
