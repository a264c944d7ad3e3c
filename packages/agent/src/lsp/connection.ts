import {
  CancellationTokenSource,
  createMessageConnection,
  ReadableStreamMessageReader,
  ResponseError,
  WriteableStreamMessageWriter,
} from "vscode-jsonrpc/node";
import { errorMessage } from "../contract/errors.ts";
import type { OwnedProcess } from "../contract/process.ts";
import type { Clock } from "../contract/services.ts";
import { waitWithin } from "./bounded.ts";
import { plainWords } from "./plain-words.ts";

/** A message that is not over after so many bytes never will be. */
const MOST_MESSAGE_BYTES = 64 * 1024 * 1024;

/** What became of a request. `error` is the server's own answer; `dead`: it can answer nothing any more. */
export type Reply =
  | { kind: "result"; result: unknown }
  | { kind: "error"; code: number; message: string }
  | { kind: "timeout"; ms: number }
  | { kind: "aborted" }
  | { kind: "dead"; reason: string };

export interface RequestLimits {
  ms: number;
  signal?: AbortSignal | undefined;
}

/** The messages to and from one server. */
export interface ServerConnection {
  /** Never rejects. A request that is given up is cancelled at the server, and its late answer dropped. */
  request(method: string, params: unknown, limits: RequestLimits): Promise<Reply>;
  notify(method: string, params: unknown): void;
  onNotification(handler: (method: string, params: unknown) => void): void;
  /** Answers the server's own requests; `unknown` for a method nobody knows. */
  onRequest(handler: (method: string, params: unknown) => { result: unknown } | "unknown"): void;
  /** Requests without an answer that somebody waits for. */
  readonly waiting: number;
  /** For how long the oldest request that was given up has been without its answer. Milliseconds, 0 when there is none. */
  readonly overdueMs: number;
  /** Whether nothing can be said or read any more. */
  readonly over: boolean;
  /** Resolves with the reason when it is over. */
  readonly closed: Promise<string>;
  close(reason: string): void;
}

const METHOD_NOT_FOUND = -32601;

/** Speaks JSON-RPC over the pipes of a process. What is no message closes the connection; it never throws. */
export function connect(child: OwnedProcess, clock: Clock): ServerConnection {
  const source = incoming(child.stdout);
  const reader = new CountingReader(source.stream, source.wholeMessage);
  const writer = new WriteableStreamMessageWriter(outgoing(child));
  const connection = createMessageConnection(reader, writer, SILENT);
  const overdue = new Map<number, number>();
  const death = Promise.withResolvers<string>();
  let requests = 0;
  let waiting = 0;
  let dead: string | undefined;

  const close = (reason: string): void => {
    if (dead !== undefined) return;
    dead = reason;
    death.resolve(reason);
    connection.dispose();
  };
  connection.onError(([error]) =>
    close(`it wrote what is no message (${plainWords(errorMessage(error), 200)})`),
  );
  connection.onClose(() => close("it closed its output"));
  source.onTooLong(() => close(`it began a message of more than ${MOST_MESSAGE_BYTES / 1024 / 1024} MB`));

  const send = async (id: number, method: string, params: unknown, stop: CancellationTokenSource) => {
    try {
      return { kind: "result", result: await connection.sendRequest(method, params, stop.token) } as const;
    } catch (thrown) {
      if (dead !== undefined) return { kind: "dead", reason: dead } as const;
      const code = thrown instanceof ResponseError ? thrown.code : 0;
      return { kind: "error", code, message: errorMessage(thrown) } as const;
    } finally {
      overdue.delete(id);
    }
  };

  const started = {
    async request(method: string, params: unknown, { ms, signal }: RequestLimits): Promise<Reply> {
      if (dead !== undefined) return { kind: "dead", reason: dead };
      const id = ++requests;
      const stop = new CancellationTokenSource();
      const lost = death.promise.then((reason): Reply => ({ kind: "dead", reason }));
      waiting++;
      const waited = await waitWithin<Reply>(Promise.race([send(id, method, params, stop), lost]), {
        ms,
        clock,
        signal,
      });
      waiting--;
      if (waited.kind === "value") return waited.value;
      overdue.set(id, clock.now());
      stop.cancel();
      return waited.kind === "timeout" ? { kind: "timeout", ms } : { kind: "aborted" };
    },
    notify(method: string, params: unknown): void {
      if (dead === undefined) connection.sendNotification(method, params).catch(() => undefined);
    },
    onNotification(handler: (method: string, params: unknown) => void): void {
      connection.onNotification((method, params) => handler(method, params));
      // The library keeps this one method for itself.
      connection.onUnhandledProgress((params) => handler("$/progress", params));
    },
    onRequest(handler: (method: string, params: unknown) => { result: unknown } | "unknown"): void {
      connection.onRequest((method, params) => {
        const answer = handler(method, params);
        return answer === "unknown"
          ? new ResponseError(METHOD_NOT_FOUND, `${method} is not supported`)
          : answer.result;
      });
    },
    get waiting(): number {
      return waiting;
    },
    get overdueMs(): number {
      const oldest = Math.min(...overdue.values());
      return overdue.size === 0 ? 0 : clock.now() - oldest;
    },
    get over(): boolean {
      return dead !== undefined;
    },
    closed: death.promise,
    close,
  };
  // What is read comes in a later turn, when the caller has set its handlers.
  connection.listen();
  return started;
}

const SILENT = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  log: () => undefined,
};

type ReadableStream = ConstructorParameters<typeof ReadableStreamMessageReader>[0];
type WritableStream = ConstructorParameters<typeof WriteableStreamMessageWriter>[0];

function incoming(chunks: AsyncIterable<Uint8Array>) {
  const data = new Set<(chunk: Uint8Array) => void>();
  const ends = new Set<() => void>();
  let tooLong: (() => void) | undefined;
  let pending = 0;
  const listen = <Handler>(handlers: Set<Handler>, handler: Handler) => {
    handlers.add(handler);
    return { dispose: () => void handlers.delete(handler) };
  };
  const read = async () => {
    try {
      for await (const chunk of chunks) {
        pending += chunk.length;
        for (const handler of data) handler(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
        if (pending > MOST_MESSAGE_BYTES) tooLong?.();
      }
    } finally {
      for (const handler of ends) handler();
    }
  };
  const stream: ReadableStream = {
    onData(handler) {
      const listening = listen(data, handler);
      read().catch(() => undefined);
      return listening;
    },
    onClose: (handler) => listen(ends, handler),
    onError: () => ({ dispose: () => undefined }),
    onEnd: () => ({ dispose: () => undefined }),
  };
  return {
    stream,
    onTooLong(handler: () => void): void {
      tooLong = handler;
    },
    /** Bytes count anew with each message that is whole. */
    wholeMessage(): void {
      pending = 0;
    },
  };
}

/** Tells of each message that is whole. */
class CountingReader extends ReadableStreamMessageReader {
  readonly #whole: () => void;

  constructor(stream: ReadableStream, whole: () => void) {
    super(stream);
    this.#whole = whole;
  }

  override listen(callback: Parameters<ReadableStreamMessageReader["listen"]>[0]) {
    return super.listen((message) => {
      this.#whole();
      callback(message);
    });
  }
}

function outgoing(child: OwnedProcess): WritableStream {
  const never = () => ({ dispose: () => undefined });
  return {
    onClose: never,
    onError: never,
    onEnd: never,
    write(chunk: Uint8Array | string): Promise<void> {
      child.stdin?.write(chunk);
      return Promise.resolve();
    },
    end: () => child.stdin?.end(),
  };
}
