import { isPiError, PiError } from "../../contract/errors.ts";
import {
  type CallbackPlace,
  type CallbackServer,
  openCallback,
} from "../../platform/oauth/callback-server.ts";
import { type PendingAnswer, pendingAnswer } from "../../platform/oauth/pending-answer.ts";
import { randomHex } from "../../platform/random.ts";
import { within } from "../deadline.ts";
import type { LoginService } from "../login-service.ts";
import type { Tokens } from "../oauth/oauth-client.ts";
import type { FlowParts } from "./flow.ts";

/** Someone who has gone away does not keep a port open. */
const PATIENCE_MS = 5 * 60_000;

/**
 * Authorisation code with PKCE: the browser comes back to a page on this machine, or the person pastes what it ended at. Rejects with
 * a PiError; whatever happens, the port is closed.
 */
export async function browserFlow({ service, client, screen, clock, signal }: FlowParts): Promise<Tokens> {
  const state = randomHex(16);
  const answer = pendingAnswer({ state, errorCode: "login_refused", bareCode: true });
  const { verifier, challenge } = await client.proof();
  using way = wayBack(service, answer);
  const url = await client.authorizationUrl(
    {
      ...(service.scopes.length === 0 ? {} : { scope: service.scopes.join(" ") }),
      ...service.parameters,
      redirect_uri: way.redirectUrl,
      state,
      code_challenge: challenge,
      code_challenge_method: "S256",
    },
    signal,
  );
  screen.browser({ url, pasteOnly: way.pasteOnly, take: answer.take });
  const late = () =>
    new PiError({
      code: "login_late",
      message: `nobody authorised pi with ${service.provider} within ${PATIENCE_MS / 60_000} minutes`,
      hint: `Try again: pi login ${service.provider}`,
    });
  const params = await within({ clock, ms: PATIENCE_MS, signal, late }, () => answer.answered);
  return client.exchange(
    params,
    { state, verifier, redirectUrl: way.redirectUrl, bare: answer.bare },
    signal,
  );
}

interface WayBack extends CallbackServer {
  pasteOnly: string | null;
}

/** A page on this machine, or (a port that cannot be had, a service with a page of its own) none. */
function wayBack({ redirectUrl, redirectPort }: LoginService, answer: PendingAnswer): WayBack {
  const nothing = { [Symbol.dispose]: () => undefined };
  const place = redirectUrl === undefined ? { port: redirectPort ?? 0 } : placeOf(redirectUrl);
  if (place === null)
    return {
      ...nothing,
      redirectUrl: redirectUrl!,
      pasteOnly: "the service shows a code on a page of its own",
    };
  try {
    return { ...openCallback(answer, place), pasteOnly: null };
  } catch (thrown) {
    if (!isPiError(thrown) || thrown.code !== "callback_port" || !place.port) throw thrown;
    const { hostname = "127.0.0.1", port, path = "/callback" } = place;
    return {
      ...nothing,
      redirectUrl: redirectUrl ?? `http://${hostname}:${port}${path}`,
      pasteOnly: thrown.message,
    };
  }
}

/** Null: it does not lead to this machine. */
function placeOf(address: string): CallbackPlace | null {
  const url = new URL(address);
  const { hostname, port, pathname } = url;
  if (url.protocol !== "http:" || (hostname !== "127.0.0.1" && hostname !== "localhost")) return null;
  return { hostname, port: Number(port || 80), path: pathname };
}
