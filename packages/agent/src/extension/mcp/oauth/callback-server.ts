import { PiError } from "../../../contract/errors.ts";

/** A small page on this machine that the browser comes back to. */
export interface CallbackServer extends Disposable {
  /** With a port by chance, on the loopback address only. */
  readonly redirectUrl: string;
  /** The parameters with the right state; rejects with a PiError when the service says that it was refused. */
  readonly answered: Promise<URLSearchParams>;
  /** Takes the address that the browser ended at, typed in by a person. False: it is not an answer to this question. */
  take(address: string): boolean;
}

/** Opens it. Only an answer that carries `state` counts; anything else is turned away and waited on. */
export function openCallback(state: string): CallbackServer {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  // Whoever closes the page early no longer waits.
  promise.catch(() => undefined);

  function accept(params: URLSearchParams): boolean {
    if (params.get("state") !== state) return false;
    if (params.get("code") !== null) resolve(params);
    else if (params.get("error") !== null) reject(refused(params));
    else return false;
    return true;
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== "/callback") return new Response("Not found\n", { status: 404 });
      if (!accept(searchParams))
        return new Response("This is no answer to a question of pi.\n", { status: 400 });
      const said = searchParams.has("code") ? "Authorised." : "Not authorised.";
      return new Response(`${said} You can close this window and go back to pi.\n`);
    },
  });
  return {
    redirectUrl: `http://127.0.0.1:${server.port}/callback`,
    answered: promise,
    take(address) {
      const url = URL.parse(address.trim());
      return url !== null && accept(url.searchParams);
    },
    [Symbol.dispose]() {
      void server.stop();
    },
  };
}

function refused(params: URLSearchParams): PiError {
  // Text of another machine: bounded, and only its plain letters.
  const reason = (params.get("error") ?? "").replace(/[^\w .:-]/g, "").slice(0, 100);
  return new PiError({ code: "mcp_login", message: `the service did not authorise pi (${reason})` });
}
