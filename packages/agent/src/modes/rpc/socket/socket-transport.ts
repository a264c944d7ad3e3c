import type { Socket } from "node:net";
import type { RpcConnection, RpcTransport } from "../rpc-connection.ts";

/** Carries a client's bytes over a socket. A client that vanishes is gone without a word: its runs go on. */
export function carry(socket: Socket, accept: (transport: RpcTransport) => RpcConnection): void {
  const client = accept({
    write: (text, done) => {
      socket.write(text, (error) => {
        if (!error) done();
      });
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    end: () => socket.end(),
    destroy: () => socket.destroy(),
  });
  socket.on("data", (chunk: Buffer) => client.receive(chunk));
  socket.on("end", () => client.inputEnded());
  socket.on("close", () => client.close());
  socket.on("error", () => client.close());
}
