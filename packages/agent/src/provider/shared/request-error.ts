/** From what an SDK threw, and what really went over the wire, to a {@link ModelError}. */
import { PiError } from "../../contract/errors.ts";
import type { ModelError, ProviderSettings } from "../../contract/model.ts";
import { parseBody } from "./error-body.ts";
import { type FailureContext, serviceError } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { networkError } from "./network-error.ts";
import { secretsOf } from "./public-message.ts";

/** A failure that is understood already, on its way through code that throws. */
export class RequestFailure extends Error {
  readonly failure: ModelError;

  constructor(failure: ModelError) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Whose failure it is; dates in headers count from the machine's clock now. */
export function failureContext(settings: ProviderSettings): FailureContext {
  return { provider: settings.provider, secrets: secretsOf(settings), now: Date.now() };
}

/**
 * A refusal that the exchange has seen wins; then an error event inside of the stream (the SDK's error carries its body
 * as `error` and no status); all else is a failure of the connection.
 */
export function requestError(thrown: unknown, settings: ProviderSettings, exchange?: Exchange): ModelError {
  if (thrown instanceof RequestFailure) return thrown.failure;
  const context = failureContext(settings);
  const refusal = exchange?.refusal();
  if (refusal)
    return serviceError(
      { status: refusal.status, body: parseBody(refusal.body), headers: refusal.headers },
      context,
    );
  const body = (thrown as { error?: unknown } | null)?.error;
  if (body !== undefined && body !== null) return serviceError({ body: { error: body } }, context);
  return networkError(thrown, context);
}

/**
 * Throws a {@link RequestFailure} for a success that is no event stream: a proxy's login page, or a gateway that answers 200
 * with an error object. Reads (and so consumes) the body of such an answer only.
 */
export async function requireStream(exchange: Exchange, settings: ProviderSettings): Promise<void> {
  const response = exchange.response();
  const type = response?.headers.get("content-type")?.toLowerCase() ?? "";
  if (!response || !/^(?:text\/html|application\/(?:[a-z.]+\+)?json)/.test(type)) return;
  const error = serviceError({ body: parseBody(await response.text()) }, failureContext(settings));
  if (!type.startsWith("text/html")) throw new RequestFailure(error);
  throw new RequestFailure({
    ...error,
    code: "invalid",
    retryable: false,
    hint: "The base URL does not lead to a model service.",
  });
}

/** A {@link ModelError} as an error to throw, for requests that are no stream. */
export function asThrown(error: ModelError): PiError {
  const fields = { code: `model_${error.code}`, message: error.message };
  return new PiError(error.hint === undefined ? fields : { ...fields, hint: error.hint });
}
