/** A service that gives tokens, with every fault that logins meet, and an address that lets nobody in without a good one. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a person does at the authorisation page, or what goes wrong on the way back. */
export type BrowserAnswer = "yes" | "no" | "wrong_state" | "wrong_issuer" | "no_issuer";
/** What the token address answers to one question about a device code. */
export type DeviceAnswer = "pending" | "slow_down" | "denied" | "expired" | "cut" | "broken" | "yes";
/** What the token address does instead of answering. */
export type TokenFault = "hang" | "cut" | "broken" | "page" | "no_token" | "invalid_client" | "odd_token";

/** Made by {@link oauthService}. */
export class OAuthService implements AsyncDisposable {
  /** The next answer of the person; stays. */
  answer: BrowserAnswer = "yes";
  /** The next answers about a device code; afterwards it is granted. */
  device: DeviceAnswer[] = [];
  fault: TokenFault | null = null;
  /** Seconds that an access token is said to live; null: it is not said. */
  lifetime: number | null = 3_600;
  /** Requests that an access token is good for; null: any number. */
  uses: number | null = null;
  /** Seconds between questions about a device code. */
  interval = 1;
  /** Whether a refresh gives another refresh token, and the old one is void then. */
  rotates = true;
  /** What people are told to type in, and where, and where browsers are sent; null: its own page. */
  userCode = "WDJB-MJHT";
  page: string | null = null;
  /** Whether it publishes where tokens are given back. */
  revocation = true;
  /** The client's secret, taken in the header of HTTP Basic alone, which is published; null: there is none. */
  secretInHeader: string | null = null;
  /** Another service's name in the published metadata. */
  issuer: string | null = null;
  /** Requests with a good token are handed on there. */
  upstream: string | null = null;
  /** What was counted. */
  refreshes = 0;
  refusedRefreshes = 0;
  grants = 0;
  readonly revoked: string[] = [];
  readonly contentTypes: string[] = [];
  /** Tokens with which requests came to the protected address, in order; empty: without one. */
  readonly shown: string[] = [];
  #count = 0;
  readonly #codes = new Map<string, { challenge: string; redirect: string }>();
  #access = new Set<string>();
  #refresh = new Set<string>();
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
    server.on("request", (message: IncomingMessage, response: ServerResponse) => {
      this.#serve(message, response).catch((thrown: unknown) => cut(response, thrown as Error));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The base URL of the service that wants a token. */
  get api(): string {
    return `${this.url}/api`;
  }

  /** Access tokens so far are no longer good; nor, with `all`, is anything that renews them. */
  revoke(all = false): void {
    this.#access = new Set();
    if (all) this.#refresh = new Set();
  }

  isGood(token: string): boolean {
    return this.#access.has(token);
  }

  /** What a person's browser does at an address: it goes where it is sent. */
  async browse(url: string): Promise<Response> {
    return fetch(url);
  }

  /** Where the browser is sent back to, without going there: for one that cannot reach this machine. */
  async endOf(url: string): Promise<string> {
    const { headers } = await fetch(url, { redirect: "manual" });
    return headers.get("location")!;
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<ServerResponse> {
    const url = new URL(message.url ?? "/", this.url);
    const body = await textOf(message);
    const { pathname } = url;
    if (pathname.startsWith("/.well-known/")) return json(response, 200, this.#metadata());
    if (pathname === "/authorize") return this.#authorize(url.searchParams, response);
    if (pathname === "/token") return this.#token(message, body, response);
    if (pathname === "/device")
      return json(response, 200, {
        device_code: `device-${++this.#count}`,
        user_code: this.userCode,
        verification_uri: this.page ?? `${this.url}/activate`,
        ...(this.page === null
          ? { verification_uri_complete: `${this.url}/activate?user_code=WDJB-MJHT` }
          : {}),
        expires_in: 300,
        interval: this.interval,
      });
    if (pathname === "/revoke" && !this.#isClient(message)) return refuse(response, "invalid_client");
    if (pathname === "/revoke") {
      const token = new URLSearchParams(body).get("token") ?? "";
      this.revoked.push(token);
      this.#refresh.delete(token);
      return response.writeHead(200).end();
    }
    if (pathname.startsWith("/api")) return this.#protected(message, url, body, response);
    return json(response, 404, { error: "not_found" });
  }

  #metadata(): object {
    const { url } = this;
    return {
      issuer: this.issuer ?? url,
      authorization_endpoint: this.page ?? `${url}/authorize`,
      token_endpoint: `${url}/token`,
      device_authorization_endpoint: `${url}/device`,
      ...(this.revocation ? { revocation_endpoint: `${url}/revoke` } : {}),
      authorization_response_iss_parameter_supported: true,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      ...(this.secretInHeader === null
        ? {}
        : { token_endpoint_auth_methods_supported: ["client_secret_basic"] }),
    };
  }

  #authorize(asked: URLSearchParams, response: ServerResponse): ServerResponse {
    const { answer } = this;
    const redirect = asked.get("redirect_uri")!;
    const back = new URL(redirect);
    back.searchParams.set("state", answer === "wrong_state" ? "guessed" : asked.get("state")!);
    if (answer !== "no_issuer")
      back.searchParams.set("iss", answer === "wrong_issuer" ? "https://other.example" : this.url);
    if (answer === "no") {
      back.searchParams.set("error", "access_denied");
      back.searchParams.set("error_description", "The person said no.");
    } else {
      const code = `code-${++this.#count}`;
      this.#codes.set(code, { challenge: asked.get("code_challenge")!, redirect });
      back.searchParams.set("code", code);
    }
    return response.writeHead(302, { location: back.href }).end();
  }

  #token(message: IncomingMessage, body: string, response: ServerResponse): ServerResponse {
    const type = message.headers["content-type"] ?? "";
    this.contentTypes.push(type);
    const asked = type.includes("json")
      ? new Map(Object.entries(JSON.parse(body) as Record<string, string>))
      : new Map(new URLSearchParams(body));
    if (this.fault !== null) return this.#fail(this.fault, response);
    if (!this.#isClient(message)) return refuse(response, "invalid_client", "Who are you?");
    switch (asked.get("grant_type")) {
      case "authorization_code":
        return this.#redeem(asked, response);
      case "refresh_token":
        return this.#renew(asked.get("refresh_token") ?? "", response);
      default:
        return this.#poll(response);
    }
  }

  #isClient({ headers }: IncomingMessage): boolean {
    if (this.secretInHeader === null) return true;
    const [, encoded = ""] = /^Basic (.+)$/.exec(headers.authorization ?? "") ?? [];
    return Buffer.from(encoded, "base64").toString().split(":")[1] === this.secretInHeader;
  }

  #redeem(asked: ReadonlyMap<string, string>, response: ServerResponse): ServerResponse {
    const code = asked.get("code") ?? "";
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    const proof = createHash("sha256")
      .update(asked.get("code_verifier") ?? "")
      .digest("base64url");
    if (known?.challenge !== proof || known.redirect !== asked.get("redirect_uri"))
      return refuse(response, "invalid_grant", "The code is not good.");
    this.grants++;
    return this.#grant(response, true);
  }

  #renew(token: string, response: ServerResponse): ServerResponse {
    if (!this.#refresh.has(token)) {
      this.refusedRefreshes++;
      return refuse(response, "invalid_grant", "The refresh token is not good.");
    }
    if (this.rotates) this.#refresh.delete(token);
    this.refreshes++;
    return this.#grant(response, this.rotates);
  }

