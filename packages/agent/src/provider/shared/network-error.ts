/** Failures below HTTP: no connection, a reset, a certificate, a stream that simply ends. */
import { errorMessage, isPiError } from "../../contract/errors.ts";
import type { ModelError } from "../../contract/model.ts";
import type { FailureContext } from "./errors.ts";
import { publicMessage } from "./public-message.ts";

/** What the codes of Bun, Node and undici mean to people; `false` marks what a new try cannot change. */
const known: readonly [RegExp, string, boolean][] = [
  [/^(?:ECONNREFUSED|ConnectionRefused)$/, "the connection was refused (is the service running?)", true],
  [/^(?:ENOTFOUND|DNSResolutionFailed|DNS_.*)$/, "the host name is unknown", true],
  [/^EAI_AGAIN$/, "the name server does not answer", true],
  [
    /^(?:ECONNRESET|ConnectionClosed|UND_ERR_SOCKET|EPIPE|ECONNABORTED)$/,
    "the connection was closed by the other side",
    true,
  ],
  [/^(?:ETIMEDOUT|ConnectionTimeout|UND_ERR_\w*TIMEOUT|Timeout)$/i, "the connection timed out", true],
  [/^(?:EHOSTUNREACH|ENETUNREACH|ENETDOWN|FailedToOpenSocket)$/, "the network cannot be reached", true],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|ERR_SSL/,
    "the server's certificate was not accepted",
    false,
  ],
  [/^(?:ERR_INVALID_URL|InvalidURL|UnsupportedProtocol)$/, "the base URL is not valid", false],
];

/** Codes of a login that cannot be used any more. */
const LOGIN_OVER: ReadonlySet<string> = new Set(["login_ended", "login_missing"]);

/** The thrown values from the outermost to the innermost cause; circles end. */
function causes(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (
    let at = thrown;
    at !== undefined && at !== null && chain.length < 8;
    at = (at as { cause?: unknown }).cause
  )
    chain.push(at);
  return chain;
}

/**
 * The error of a request that got no whole answer, from whatever was thrown. A PiError of our own fetch (a refused
 * redirect) keeps its words and is never retried.
 */
export function networkError(thrown: unknown, context: FailureContext): ModelError {
  const chain = causes(thrown);
  const who = context.address === undefined ? context.provider : `${context.provider} (${context.address})`;
  const own = chain.find(isPiError);
  if (own !== undefined) {
    const error: ModelError = {
      code: LOGIN_OVER.has(own.code) ? "auth" : "network",
      message: publicMessage(own.message, context.secrets),
      retryable: false,
    };
    if (own.hint !== undefined) error.hint = own.hint;
    return error;
  }
  const codes = chain.map((value) => String((value as { code?: unknown }).code ?? ""));
  for (const [pattern, words, retryable] of known) {
    const code = codes.find((candidate) => pattern.test(candidate));
    if (code === undefined) continue;
    const error: ModelError = {
      code: "network",
      message: publicMessage(`${who}: ${words} (${code})`, context.secrets),
      retryable,
    };
    if (words.includes("certificate"))
      error.hint = "Add the certificate authority with NODE_EXTRA_CA_CERTS; --insecure turns the check off.";
    return error;
  }
  // Bun closes its texts with advice for programmers.
  const said = errorMessage(chain.at(-1)).replace(/\.? For more information, pass .*$/s, "");
  return {
    code: "network",
    message: publicMessage(`${who}: the connection failed: ${said}`, context.secrets),
    retryable: true,
  };
}

/** The error of a stream that ended without its last event. */
export function endedEarly(provider: string): ModelError {
  return {
    code: "network",
    message: `${provider}: the stream ended early, before the answer was complete`,
    retryable: true,
  };
}

/** The error event's content after an abort; the loop checks its signal and does not show it. */
export function abortedError(provider: string): ModelError {
  return { code: "network", message: `${provider}: the request was aborted`, retryable: false };
}
