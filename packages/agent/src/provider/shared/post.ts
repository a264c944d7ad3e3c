/** Sending a request to a model service and getting its body, without an SDK between: see docs/adr/0003. */
import type { ModelError, ProviderSettings } from "../../contract/model.ts";
import { boundedText } from "../../platform/bounded-text.ts";
import { answerBody } from "./answer-body.ts";
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

/** The answer of a success: its body as it comes, or `whole`, the one JSON value that a server sent instead of a stream (`body` is empty then). */
export interface Answer {
  body: AsyncIterable<Uint8Array>;
  whole?: unknown;
}

/** How a wire streams: server-sent events, or (`jsonLines`) one JSON object a line. `isWhole` knows an answer that was not streamed. */
interface AnswerForm {
  jsonLines?: boolean;
  isWhole?: (value: unknown) => boolean;
}

/** Of a refusal that is longer nobody reads the rest. */
const MOST_REFUSAL_BYTES = 1024 * 1024;

/**
 * Sends a request, and sends it again for as long as `learn` gets wiser by the refusals; `encode` makes it anew for each
 * try. Throws a {@link RequestFailure} with the last refusal.
 */
export async function postUntilTaken(
  settings: ProviderSettings,
  encode: () => Post,
  learn: Learn,
  signal: AbortSignal,
  form: AnswerForm = {},
): Promise<Answer> {
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
      return await readAnswer(response, settings, form);
    } catch (thrown) {
      const error = requestError(thrown, settings);
      if (signal.aborted || !learn(error, sent)) throw new RequestFailure(error);
    }
  }
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

async function requireSuccess(response: Response, settings: ProviderSettings): Promise<void> {
  if (response.ok) return;
  const answer = {
    status: response.status,
    body: parseBody(await boundedText(response.body, MOST_REFUSAL_BYTES)),
    headers: response.headers,
  };
  throw new RequestFailure(serviceError(answer, failureContext(settings)));
}

/** Refuses a success that is no answer: a proxy's login page, or a gateway that answers 200 with an error object. */
async function readAnswer(response: Response, settings: ProviderSettings, form: AnswerForm): Promise<Answer> {
  const answer = await answerBody(response, form.jsonLines === true);
  if (answer.kind === "stream") return { body: answer.body };
  const value = parseBody(answer.text);
  if (answer.kind === "json" && form.isWhole?.(value)) return { body: new Blob([]).stream(), whole: value };
  const error = serviceError({ body: value }, failureContext(settings));
  if (answer.kind === "json") throw new RequestFailure(error);
  throw new RequestFailure({
    ...error,
    code: "invalid",
    retryable: false,
    hint: "The base URL does not lead to a model service.",
  });
}
