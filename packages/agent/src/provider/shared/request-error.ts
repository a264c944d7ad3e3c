/** From whatever a request threw to a {@link ModelError}. */
import { PiError } from "../../contract/errors.ts";
import type { ModelError, ProviderSettings } from "../../contract/model.ts";
import type { FailureContext } from "./errors.ts";
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
  const address = URL.parse(settings.baseUrl)?.origin;
  return {
    provider: settings.provider,
    ...(address === undefined ? {} : { address }),
    secrets: secretsOf(settings),
    now: Date.now(),
  };
}

/** A failure that is understood already keeps its words; all else is a failure of the connection. */
export function requestError(thrown: unknown, settings: ProviderSettings): ModelError {
  if (thrown instanceof RequestFailure) return thrown.failure;
  return networkError(thrown, failureContext(settings));
}

/** A {@link ModelError} as an error to throw, for requests that are no stream. */
export function asThrown(error: ModelError): PiError {
  const fields = { code: `model_${error.code}`, message: error.message };
  return new PiError(error.hint === undefined ? fields : { ...fields, hint: error.hint });
}
