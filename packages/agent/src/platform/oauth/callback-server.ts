import { errorMessage, isPiError, PiError, systemCode } from "../../contract/errors.ts";
import type { PendingAnswer } from "./pending-answer.ts";

/** A small page on this machine that the browser comes back to. Disposing of it closes the port. */
export interface CallbackServer extends Disposable {
  readonly redirectUrl: string;
}

export interface CallbackPlace {
  /** What stands in the address; `localhost` is listened to on IPv4 and IPv6. Default 127.0.0.1. */
  hostname?: "127.0.0.1" | "localhost";
  /** Default: any that is free. */
  port?: number;
  /** Default `/callback`. */
  path?: string;
}

/** Opens the page, on loopback addresses only. Throws a PiError `callback_port` when another program has the port that was asked for, or the system does not give it (one below 1024). */
export function openCallback(answer: PendingAnswer, place: CallbackPlace = {}): CallbackServer {
  const { hostname = "127.0.0.1", port = 0, path = "/callback" } = place;
  let over = false;
  const respond = (request: Request): Response => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== path) return page("Not found", 404);
    if (over) return page("This login is over already.", 400);
    if (!answer.accept(searchParams)) return page("This is no answer to a question of pi.", 400);
    over = true;
    const said = searchParams.get("code") ? "Authorised." : "Not authorised.";
    return page(`${said} You can close this window and go back to pi.`, 200);
  };
  const first = listen("127.0.0.1", port, respond);
  const servers = [first];
  try {
    if (hostname === "localhost") servers.push(listen("::1", first.port!, respond));
  } catch (thrown) {
    // Without IPv6 no browser tries it; where another program listens there, answers would go to that one.
    if (inUse(thrown)) {
      void first.stop(true);
      throw thrown;
    }
  }
  return {
    redirectUrl: `http://${hostname}:${first.port}${path}`,
    [Symbol.dispose]() {
      for (const server of servers) void server.stop();
    },
  };
}

function page(text: string, status: number): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", connection: "close" },
  });
}

function listen(
  hostname: string,
  port: number,
  fetch: (request: Request) => Response,
): Bun.Server<undefined> {
  try {
    return Bun.serve({ hostname, port, fetch });
  } catch (thrown) {
    throw new PiError({
      code: "callback_port",
      message: `port ${port}, which the browser has to come back to, ${inUse(thrown) ? "is in use by another program" : `cannot be opened: ${errorMessage(thrown)}`}`,
      hint: inUse(thrown)
        ? "End that program, or paste the address that the browser ends at."
        : "Paste the address that the browser ends at, or have the service send it to a port above 1023.",
      cause: thrown,
    });
  }
}

/** Of what `listen` threw, or of what it threw that for. */
function inUse(thrown: unknown): boolean {
  return systemCode(isPiError(thrown) ? thrown.cause : thrown) === "EADDRINUSE";
}