  #poll(response: ServerResponse): ServerResponse {
    switch (this.device.shift() ?? "yes") {
      case "pending":
        return refuse(response, "authorization_pending");
      case "slow_down":
        return refuse(response, "slow_down");
      case "denied":
        return refuse(response, "access_denied");
      case "expired":
        return refuse(response, "expired_token");
      case "cut":
        return cut(response);
      case "broken":
        return response.writeHead(503).end("busy");
      case "yes":
        this.grants++;
        return this.#grant(response, true);
    }
  }

  #fail(fault: TokenFault, response: ServerResponse): ServerResponse {
    switch (fault) {
      case "hang":
        return response;
      case "cut":
        return cut(response);
      case "broken":
        return response.writeHead(500).end("broken");
      case "page":
        return response.writeHead(200, { "content-type": "text/html" }).end("<p>Sign in to the hotel</p>");
      case "no_token":
        return json(response, 200, { token_type: "bearer" });
      case "invalid_client":
        return refuse(response, "invalid_client", "Who are you?");
      case "odd_token":
        return json(response, 200, { access_token: "two\nlines", token_type: "bearer" });
    }
  }

  #grant(response: ServerResponse, withRefresh: boolean): ServerResponse {
    const id = ++this.#count;
    const access = `access-token-${id}`;
    this.#access.add(access);
    if (withRefresh) this.#refresh.add(`refresh-token-${id}`);
    return json(response, 200, {
      access_token: access,
      token_type: "Bearer",
      ...(withRefresh ? { refresh_token: `refresh-token-${id}` } : {}),
      ...(this.lifetime === null ? {} : { expires_in: this.lifetime }),
      id_token: `x.${Buffer.from(JSON.stringify({ email: "ann@example.com" })).toString("base64url")}.x`,
    });
  }

  async #protected(
    message: IncomingMessage,
    url: URL,
    body: string,
    response: ServerResponse,
  ): Promise<ServerResponse> {
    const token = (message.headers.authorization ?? "").replace(/^Bearer /, "");
    this.shown.push(token);
    if (!this.#access.has(token))
      return json(response, 401, { error: { type: "authentication_error", message: `no: ${token}` } });
    if (this.uses !== null && this.shown.filter((other) => other === token).length >= this.uses)
      this.#access.delete(token);
    if (this.upstream === null) return json(response, 200, { ok: true });
    const answer = await fetch(`${this.upstream}${url.pathname.slice("/api".length)}${url.search}`, {
      method: message.method ?? "GET",
      headers: { "content-type": "application/json", "x-api-key": token, "anthropic-version": "2023-06-01" },
      ...(body === "" ? {} : { body }),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    for await (const chunk of answer.body ?? []) response.write(chunk);
    return response.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function json(response: ServerResponse, status: number, body: object): ServerResponse {
  return response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, error: string, description?: string): ServerResponse {
  const told = description === undefined ? {} : { error_description: description };
  return json(response, 400, { error, ...told });
}

/** Ends the connection before there was an answer. */
function cut(response: ServerResponse, error?: Error): ServerResponse {
  response.req.socket.destroy(error);
  return response;
}

/** Starts the service on a loopback port. Dispose of it with `await using`. */
export async function oauthService(): Promise<OAuthService> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return new OAuthService(server);
}
