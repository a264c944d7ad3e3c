import type { ProviderSettings } from "../../contract/model.ts";
import { boundedText } from "../../platform/bounded-text.ts";
import { parseBody } from "./error-body.ts";
import { serviceError } from "./errors.ts";
import { requestHeaders } from "./post.ts";
import { asThrown, failureContext, RequestFailure, requestError } from "./request-error.ts";

/** Lists of models are up to some MB; what is longer is no list and is not read. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * A short JSON request beside the answers (a list of models). `body` makes it a POST. Throws a PiError with the service's
 * words when it refuses, answers something that is no JSON, or cannot be reached.
 */
export async function fetchJson(
  settings: ProviderSettings,
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  body?: unknown,
): Promise<unknown> {
  const request = body === undefined ? { method: "GET" } : { method: "POST", body: JSON.stringify(body) };
  try {
    const response = await settings.fetch(url, {
      ...request,
      headers: requestHeaders(settings, headers),
      signal,
    });
    const answer = parseBody(await boundedText(response.body, MOST_BYTES));
    if (response.ok && typeof answer === "object" && answer !== null) return answer;
    throw new RequestFailure(
      serviceError(
        { status: response.status, body: answer, headers: response.headers },
        failureContext(settings),
      ),
    );
  } catch (thrown) {
    throw asThrown(requestError(thrown, settings));
  }
}
