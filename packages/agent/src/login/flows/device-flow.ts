import { isPiError, PiError } from "../../contract/errors.ts";
import type { Clock } from "../../contract/services.ts";
import { loginStopped } from "../deadline.ts";
import type { Tokens } from "../oauth/oauth-client.ts";
import { refusalOf } from "../oauth/oauth-failure.ts";
import type { FlowParts } from "./flow.ts";

/** What `slow_down` adds to the interval (RFC 8628, 3.5). Seconds. */
const SLOWER_S = 5;
/** After failures it is not asked more seldom than this. */
const SELDOM_S = 60;
/** What a service may ask for: a timer takes no more than 24 days, and none at all would be a flood. */
const MOST_INTERVAL_S = 15 * 60;

/** What one question for the tokens of a device code came to. */
type Polled = { tokens: Tokens } | "pending" | "slow_down";

/** Asks again and again until a person has typed the code in; a question that fails on the way is asked later. */
export interface DevicePolling {
  provider: string;
  clock: Clock;
  signal: AbortSignal;
  /** Seconds. */
  interval: number;
  expiresIn: number;
  notice(message: string): void;
  poll(): Promise<Polled>;
}

/** Device code by RFC 8628. Rejects with a PiError: denied, expired, stopped. */
export async function deviceFlow(parts: FlowParts): Promise<Tokens> {
  const { service, client, screen, clock, signal } = parts;
  const start = await client.startDevice(service.scopes, signal);
  const { url, completeUrl, userCode, expiresIn, interval, deviceCode } = start;
  screen.device({
    url,
    ...(completeUrl === undefined ? {} : { completeUrl }),
    code: userCode,
    expiresInMs: expiresIn * 1_000,
  });
  return pollForTokens({
    provider: service.provider,
    clock,
    signal,
    interval,
    expiresIn,
    notice: (message) => screen.notice(message),
    async poll() {
      try {
        return { tokens: await client.pollDevice(deviceCode, signal) };
      } catch (thrown) {
        const error = refusalOf(thrown)?.error;
        if (error === "authorization_pending") return "pending";
        if (error === "slow_down") return error;
        throw thrown;
      }
    },
  });
}

/** The tokens, once they are granted. */
export async function pollForTokens(polling: DevicePolling): Promise<Tokens> {
  const { provider, clock, signal, notice } = polling;
  const until = clock.now() + polling.expiresIn * 1_000;
  let interval = Math.min(Math.max(polling.interval, 1), MOST_INTERVAL_S);
  let troubled = false;
  for (;;) {
    await clock.sleep(interval * 1_000, signal);
    if (signal.aborted) throw loginStopped();
    if (clock.now() >= until) throw expired(provider);
    try {
      const polled = await polling.poll();
      if (typeof polled === "object") return polled.tokens;
      if (polled === "slow_down") interval += SLOWER_S;
    } catch (thrown) {
      if (!isPassing(thrown)) throw inWords(thrown, provider);
      // A connection that is lost for a moment must not cost the person their code.
      if (!troubled) notice(`${(thrown as Error).message}; it is asked again until the code expires`);
      troubled = true;
      interval = Math.max(interval, Math.min(interval * 2, SELDOM_S));
    }
  }
}

/** A failure that the same question may not meet again. */
function isPassing(thrown: unknown): boolean {
  const refusal = refusalOf(thrown);
  if (refusal !== undefined) return refusal.error === "" && (refusal.status >= 500 || refusal.status === 429);
  return isPiError(thrown) && thrown.code === "login_network";
}

function inWords(thrown: unknown, provider: string): unknown {
  switch (refusalOf(thrown)?.error) {
    case "access_denied":
      return new PiError({
        code: "login_refused",
        message: `the login to ${provider} was refused in the browser (access_denied)`,
        cause: thrown,
      });
    case "expired_token":
      return expired(provider);
    default:
      return thrown;
  }
}

function expired(provider: string): PiError {
  return new PiError({
    code: "login_late",
    message: `the code for ${provider} has expired before it was typed in`,
    hint: `Try again: pi login ${provider}`,
  });
}
