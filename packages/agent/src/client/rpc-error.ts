/** The server refused a request. */
export class RpcError extends Error {
  /** The JSON-RPC number, such as -32001 for a busy session. */
  readonly code: number;
  /** What it is in a word, such as `busy` or `no_session`. */
  readonly reason: string;
  /** What to do. */
  readonly hint: string | undefined;

  constructor(error: { code: number; message: string; data?: { code?: string; hint?: string } }) {
    super(error.message);
    this.name = "RpcError";
    this.code = error.code;
    this.reason = error.data?.code ?? "error";
    this.hint = error.data?.hint;
  }
}

/** There is no connection, or none any more. Runs of the server go on without it. */
export class RpcConnectionError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "RpcConnectionError";
  }
}
