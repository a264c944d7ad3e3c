import type {
  AuthProvider,
  FetchLike,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
} from "@modelcontextprotocol/client";
import { PiError } from "../../../contract/errors.ts";
import type { Clock } from "../../../contract/services.ts";
import { openCallback } from "../../../platform/oauth/callback-server.ts";
import { pendingAnswer } from "../../../platform/oauth/pending-answer.ts";
import { randomHex } from "../../../platform/random.ts";
import { loginNeeded } from "../server/failure.ts";
import type { HttpSetting } from "../server-config.ts";
import { quietSdk } from "../transport/quiet-sdk.ts";
import type { Grant, TokenStore } from "./token-store.ts";

/** A token that ends sooner is refreshed before it is used. */
const SOON_MS = 60_000;

export interface McpAuthParts {
  setting: HttpSetting;
  store: TokenStore;
  fetch: FetchLike;
  clock: Clock;
}

/** How a person is asked to authorise. */
export interface LoginPorts {
  signal: AbortSignal;
  /** Shows the address where they authorise; what is typed meanwhile (the address that the browser ended at) is handed to `take`, which gives false for anything else. */
  show(url: string, take: (address: string) => boolean): void;
}

/** The authorisation of one server behind an address: tokens out of the store, refreshed by one process at a time. */
export class McpAuth implements AuthProvider {
  readonly #parts: McpAuthParts;
  /** What the service said when it refused: where its metadata are, and which rights it wants. */
  #challenge: { resourceMetadataUrl?: URL; scope?: string } = {};
  /** The token with which each answer was asked for. */
  readonly #asked = new WeakMap<Response, string>();

  constructor(parts: McpAuthParts) {
    quietSdk();
    this.#parts = parts;
  }

  /** The way to the server. What it refuses is told apart from what another process has been granted since. */
  readonly fetch: FetchLike = async (input, init) => {
    const response = await this.#parts.fetch(input, init);
    const [, token] = /^Bearer (.+)$/i.exec(new Headers(init?.headers).get("authorization") ?? "") ?? [];
    if (token !== undefined) this.#asked.set(response, token);
    return response;
  };

  async token(): Promise<string | undefined> {
    const grant = this.#parts.store.read();
    if (grant === null) return undefined;
    if (!this.#endsSoon(grant) || grant.tokens.refresh_token === undefined) return grant.tokens.access_token;
    await this.#refresh(grant.tokens.access_token);
    return this.#parts.store.read()?.tokens.access_token;
  }

  async onUnauthorized({
    response,
  }: Parameters<NonNullable<AuthProvider["onUnauthorized"]>>[0]): Promise<void> {
    const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    this.#challenge = {
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      ...(scope === undefined ? {} : { scope }),
    };
    const grant = this.#parts.store.read();
    if (grant?.tokens.refresh_token === undefined) throw loginNeeded();
    await this.#refresh(this.#asked.get(response) ?? grant.tokens.access_token);
  }

  /** Asks the person to authorise, and keeps what is granted. Rejects with a PiError when it is not. */
  async login({ signal, show }: LoginPorts): Promise<void> {
    const { auth } = await import("@modelcontextprotocol/client");
    const state = randomHex(16);
    const answer = pendingAnswer({ state, errorCode: "mcp_login" });
    using callback = openCallback(answer);
    const provider = this.#provider({ redirectUrl: callback.redirectUrl, state });
    try {
      if ((await auth(provider.client, this.#options())) === "AUTHORIZED") return;
      if (provider.url === undefined) throw new Error("the service named no address to authorise at");
      show(provider.url, answer.take);
      const params = await unlessAborted(answer.answered, signal);
      const iss = params.get("iss");
      await auth(provider.client, {
        ...this.#options(),
        authorizationCode: params.get("code")!,
        ...(iss === null ? {} : { iss }),
      });
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      throw loginFailure(thrown);
    }
  }

  /** One process refreshes; the others find its token when they come to it. `used` is the token that does not do. */
  async #refresh(used: string): Promise<void> {
    const { store, clock } = this.#parts;
    const { auth } = await import("@modelcontextprotocol/client");
    await store.locked(async () => {
      if (store.read()?.tokens.access_token !== used) return;
      const provider = this.#provider(null);
      await auth(provider.client, this.#options());
    }, clock);
  }

  #options() {
    const { setting, fetch } = this.#parts;
    return { serverUrl: setting.url, fetchFn: fetch, ...this.#challenge };
  }

  #endsSoon({ tokens, obtainedAt }: Grant): boolean {
    if (tokens.expires_in === undefined) return false;
    return obtainedAt + tokens.expires_in * 1_000 - SOON_MS < this.#parts.clock.now();
  }

  /** `asking` null: nobody is asked, so that where a person is needed it fails. */
  #provider(asking: { redirectUrl: string; state: string } | null): {
    client: OAuthClientProvider;
    url: string | undefined;
  } {
    const { setting, store, clock } = this.#parts;
    const configured = configuredClient(setting);
    let registered: StoredOAuthClientInformation | null =
      asking === null ? (store.read()?.client ?? null) : null;
    let verifier = "";
    let discovery: OAuthDiscoveryState | undefined;
    const provider = {
      client: undefined as unknown as OAuthClientProvider,
      url: undefined as string | undefined,
    };
    provider.client = {
      // A refresh needs no address; the loopback one stands for any port.
      redirectUrl: asking?.redirectUrl ?? "http://127.0.0.1/callback",
      clientMetadata: clientMetadata(setting, asking?.redirectUrl),
      state: () => asking?.state ?? "",
      clientInformation: () => configured ?? registered ?? undefined,
      saveClientInformation(information) {
        registered = information;
      },
      // Somebody who logs in wants new tokens, not a refresh of those that do not do.
      tokens: () => (asking === null ? store.read()?.tokens : undefined),
      saveTokens(tokens) {
        store.write({ tokens, client: registered, obtainedAt: clock.now() });
      },
      invalidateCredentials(scope) {
        // What the service no longer takes would only be refused again.
        if (asking === null && (scope === "tokens" || scope === "all")) store.clear();
      },
      redirectToAuthorization(url) {
        if (asking === null) throw loginNeeded();
        provider.url = url.href;
      },
      saveCodeVerifier(value) {
        verifier = value;
      },
      codeVerifier: () => verifier,
      saveDiscoveryState(found) {
        discovery = found;
      },
      discoveryState: () => discovery,
    };
    return provider;
  }
}

function configuredClient({ oauth }: HttpSetting): StoredOAuthClientInformation | null {
  if (oauth?.clientId === undefined) return null;
  return {
    client_id: oauth.clientId,
    ...(oauth.clientSecret === undefined ? {} : { client_secret: oauth.clientSecret }),
  };
}

function clientMetadata({ oauth }: HttpSetting, redirectUrl: string | undefined): OAuthClientMetadata {
  return {
    client_name: "pi",
    redirect_uris: redirectUrl === undefined ? [] : [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: oauth?.clientSecret === undefined ? "none" : "client_secret_post",
    ...(oauth?.scopes === undefined ? {} : { scope: oauth.scopes.join(" ") }),
  };
}

function loginFailure(thrown: unknown): PiError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new PiError({
    code: "mcp_login",
    message: `pi was not authorised: ${message}`,
    hint: 'Does the service let programs register themselves? Else register one and set "oauth": { "clientId": … }.',
    cause: thrown,
  });
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new PiError({ code: "aborted", message: "the login was stopped" }));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
