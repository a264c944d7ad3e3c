import { PiError } from "../../contract/errors.ts";
import type { SessionHub } from "../../contract/session-hub.ts";
import { nearNames } from "../../platform/near-names.ts";
import { ConsentDesk } from "./consent-desk.ts";
import type { MethodContext, RpcMethod } from "./methods/method.ts";
import { RUN_METHODS } from "./methods/run-methods.ts";
import { SERVER_METHODS } from "./methods/server-methods.ts";
import { SESSION_METHODS } from "./methods/session-methods.ts";
import {
  RpcConnection,
  type RpcConnectionPorts,
  type RpcLimits,
  type RpcTransport,
} from "./rpc-connection.ts";
import type { RpcRequest } from "./rpc-message.ts";
import { SessionDoor } from "./session-door.ts";

/** Every method of the protocol. */
export const RPC_METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  Object.entries({ ...RUN_METHODS, ...SESSION_METHODS, ...SERVER_METHODS }),
);

export interface RpcServerParts {
  hub: SessionHub;
  limits: RpcLimits;
  /** How long a client that reads nothing is waited for. */
  grace: RpcConnectionPorts["grace"];
  /** The folder of sessions that name none. */
  cwd: string;
  version: string;
  /** Where clients connect; for `status`. */
  address: string;
  /** For people, on stderr. */
  tell(message: string): void;
  /** A client has asked for the end. */
  onShutdown(): void;
}

/** Serves sessions to clients, whatever carries the bytes. */
export class RpcServer {
  readonly #parts: RpcServerParts;
  readonly #clients = new Set<RpcConnection>();
  readonly #desk: ConsentDesk;
  readonly #defaults: { model?: string } = {};

  constructor(parts: RpcServerParts) {
    this.#parts = parts;
    this.#desk = new ConsentDesk((sessionId) =>
      [...this.#clients].filter((client) => client.answersQuestions && client.hears(sessionId)),
    );
  }

  /** A client has connected; the transport is to hand what comes to the result. */
  accept(transport: RpcTransport): RpcConnection {
    const { hub, cwd } = this.#parts;
    const sessions = new SessionDoor({ hub, cwd, desk: this.#desk, defaults: this.#defaults });
    const client: RpcConnection = new RpcConnection(transport, {
      limits: this.#parts.limits,
      handle: (request, after) =>
        this.#handle(request, { client, sessions, after: (work) => after.push(work) }),
      grace: this.#parts.grace,
      onSlow: () =>
        this.#parts.tell(
          `a client did not read its events and was dropped: more than ${this.#parts.limits.events} characters were waiting; it can connect again and ask with session.get`,
        ),
      onMute: () => this.#desk.leave(client),
      onClosed: () => {
        this.#clients.delete(client);
        this.#desk.leave(client);
      },
    });
    this.#clients.add(client);
    return client;
  }

  /** Runs end, sessions are saved, and clients that read within `patience` get all of it. */
  async close(patience: () => Promise<void>): Promise<void> {
    await this.#parts.hub.close();
    await Promise.race([Promise.all([...this.#clients].map((client) => client.flushed())), patience()]);
    for (const client of [...this.#clients]) client.close();
  }

  async #handle(
    request: RpcRequest,
    of: Pick<MethodContext, "client" | "sessions" | "after">,
  ): Promise<unknown> {
    const found = RPC_METHODS.get(request.method);
    if (found === undefined) throw noMethod(request.method);
    const { hub, cwd, onShutdown } = this.#parts;
    return await found.run(request.params, {
      ...of,
      hub,
      cwd,
      desk: this.#desk,
      facts: () => this.#facts(),
      shutdown: onShutdown,
    });
  }

  #facts(): object {
    const { hub, version, address, cwd } = this.#parts;
    return {
      version,
      pid: process.pid,
      socket: address,
      cwd,
      clients: this.#clients.size,
      sessions: hub.sessions().map((session) => ({ id: session.id, cwd: session.cwd, busy: session.busy })),
    };
  }
}

function noMethod(name: string): PiError {
  const near = nearNames(name, RPC_METHODS.keys());
  return new PiError({
    code: "method_not_found",
    message: `there is no method ${JSON.stringify(name.slice(0, 100))}`,
    hint:
      near.length > 0
        ? `Did you mean ${near.join(" or ")}?`
        : `There are ${[...RPC_METHODS.keys()].join(", ")}.`,
  });
}
