import type { ReadPiece } from "./byte-stream.ts";

/**
 * Reads one end of a socket pair, and closes it at its end. While nobody asks for a piece the socket stands still, so that a full one stops the
 * writer. A web stream over the same descriptor would fill a new buffer of 256 KiB for each command.
 */
export function socketPieces(descriptor: number): ReadPiece {
  let ended = false;
  /** Came before anybody asked, or in the same breath as another piece. */
  const early: Uint8Array[] = [];
  let asked: ((piece: Uint8Array | undefined) => void) | undefined;
  let socket: Bun.Socket | undefined;

  function answer(piece: Uint8Array | undefined): void {
    const waiting = asked;
    asked = undefined;
    waiting?.(piece);
  }
  function end(): void {
    ended = true;
    socket = undefined;
    answer(undefined);
  }
  const options: Bun.FdSocketOptions = {
    fd: descriptor,
    socket: {
      open(opened) {
        socket = opened;
        opened.pause();
      },
      data(opened, bytes) {
        opened.pause();
        if (asked === undefined) early.push(bytes);
        else answer(bytes);
      },
      // Nothing is ever written to it: when the other end is closed it has no use any more.
      end: (opened) => void opened.end(),
      close: end,
      error: end,
    },
  };
  // The types of `connect` leave out what `FdSocketOptions` are for.
  Bun.connect(options as unknown as Bun.UnixSocketOptions).catch(end);

  return () => {
    const piece = early.shift();
    if (piece !== undefined || ended) return Promise.resolve(piece);
    return new Promise((resolve) => {
      asked = resolve;
      socket?.resume();
    });
  };
}
