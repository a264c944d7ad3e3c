import { errorMessage, isPiError, PiError } from "../../contract/errors.ts";
import { certificateProblem } from "../certificate-problem.ts";

/** What a service answered to a request for tokens, when it refused. */
export interface Refusal {
  /** The standard's word: `invalid_grant`, `slow_down`, …; empty when there is none. */
  error: string;
  status: number;
}

/** A refusal of an authorisation service; `refusal` is what decisions are made by. */
class OAuthRefused extends PiError {
  readonly refusal: Refusal;

  constructor(provider: string, what: string, refusal: Refusal, description: string) {
    const said = [refusal.error, plain(description)].filter((text) => text !== "").join(": ");
    super({
      code: "login_refused",
      message: `${provider} refused ${what}: ${said || `status ${refusal.status}`}`,
      ...(HINTS[refusal.error] === undefined ? {} : { hint: HINTS[refusal.error]!(provider) }),
    });
    this.refusal = refusal;
  }
}

const client = (provider: string) =>
  `Check oauth.${provider}.clientId, clientSecret and redirectUrl against what you registered with the service.`;

const HINTS: Readonly<Record<string, (provider: string) => string>> = {
  invalid_client: client,
  unauthorized_client: client,
  redirect_uri_mismatch: client,
  invalid_scope: (provider) => `Check oauth.${provider}.scopes.`,
  unsupported_grant_type: (provider) =>
    `The service does not know this flow; set oauth.${provider}.flow to the other one.`,
  invalid_grant: (provider) =>
    `The code was used already, is too old, or is another login's. Try again: pi login ${provider}`,
};

/** The refusal in what was thrown; undefined when it is something else. */
export function refusalOf(thrown: unknown): Refusal | undefined {
  return isPiError(thrown) && thrown.code === "login_refused" ? (thrown as OAuthRefused).refusal : undefined;
}

/** What was thrown while an authorisation service was asked, as a PiError that says what was done. */
export function oauthFailure(thrown: unknown, provider: string, what: string): PiError {
  if (isPiError(thrown)) return thrown;
  const {
    code,
    error,
    error_description: description = "",
    status,
  } = (thrown ?? {}) as Record<string, string>;
  if (code === "OAUTH_RESPONSE_BODY_ERROR" && typeof error === "string")
    return new OAuthRefused(provider, what, { error: plain(error), status: Number(status) }, description);
  const response = responseOf(thrown);
  if (response !== undefined && !response.ok)
    return new OAuthRefused(provider, what, { error: "", status: response.status }, "");
  const certificate = certificateProblem(thrown);
  if (certificate !== undefined)
    return new PiError({
      code: "login_tls",
      message: `${provider}: ${certificate.message}`,
      hint: certificate.hint,
      cause: thrown,
    });
  if (code?.startsWith("OAUTH_"))
    return new PiError({
      code: "login_answer",
      message: `the answer of ${provider} to ${what} cannot be used: ${plain(errorMessage(thrown))}`,
      hint: `Check the addresses of oauth.${provider} in your config file.`,
      cause: thrown,
    });
  return new PiError({
    code: "login_network",
    message: `${provider} could not be reached for ${what}: ${plain(errorMessage(thrown)).replace(/\.? For more information, pass .*$/s, "")}`,
    hint: "Check the network, and HTTPS_PROXY if you are behind a proxy.",
    cause: thrown,
  });
}

/** Text of another machine: bounded, on one line, without what a terminal would act on. */
function plain(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
    .slice(0, 300)
    .toWellFormed();
}

function responseOf(thrown: unknown): Response | undefined {
  const { cause, response } = (thrown ?? {}) as { cause?: unknown; response?: unknown };
  return [response, cause].find((value) => value instanceof Response);
}
