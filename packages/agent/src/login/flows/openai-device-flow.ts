import { PiError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { boundedText } from "../../platform/bounded-text.ts";
import { parseObject } from "../../platform/parse-object.ts";
import { within } from "../deadline.ts";
import type { Tokens } from "../oauth/oauth-client.ts";
import { oauthFailure } from "../oauth/oauth-failure.ts";
import { typedCode } from "../oauth/sent-to.ts";
import { pollForTokens } from "./device-flow.ts";
import type { FlowParts } from "./flow.ts";

const EXPIRES_S = 15 * 60;
const PATIENCE_MS = 15_000;
const MOST_BYTES = 64 * 1024;

/**
 * OpenAI's own form of a device code: the page hands a code for tokens and its verifier to whoever asks with the code that the person
 * typed in; not typed in yet is a 403 or 404. Rejects as the standard's flow.
 */
export async function openaiDeviceFlow(parts: FlowParts): Promise<Tokens> {
  const { service, client, screen, clock, signal } = parts;
  const { provider, clientId } = service;
  const place = new URL(service.tokenUrl ?? service.issuer!).origin;
  const started = await ask(parts, `${place}/api/accounts/deviceauth/usercode`, { client_id: clientId });
  const id = textOf(started.body, "device_auth_id");
  const code = textOf(started.body, "user_code") ?? textOf(started.body, "usercode");
  if (started.status !== 200 || id === undefined || code === undefined)
    throw unusable(provider, started.status);
  screen.device({
    url: `${place}/codex/device`,
    code: typedCode(provider, code),
    expiresInMs: EXPIRES_S * 1_000,
  });
  return pollForTokens({
    provider,
    clock,
    signal,
    interval: Number(started.body["interval"]) || 5,
    expiresIn: EXPIRES_S,
    notice: (message) => screen.notice(message),
    async poll() {
      const { status, body } = await ask(parts, `${place}/api/accounts/deviceauth/token`, {
        device_auth_id: id,
        user_code: code,
      });
      if (status === 403 || status === 404) return "pending";
      const authorized = textOf(body, "authorization_code");
      const verifier = textOf(body, "code_verifier");
      if (status !== 200 || authorized === undefined || verifier === undefined)
        throw unusable(provider, status);
      const state = "device";
      const params = new URLSearchParams({ code: authorized, state });
      const redirectUrl = `${place}/deviceauth/callback`;
      return { tokens: await client.exchange(params, { state, verifier, redirectUrl }, signal) };
    },
  });
}

async function ask(
  { service, fetch, clock, signal }: FlowParts,
  url: string,
  body: JsonObject,
): Promise<{ status: number; body: JsonObject }> {
  const what = "a device code";
  const late = () =>
    new PiError({
      code: "login_network",
      message: `${service.provider} did not answer to the request for ${what}`,
    });
  try {
    return await within({ clock, ms: PATIENCE_MS, signal, late }, async (stop) => {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify(body),
        signal: stop,
      });
      return {
        status: response.status,
        body: parseObject(await boundedText(response.body, MOST_BYTES)) ?? {},
      };
    });
  } catch (thrown) {
    throw oauthFailure(thrown, service.provider, what);
  }
}

function textOf(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

function unusable(provider: string, status: number): PiError {
  return new PiError({
    code: "login_answer",
    message: `${provider} gave no device code (status ${status})`,
    hint: `Device codes may be switched off for this account, or oauth.${provider}.clientId is not known there. In the browser: pi login ${provider} --browser`,
  });
}
