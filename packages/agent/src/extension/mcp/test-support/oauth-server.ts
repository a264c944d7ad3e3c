/** A service that lets nobody in without a token, and the one that gives tokens, in one: authorisation code with PKCE, registration, refresh. */
import { answer, initializeResult, TOOLS } from "./http-server.ts";

export interface OAuthServer extends Disposable {
  url: string;
  /** How often tokens were refreshed, and clients registered. */
  refreshes: number;
  registrations: number;
  /** Access tokens given so far are no longer good; nor, with `all`, is anything that refreshes them. */
  revoke(all?: boolean): void;
  /** What a person's browser does at an address: it says yes (or no), and is sent back. */
  browse(url: string, answer?: "yes" | "no"): Promise<Response>;
  /** Seconds that a token is said to live. */
  lifetime: number;
}

export function oauthServer(): OAuthServer {
  const codes = new Map<string, string>();
  let good = new Set<string>();
  let refreshing = new Set<string>();
  let count = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, searchParams, origin } = new URL(request.url);
      if (pathname.startsWith("/.well-known/oauth-protected-resource"))
        return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
      if (pathname === "/.well-known/oauth-authorization-server") return Response.json(metadata(origin));
      if (pathname === "/register") {
        service.registrations++;
        const asked = (await request.json()) as object;
        return Response.json({ ...asked, client_id: `client-${service.registrations}` }, { status: 201 });
      }
      if (pathname === "/authorize") return authorize(searchParams);
      if (pathname === "/token") return token(new URLSearchParams(await request.text()));
      return mcp(request, origin);
    },
  });

  function authorize(asked: URLSearchParams): Response {
    const code = `code-${++count}`;
    codes.set(code, asked.get("code_challenge")!);
    const back = new URL(asked.get("redirect_uri")!);
    back.searchParams.set("state", asked.get("state")!);
    if (asked.get("answer") === "no") back.searchParams.set("error", "access_denied");
    else back.searchParams.set("code", code);
    return Response.redirect(back.href, 302);
  }

  function token(asked: URLSearchParams): Response {
    const refused = () => Response.json({ error: "invalid_grant" }, { status: 400 });
    if (asked.get("grant_type") === "refresh_token") {
      if (!refreshing.delete(asked.get("refresh_token")!)) return refused();
      service.refreshes++;
      return granted();
    }
    const challenge = codes.get(asked.get("code")!);
    codes.delete(asked.get("code")!);
    const verified = new Bun.CryptoHasher("sha256").update(asked.get("code_verifier")!).digest("base64url");
    return challenge === verified ? granted() : refused();
  }

  function granted(): Response {
    const id = ++count;
    good.add(`access-${id}`);
    refreshing.add(`refresh-${id}`);
    return Response.json({
      access_token: `access-${id}`,
      refresh_token: `refresh-${id}`,
      token_type: "Bearer",
      expires_in: service.lifetime,
    });
  }

  async function mcp(request: Request, origin: string): Promise<Response> {
    if (!good.has((request.headers.get("authorization") ?? "").replace("Bearer ", "")))
      return new Response("who are you?", {
        status: 401,
        headers: {
          "www-authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`,
        },
      });
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const message = (await request.json()) as {
      id?: number;
      method?: string;
      params?: Record<string, unknown>;
    };
    if (message.method === "initialize") return answer(message, initializeResult(message));
    if (message.id === undefined) return new Response(null, { status: 202 });
    if (message.method === "tools/list") return answer(message, TOOLS);
    return answer(message, { content: [{ type: "text", text: "let in" }] });
  }

  const service: OAuthServer = {
    url: `http://127.0.0.1:${server.port}/mcp`,
    refreshes: 0,
    registrations: 0,
    lifetime: 3600,
    revoke(all = false) {
      good = new Set();
      if (all) refreshing = new Set();
    },
    browse: (url, word = "yes") => fetch(`${url}&answer=${word}`),
    [Symbol.dispose]() {
      void server.stop(true);
    },
  };
  return service;
}

function metadata(origin: string) {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
  };
}
