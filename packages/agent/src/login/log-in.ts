import { PiError } from "../contract/errors.ts";
import type { LoginScreen } from "../contract/logins.ts";
import type { FetchLike } from "../contract/model.ts";
import type { Clock } from "../contract/services.ts";
import type { TokenPlace } from "../contract/settings.ts";
import type { LoginRecord, LoginSecrets } from "./login-record.ts";
import type { LoginService } from "./login-service.ts";
import type { OAuthClient, Tokens } from "./oauth/oauth-client.ts";
import type { LoginStore } from "./store/login-store.ts";
import { tlsPreflight } from "./tls-preflight.ts";

export interface LogInParts {
  service: LoginService;
  flow: "browser" | "device";
  screen: LoginScreen;
  store: LoginStore;
  keptIn: TokenPlace;
  /** Where requests with the token go. */
  baseUrl: string;
  fetch: FetchLike;
  clock: Clock;
  signal: AbortSignal;
}

/** Logs a person in and keeps what is granted. Rejects with a PiError; whatever was kept before is then as it was. */
export async function logIn(parts: LogInParts): Promise<LoginRecord> {
  const { service, flow, screen, store, keptIn, fetch, clock, signal } = parts;
  await store.locked(service.provider, () => store.requirePlace(service.provider, keptIn), clock);
  const { OAuthClient } = await import("./oauth/oauth-client.ts");
  const address = service.tokenUrl ?? service.issuer ?? service.authorizeUrl!;
  const skew = await tlsPreflight(address, { fetch, clock, signal });
  if (skew !== null) screen.notice(skew);
  const client = new OAuthClient(service, { fetch, clock });
  const run = await flowOf(service, flow);
  const tokens = await run({ service, client, screen, clock, fetch, signal });
  requireToken(tokens, service.provider);
  const grant = await granted(parts, client, tokens);
  await store.locked(service.provider, () => store.write(grant.record, grant.secrets), clock);
  return grant.record;
}

async function flowOf({ deviceDialect }: LoginService, flow: "browser" | "device") {
  if (flow === "browser") return (await import("./flows/browser-flow.ts")).browserFlow;
  if (deviceDialect === "openai") return (await import("./flows/openai-device-flow.ts")).openaiDeviceFlow;
  return (await import("./flows/device-flow.ts")).deviceFlow;
}

async function granted(
  { service, keptIn, baseUrl, clock, signal }: LogInParts,
  client: OAuthClient,
  tokens: Tokens,
): Promise<{ record: LoginRecord; secrets: LoginSecrets }> {
  const { token_endpoint, revocation_endpoint } = await client.endpoints(signal);
  const secretIn = await client.secretIn(signal);
  const { provider, clientId, clientSecret, tokenFormat, header, scheme } = service;
  const { accessToken, refreshToken, expiresIn, scope, account } = tokens;
  const now = clock.now();
  return {
    record: {
      provider,
      ...(account === undefined ? {} : { account }),
      obtainedAt: now,
      ...(expiresIn === undefined ? {} : { expiresAt: now + expiresIn * 1_000 }),
      ...(scope === undefined ? {} : { scope }),
      client: {
        clientId,
        tokenUrl: token_endpoint!,
        ...(revocation_endpoint === undefined ? {} : { revokeUrl: revocation_endpoint }),
        tokenFormat,
        ...(secretIn === undefined ? {} : { secretIn }),
      },
      use: { origin: new URL(baseUrl).origin, header, scheme },
      keptIn,
    },
    secrets: {
      accessToken,
      ...(refreshToken === undefined ? {} : { refreshToken }),
      ...(clientSecret === undefined ? {} : { clientSecret }),
    },
  };
}

/** It goes into a header. */
function requireToken({ accessToken }: Tokens, provider: string): void {
  if (/^[\x21-\x7e]+$/.test(accessToken)) return;
  throw new PiError({
    code: "login_answer",
    message: `${provider} gave a token that cannot be sent in a header`,
    hint: "It was not kept.",
  });
}
