import type { FetchLike } from "../contract/model.ts";
import { boundedText } from "../platform/bounded-text.ts";
import { loginStopped } from "./deadline.ts";
import type { LoginRecord } from "./login-record.ts";
import type { TokenSession } from "./token-session.ts";

const MOST_REFUSAL_BYTES = 1024 * 1024;

/**
 * A way to a service that sends the login's token to its own place, and nowhere else. A 401 renews the token and asks once more. What
 * the service says in a refusal is handed on without the token in it.
 */
export function tokenFetch(base: FetchLike, session: TokenSession, use: LoginRecord["use"]): FetchLike {
  return async (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    if (origin !== use.origin) return base(input, init);
    const signal = init?.signal ?? undefined;
    const send = async (token: string) => withoutToken(await base(input, withToken(init, use, token)), token);
    const token = await unlessAborted(session.token(), signal);
    const response = await send(token);
    if (response.status !== 401 || init?.body instanceof ReadableStream) return response;
    const other = await unlessAborted(session.renew(token), signal);
    return send(other);
  };
}

function withToken(init: RequestInit | undefined, use: LoginRecord["use"], token: string): RequestInit {
  const headers = new Headers(init?.headers);
  headers.set(use.header, use.scheme === "" ? token : `${use.scheme} ${token}`);
  return { ...init, headers };
}

async function withoutToken(response: Response, token: string): Promise<Response> {
  if (response.ok) return response;
  const text = await boundedText(response.body, MOST_REFUSAL_BYTES);
  const headers = new Headers(response.headers);
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
  const { status, statusText } = response;
  return new Response(text.replaceAll(token, "…"), { status, statusText, headers });
}

/** The work itself goes on: a renewal that was begun must come to its end. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  work.catch(() => undefined);
  const stop = () => reject(loginStopped());
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
