import type { Socket } from "node:net";

/** The user at the other end of a connection; null where the system does not say. */
export type PeerUser = (socket: Socket) => number | null;

const SOL_SOCKET = 1;
const SO_PEERCRED = 17;
/** `struct ucred`: process, user and group. */
const CREDENTIALS = 3;

const LIBRARIES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"],
  darwin: ["/usr/lib/libSystem.B.dylib"],
};

/** Asks the system. A second lock behind the rights of the socket's file, so where it cannot be had those have to do. */
export async function peerUser(): Promise<PeerUser> {
  const { dlopen, ptr } = await import("bun:ffi");
  for (const library of LIBRARIES[process.platform] ?? [])
    try {
      if (process.platform === "darwin") {
        const { symbols } = dlopen(library, { getpeereid: { args: ["i32", "ptr", "ptr"], returns: "i32" } });
        const user = new Uint32Array(1);
        const group = new Uint32Array(1);
        return withDescriptor((fd) =>
          symbols.getpeereid(fd, ptr(user), ptr(group)) === 0 ? user[0]! : null,
        );
      }
      const { symbols } = dlopen(library, {
        getsockopt: { args: ["i32", "i32", "i32", "ptr", "ptr"], returns: "i32" },
      });
      const found = new Uint32Array(CREDENTIALS);
      return withDescriptor((fd) => {
        const length = new Uint32Array([found.byteLength]);
        const failed = symbols.getsockopt(fd, SOL_SOCKET, SO_PEERCRED, ptr(found), ptr(length)) !== 0;
        return failed ? null : found[1]!;
      });
    } catch {
      // not this library here
    }
  return () => null;
}

function withDescriptor(ask: (fd: number) => number | null): PeerUser {
  return (socket) => {
    const { _handle: handle } = socket as unknown as { _handle?: { fd?: number } };
    return typeof handle?.fd === "number" && handle.fd >= 0 ? ask(handle.fd) : null;
  };
}
