/** The requests of OAuth, on oauth4webapi: discovery, codes for tokens, device codes, refresh, revocation. */
import * as oauth from "oauth4webapi";
import { PiError } from "../../contract/errors.ts";
import type { FetchLike } from "../../contract/model.ts";
import type { Clock } from "../../contract/services.ts";
import { isLoopback } from "../../platform/loopback.ts";
import { within } from "../deadline.ts";
import { oauthFailure } from "./oauth-failure.ts";
import { pageAddress, typedCode } from "./sent-to.ts";
import { readTokenAnswer } from "./token-answer.ts";

/** One request; a person waits for it. */
const PATIENCE_MS = 15_000;

/** Some services give a token that does not end a number beyond all dates. */
const MOST_LIFE_S = 10 * 365 * 86_400;

/** Who asks, and where. */
export interface OAuthParty {
  provider: string;
  clientId: string;
  clientSecret?: string;
  /** Addresses that are not given are looked up there. */
  issuer?: string;
  authorizeUrl?: string;
  tokenUrl?: string;
  deviceUrl?: string;
  revokeUrl?: string;
  tokenFormat: "form" | "json";
  /** The secret goes into a header: that is all the service takes. Absent: into the body. */
  secretIn?: "header";
}

/** What a service grants. */
export interface Tokens {
  accessToken: string;
  refreshToken?: string;
  /** Seconds. */
  expiresIn?: number;
  scope?: string;
  account?: string;
}

export interface DeviceStart {
  deviceCode: string;
  userCode: string;
  url: string;
  /** The same with the code in it. */
  completeUrl?: string;
  /** Seconds. */
  expiresIn: number;
  interval: number;
}

/** The way to one authorisation service. Methods reject with a PiError that names the provider, and what was asked. */
export class OAuthClient {
  readonly #party: OAuthParty;
  readonly #fetch: FetchLike;
  readonly #clock: Clock;
  readonly #client: oauth.Client;
  #server: Promise<oauth.AuthorizationServer> | undefined;

  constructor(party: OAuthParty, { fetch, clock }: { fetch: FetchLike; clock: Clock }) {
    this.#party = party;
    this.#fetch = fetch;
    this.#clock = clock;
    this.#client = { client_id: party.clientId };
  }

  /** A fresh proof (PKCE): the verifier to keep, and its challenge to send. */
  async proof(): Promise<{ verifier: string; challenge: string }> {
    const verifier = oauth.generateRandomCodeVerifier();
    return { verifier, challenge: await oauth.calculatePKCECodeChallenge(verifier) };
  }

