import type { Socket } from "node:net";
import { dirname } from "node:path";
import { defaultSocketPath } from "../../client/default-socket.ts";
import { PiError } from "../../contract/errors.ts";
import type { SessionHub } from "../../contract/session-hub.ts";
import { encodeJsonLine } from "../../platform/json-lines.ts";
import { RPC_LIMITS } from "./rpc-connection.ts";
import { rpcError } from "./rpc-error.ts";
import { RpcServer } from "./rpc-server.ts";
import { listenAt } from "./socket/listen.ts";
import { ensureOwnFolder } from "./socket/own-folder.ts";
import { type PeerUser, peerUser } from "./socket/peer-user.ts";
import { carry } from "./socket/socket-transport.ts";

export interface RpcModeParts {
  hub: SessionHub;
  /** Where to listen; null: at the user's usual place. */
  socket: string | null;
  environment: Readonly<Record<string, string | undefined>>;
  cwd: string;
  version: string;
  /** Ends the server. */
  signal: AbortSignal;
  /** The server can be reached. */
  onReady(facts: { socket: string }): Promise<void>;
  /** For people, on stderr. */
  tell(message: string): void;
  /** Resolves after the time that clients get at the end to read what was told. */
  patience(): Promise<void>;
  /** How long a client that reads nothing is waited for. */
  grace(over: () => void): () => void;
  /** Who is at the other end of a connection; default: asks the system. */
  peer?: PeerUser;
}

/** Serves sessions on a socket until a client or the signal ends it. Throws as {@link listenAt}. */
export async function runRpcMode(parts: RpcModeParts): Promise<void> {
  const { hub, environment, cwd, version, signal, tell } = parts;
  const socket = parts.socket ?? defaultSocketPath(environment);
  if (parts.socket === null && process.platform !== "win32") ensureOwnFolder(dirname(socket));
  const asked = Promise.withResolvers<void>();
  const peer = parts.peer ?? (await peerUser());
  const server = new RpcServer({
    hub,
    limits: RPC_LIMITS,
    grace: parts.grace,
    cwd,
    version,
    address: socket,
    tell,
    onShutdown: asked.resolve,
  });
  const listener = await listenAt(socket, (client) => {
    const user = peer(client);
    if (user === null || user === process.getuid?.()) carry(client, (transport) => server.accept(transport));
    else turnAway(client, user, tell);
  });
  try {
    await parts.onReady({ socket });
    await Promise.race([asked.promise, aborted(signal)]);
  } finally {
    listener.refuse();
    await server.close(parts.patience);
    await listener.close();
  }
}

function turnAway(client: Socket, user: number, tell: (message: string) => void): void {
  tell(`a connection of user ${user} was refused`);
  const problem = new PiError({
    code: "other_user",
    message: `this server is for user ${process.getuid?.()}, and you are user ${user}`,
  });
  client.on("error", () => client.destroy());
  client.end(encodeJsonLine({ jsonrpc: "2.0", error: rpcError(problem), id: null }), () => client.destroy());
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
