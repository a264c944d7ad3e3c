import { EmbedderError } from "../embedder-error.ts";
import type { Endpoint } from "./endpoint.ts";

/** One call, and how long and how often it may be tried. */
export interface EmbeddingRequest {
  readonly endpoint: Endpoint;
  readonly apiKey: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  readonly attempts: number;
  readonly timeoutMs: number;
  /** Waits between attempts; rejects when the signal aborts. */
  readonly wait: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

const RETRIED: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 529]);
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

interface Failure {
  readonly error: EmbedderError;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
}

/** The parsed answer. Rejects with an EmbedderError that names the host and the status, or with the signal's reason. */
export async function requestEmbeddings(request: EmbeddingRequest): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    request.signal?.throwIfAborted();
    const outcome = await post(request);
    if ("answer" in outcome) return outcome.answer;
    if (!outcome.retryable || attempt >= request.attempts) throw outcome.error;
    const wait = outcome.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
    await request.wait(Math.min(LONGEST_WAIT_MS, wait), request.signal);
  }
}

async function post({
  endpoint,
  apiKey,
  body,
  timeoutMs,
  signal,
}: EmbeddingRequest): Promise<{ readonly answer: unknown } | Failure> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(endpoint.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body),
      // A key goes to the host it was given for, and to no other.
      redirect: "manual",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    if (response.ok) return { answer: await parsed(response) };
    await response.body?.cancel();
    return refusal(endpoint.host, response);
  } catch (error) {
    signal?.throwIfAborted();
    if (EmbedderError.is(error)) return { error, retryable: false, retryAfterMs: undefined };
    return {
      error: unreachable(endpoint.host, timeout.aborted, timeoutMs),
      retryable: true,
      retryAfterMs: undefined,
    };
  }

  async function parsed(response: Response): Promise<unknown> {
    const text = await response.text();
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // The parser's own message would quote the answer.
      throw new EmbedderError(
        "bad_answer",
        `the embedding service ${endpoint.host} gave status ${response.status} and no JSON`,
        "check that the base URL is the one of an OpenAI-compatible API",
      );
    }
  }
}

function refusal(host: string, response: Response): Failure {
  const { status } = response;
  const hint =
    status === 401 || status === 403
      ? "check the key of the embedding service"
      : status === 404
        ? "check the base URL and the name of the model"
        : status >= 300 && status < 400
          ? "give the address it redirects to as base URL"
          : "words are still searched; vectors are tried again later";
  return {
    error: new EmbedderError("refused", `the embedding service ${host} answered with status ${status}`, hint),
    retryable: RETRIED.has(status),
    retryAfterMs: retryAfter(response.headers),
  };
}

function unreachable(host: string, timedOut: boolean, timeoutMs: number): EmbedderError {
  return timedOut
    ? new EmbedderError(
        "timed_out",
        `the embedding service ${host} did not answer within ${timeoutMs} ms`,
        "words are still searched; vectors are tried again later",
      )
    : new EmbedderError(
        "unreachable",
        `the embedding service ${host} cannot be reached`,
        "start it, or check the base URL and the network; words are still searched",
      );
}

/** `retry-after` in milliseconds, where it is a number of seconds. */
function retryAfter(headers: Headers): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}
