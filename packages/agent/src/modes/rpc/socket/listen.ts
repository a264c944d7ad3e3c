import { chmodSync, lstatSync, unlinkSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { PiError, systemCode } from "../../../contract/errors.ts";
import { fileFailure } from "../../../platform/file-failure.ts";
import { holderName, type Lock, tryLock } from "../../../platform/lock.ts";

/** Bytes of a path that the system takes for a socket, without the zero at its end. */
const MOST_BYTES = process.platform === "darwin" ? 103 : 107;

export interface Listener {
  /** No further clients. */
  refuse(): void;
  /** Removes the socket. Call it when all clients are gone. */
  close(): Promise<void>;
}

/**
 * Listens at a path, for this user alone. What is left of a server that is gone is replaced, and nothing else. Throws a PiError:
 * `socket_in_use`, `socket_path` (too long, or something else is in its place), or a FileErrorCode.
 */
export async function listenAt(path: string, onClient: (socket: Socket) => void): Promise<Listener> {
  if (process.platform === "win32") return listenerOf(await bound(path, onClient), null);
  checkLength(path);
  const lock = lockOf(path);
  try {
    await clear(path);
    const server = await bound(path, onClient);
    chmodSync(path, 0o600);
    return listenerOf(server, lock);
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

function checkLength(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes <= MOST_BYTES) return;
  throw new PiError({
    code: "socket_path",
    message: `the path of the socket has ${bytes} bytes, and the system takes at most ${MOST_BYTES}: ${path}`,
    hint: "Name a shorter one: --socket /tmp/…/pi.sock",
    exitCode: 2,
  });
}

/** Held as long as we listen, so that two that start at once do not take each other's place. */
function lockOf(path: string): Lock {
  const attempt = tryLock(`${path}.lock`);
  if ("lock" in attempt) return attempt.lock;
  throw inUse(path, holderName(attempt.heldBy));
}

/** Makes the place free: a socket of ours at which nobody answers goes. */
async function clear(path: string): Promise<void> {
  let stat: ReturnType<typeof lstatSync>;
  try {
    stat = lstatSync(path);
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return;
    throw fileFailure("listen at", path, thrown);
  }
  if (!stat.isSocket())
    throw new PiError({
      code: "socket_path",
      message: `${path} is ${stat.isSymbolicLink() ? "a link" : "not a socket"}, so pi does not listen there`,
      hint: "Remove it, or name another place: --socket PATH",
      exitCode: 2,
    });
  const failure = await knock(path);
  if (failure === null) throw inUse(path, "another process");
  if (systemCode(failure) !== "ECONNREFUSED") throw fileFailure("listen at", path, failure);
  try {
    unlinkSync(path);
  } catch (thrown) {
    throw fileFailure("replace", path, thrown);
  }
}

/** Null when somebody answers. */
function knock(path: string): Promise<Error | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(null);
    });
    // A queue that is full has an owner, too.
    socket.once("error", (error) => resolve(systemCode(error) === "EAGAIN" ? null : error));
  });
}

function bound(path: string, onClient: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true }, onClient);
    // The file is nobody else's from its first moment.
    const before = process.umask(0o177);
    const done = () => process.umask(before);
    server.once("error", (thrown) => {
      done();
      reject(
        systemCode(thrown) === "EADDRINUSE"
          ? inUse(path, "another process")
          : fileFailure("listen at", path, thrown),
      );
    });
    server.listen(path, () => {
      done();
      server.removeAllListeners("error");
      // An accept that fails (no descriptors left) concerns one client.
      server.on("error", () => undefined);
      resolve(server);
    });
  });
}

function listenerOf(server: Server, lock: Lock | null): Listener {
  let refusing = false;
  server.on("connection", (socket: Socket) => {
    if (refusing) socket.destroy();
  });
  return {
    refuse() {
      refusing = true;
    },
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      lock?.release();
    },
  };
}

function inUse(path: string, by: string): PiError {
  return new PiError({
    code: "socket_in_use",
    message: `${by} listens at ${path}`,
    hint: "Connect to it, end it, or name another place: --socket PATH",
    exitCode: 2,
  });
}