  /** The service's addresses: those that are set, and those that it publishes. */
  async endpoints(signal?: AbortSignal): Promise<oauth.AuthorizationServer> {
    this.#server ??= this.#discover(signal);
    this.#server.catch(() => {
      this.#server = undefined;
    });
    return this.#server;
  }

  /** Where the service wants the client's secret, if it publishes that it takes it in no body. */
  async secretIn(signal?: AbortSignal): Promise<"header" | undefined> {
    return this.#wantsHeader(await this.endpoints(signal)) ? "header" : undefined;
  }

  /** Where a person authorises. */
  async authorizationUrl(
    parameters: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<string> {
    const address = (await this.endpoints(signal)).authorization_endpoint;
    if (address === undefined) throw this.#missing("authorizeUrl", "a login in the browser");
    const url = new URL(pageAddress(this.#party.provider, address));
    const all = { response_type: "code", client_id: this.#party.clientId, ...parameters };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Tokens for the code that the browser came back with, after its `state` and `iss` are checked. */
  async exchange(
    params: URLSearchParams,
    proof: { state: string; verifier: string; redirectUrl: string; bare?: boolean },
    signal?: AbortSignal,
  ): Promise<Tokens> {
    const found = this.#issuedBy(await this.endpoints(signal), params);
    // A code that a person typed in comes without the service's name, and goes to no other service than this one.
    const server = proof.bare ? { ...found, authorization_response_iss_parameter_supported: false } : found;
    const client = this.#client;
    return this.#tokens("the tokens", signal, async (options) => {
      const checked = oauth.validateAuthResponse(server, client, params, proof.state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        this.#authentication(server),
        checked,
        proof.redirectUrl,
        proof.verifier,
        options,
      );
      return oauth.processAuthorizationCodeResponse(server, client, response);
    });
  }

  async startDevice(scopes: readonly string[], signal?: AbortSignal): Promise<DeviceStart> {
    const { provider } = this.#party;
    const server = await this.endpoints(signal);
    if (server.device_authorization_endpoint === undefined) throw this.#missing("deviceUrl", "a device code");
    return this.#asked("a device code", signal, async (options) => {
      const parameters: Record<string, string> = scopes.length === 0 ? {} : { scope: scopes.join(" ") };
      const response = await oauth.deviceAuthorizationRequest(
        server,
        this.#client,
        this.#authentication(server),
        parameters,
        options(),
      );
      const answer = await oauth.processDeviceAuthorizationResponse(server, this.#client, response);
      return {
        deviceCode: answer.device_code,
        userCode: typedCode(provider, answer.user_code),
        url: pageAddress(provider, answer.verification_uri),
        ...(answer.verification_uri_complete === undefined
          ? {}
          : { completeUrl: pageAddress(provider, answer.verification_uri_complete) }),
        expiresIn: answer.expires_in,
        interval: answer.interval ?? 5,
      };
    });
  }

  async pollDevice(deviceCode: string, signal?: AbortSignal): Promise<Tokens> {
    const server = await this.endpoints(signal);
    const client = this.#client;
    return this.#tokens("the tokens", signal, async (options) =>
      oauth.processDeviceCodeResponse(
        server,
        client,
        await oauth.deviceCodeGrantRequest(server, client, this.#authentication(server), deviceCode, options),
      ),
    );
  }

  /** Not stopped by anyone: a service may have turned the old token in already. */
  async refresh(refreshToken: string): Promise<Tokens> {
    const server = await this.endpoints();
    const client = this.#client;
    return this.#tokens("a fresh token", undefined, async (options) =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(
          server,
          client,
          this.#authentication(server),
          refreshToken,
          options,
        ),
      ),
    );
  }

  /** False: the service offers no revocation. */
  async revoke(
    token: string,
    hint: "refresh_token" | "access_token",
    signal?: AbortSignal,
  ): Promise<boolean> {
    const server = await this.endpoints(signal);
    if (server.revocation_endpoint === undefined) return false;
    return this.#asked("the end of the login", signal, async (options) => {
      const more = { ...options(), additionalParameters: { token_type_hint: hint } };
      const response = await oauth.revocationRequest(
        server,
        this.#client,
        this.#authentication(server),
        token,
        more,
      );
      await oauth.processRevocationResponse(response);
      return true;
    });
  }

  async #discover(signal?: AbortSignal): Promise<oauth.AuthorizationServer> {
    const { issuer, authorizeUrl, tokenUrl, deviceUrl, revokeUrl } = this.#party;
    const own = {
      ...(authorizeUrl === undefined ? {} : { authorization_endpoint: authorizeUrl }),
      ...(tokenUrl === undefined ? {} : { token_endpoint: tokenUrl }),
      ...(deviceUrl === undefined ? {} : { device_authorization_endpoint: deviceUrl }),
      ...(revokeUrl === undefined ? {} : { revocation_endpoint: revokeUrl }),
    };
    // Nobody says who issues: the place of its addresses stands for it.
    if (issuer === undefined) return { issuer: new URL(authorizeUrl ?? tokenUrl!).origin, ...own };
    const found = await this.#asked("its addresses", signal, async (options) => {
      const place = new URL(issuer);
      const ask = async (algorithm: "oauth2" | "oidc") =>
        oauth.processDiscoveryResponse(
          place,
          await oauth.discoveryRequest(place, { algorithm, ...options() }),
        );
      return ask("oidc").catch((first) =>
        ask("oauth2").catch(() => {
          throw first;
        }),
      );
    });
    return { ...found, ...own };
  }

  /** With only addresses set, an `iss` of the same place is believed; any other one would be an answer of another service. */
  #issuedBy(server: oauth.AuthorizationServer, params: URLSearchParams): oauth.AuthorizationServer {
    const said = params.get("iss");
    if (this.#party.issuer !== undefined || said === null) return server;
    return URL.parse(said)?.origin === server.issuer ? { ...server, issuer: said } : server;
  }

  async #tokens(
    what: string,
    signal: AbortSignal | undefined,
    ask: (options: RequestOptions) => Promise<oauth.TokenEndpointResponse>,
  ): Promise<Tokens> {
    return this.#asked(what, signal, async (options) => {
      let account: string | undefined;
      const read = async (response: Response) => {
        const answer = await readTokenAnswer(response);
        account = answer.account;
        return answer.response;
      };
      const granted = await ask(options(read));
      return {
        accessToken: granted.access_token,
        ...(granted.refresh_token === undefined ? {} : { refreshToken: granted.refresh_token }),
        ...(granted.expires_in === undefined ? {} : { expiresIn: Math.min(granted.expires_in, MOST_LIFE_S) }),
        ...(granted.scope === undefined ? {} : { scope: granted.scope }),
        ...(account === undefined ? {} : { account }),
      };
    });
  }

  /** Asks within bounds; what fails is told in our words. */
  async #asked<T>(
    what: string,
    signal: AbortSignal | undefined,
    ask: (options: (read?: (response: Response) => Promise<Response>) => RequestOptions) => Promise<T>,
  ): Promise<T> {
    const { provider } = this.#party;
    const late = () =>
      new PiError({
        code: "login_network",
        message: `${provider} did not answer within ${PATIENCE_MS / 1000} s to the request for ${what}`,
        hint: "Try again in a moment.",
      });
    try {
      return await within({ clock: this.#clock, ms: PATIENCE_MS, signal, late }, (stop) =>
        ask((read) => ({
          signal: stop,
          [oauth.allowInsecureRequests]: this.#onThisMachine(),
          [oauth.customFetch]: async (url: string, init: RequestInit) => {
            // Over a kept connection that is cut, Bun sends a request again: a code or a refresh token would be used twice.
            const once = { ...this.#inFormat(url, init), keepalive: false };
            const response = await this.#fetch(url, once);
            return read === undefined ? response : await read(response);
          },
        })),
      );
    } catch (thrown) {
      throw oauthFailure(thrown, provider, what);
    }
  }

  #authentication(server: oauth.AuthorizationServer): oauth.ClientAuth {
    const { clientSecret } = this.#party;
    if (clientSecret === undefined) return oauth.None();
    return this.#wantsHeader(server)
      ? oauth.ClientSecretBasic(clientSecret)
      : oauth.ClientSecretPost(clientSecret);
  }

  #wantsHeader({ token_endpoint_auth_methods_supported: methods }: oauth.AuthorizationServer): boolean {
    const { clientSecret, secretIn } = this.#party;
    if (clientSecret === undefined) return false;
    if (secretIn !== undefined) return true;
    return methods?.includes("client_secret_basic") === true && !methods.includes("client_secret_post");
  }

  #onThisMachine(): boolean {
    const { issuer, tokenUrl, authorizeUrl } = this.#party;
    return isLoopback(new URL(tokenUrl ?? issuer ?? authorizeUrl!).hostname);
  }

  /** A service that reads JSON only gets the same parameters as JSON. */
  #inFormat(url: string, init: RequestInit): RequestInit {
    const { tokenFormat, tokenUrl } = this.#party;
    if (
      tokenFormat !== "json" ||
      url !== URL.parse(tokenUrl ?? "")?.href ||
      !(init.body instanceof URLSearchParams)
    )
      return init;
    const headers = new Headers(init.headers);
    headers.set("content-type", "application/json");
    return { ...init, headers, body: JSON.stringify(Object.fromEntries(init.body)) };
  }

  #missing(key: string, what: string): PiError {
    const { provider } = this.#party;
    return new PiError({
      code: "oauth_setting",
      message: `${provider} publishes no address for ${what}`,
      hint: `Set oauth.${provider}.${key} in your config file, or choose the other flow.`,
      exitCode: 2,
    });
  }
}

type RequestOptions = {
  signal: AbortSignal;
  [oauth.allowInsecureRequests]: boolean;
  [oauth.customFetch]: (url: string, init: RequestInit) => Promise<Response>;
};
