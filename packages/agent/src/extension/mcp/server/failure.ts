import { errorMessage, isPiError, PiError } from "../../../contract/errors.ts";
import { publicAddress } from "../../../platform/public-address.ts";

/** HTTP status of what the SDK threw; undefined for anything else. */
export function statusOf(thrown: unknown): number | undefined {
  const { data, code } = (thrown ?? {}) as { data?: { status?: unknown }; code?: unknown };
  if (typeof data?.status === "number") return data.status;
  return typeof code === "number" && code >= 400 && code < 600 ? code : undefined;
}

/** The code of an error of the SDK (`REQUEST_TIMEOUT`) or of ours. */
export function codeOf(thrown: unknown): string | undefined {
  const code = (thrown as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

const WANTS_LOGIN = /Unauthorized|InsufficientScope|CLIENT_HTTP_AUTHENTICATION/;
/** What servers answer that know only the transport before. */
const OLDER = [400, 404, 405, 406];

/**
 * What went wrong on the way to a server, as a PiError for people: `mcp_login` (its service wants an authorisation), `mcp_older` (an
 * older transport may do), `mcp_version` (it speaks none of our versions of the protocol) or `mcp_failed`.
 */
export function connectFailure(thrown: unknown, url: string | null): PiError {
  if (isPiError(thrown))
    return thrown.code === "mcp_login" ? thrown : failure("mcp_failed", thrown.message, thrown);
  const cause = (thrown as { cause?: unknown } | null)?.cause;
  if (isPiError(cause) && cause.code === "mcp_login") return cause;
  const status = statusOf(thrown);
  const place = url === null ? "it" : publicAddress(url);
  if (status === 401 || WANTS_LOGIN.test(`${(thrown as Error | null)?.name} ${codeOf(thrown)}`))
    return loginNeeded(thrown);
  if (status !== undefined)
    return failure(
      OLDER.includes(status) ? "mcp_older" : "mcp_failed",
      `${place} answers HTTP ${status}${status === 403 ? " (forbidden)" : ""}`,
      thrown,
    );
  if (codeOf(thrown) === "REQUEST_TIMEOUT") return failure("mcp_failed", `${place} does not answer`, thrown);
  const code = (thrown as { code?: unknown } | null)?.code;
  const text = readable(errorMessage(thrown));
  if (code === -32_601 || code === -32_022 || /protocol version/i.test(text))
    return failure("mcp_version", text, thrown);
  return failure("mcp_failed", url === null ? text : `${place}: ${text}`, thrown);
}

/** That a person has to authorise first. */
export function loginNeeded(cause?: unknown): PiError {
  return failure("mcp_login", "it wants an authorisation", cause);
}

function failure(code: string, message: string, cause: unknown): PiError {
  return new PiError({ code, message, cause });
}

/** What the SDK says of an answer that breaks the protocol is a list of issues in JSON: each as its place and what is wrong there. */
function readable(text: string): string {
  const [, what, issues] = /^Invalid result for ([\w/]+): (\[[\s\S]*\])$/.exec(text) ?? [];
  if (issues === undefined) return text;
  try {
    const said = (JSON.parse(issues) as { path?: unknown[]; message?: unknown }[])
      .slice(0, 5)
      .map(({ path = [], message }) => `${path.join(".") || "result"}: ${String(message)}`);
    return `its answer to ${what} is not of the protocol (${said.join("; ")})`;
  } catch {
    return text;
  }
}
