/// <reference lib="esnext.disposable" preserve="true" />
import { connect as connectSocket, type Socket } from "node:net";
import { defaultSocketPath } from "./default-socket.ts";
import { EventQueue } from "./event-queue.ts";
import type { RpcEvent, RpcMethods, RpcNotifications, RpcRunEnd, RpcSessionFacts } from "./protocol.ts";
import { RpcConnectionError, RpcError } from "./rpc-error.ts";

/** The events of one run, up to its `message_end`: read them once, with `for await`. Leaving the loop does not stop the run. */
export interface RpcRun extends AsyncIterable<RpcEvent> {
  readonly sessionId: string;
  /** The end of the run, also when its events are not read. Rejects when the connection is lost before. */
  readonly ended: Promise<RpcRunEnd>;
  /** Stops the run; resolves when it is over. */
  cancel(): Promise<void>;
}

/** A session that is listened to: what was said, and then everything that happens, from all clients. */
export interface RpcSubscription extends AsyncIterable<RpcEvent> {
  readonly session: RpcSessionFacts;
  readonly history: readonly RpcEvent[];
  /** Listens no longer. */
  leave(): Promise<void>;
}

type NotificationName = keyof RpcNotifications;
type Listener<Name extends NotificationName> = (params: RpcNotifications[Name]) => void;

interface Waiting {
  /** Called before anything that came after the answer is looked at. */
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Message {
  id?: number | null;
  method?: NotificationName;
  params?: unknown;
  result?: unknown;
  error?: ConstructorParameters<typeof RpcError>[0];
}

/** Connects to a server (`pi --mode rpc`). Rejects with an {@link RpcConnectionError} when none answers at `socket`. */
export function connect(options: { socket?: string } = {}): Promise<RpcClient> {
  const path = options.socket ?? defaultSocketPath();
  return new Promise((resolve, reject) => {
    const socket = connectSocket(path);
    const refused = (cause: Error) =>
      reject(new RpcConnectionError(`no pi answers at ${path} (start one: pi --mode rpc)`, cause));
    socket.once("error", refused);
    socket.once("connect", () => {
      socket.off("error", refused);
      resolve(new RpcClient(socket));
    });
  });
}

/** A connection. It is not made again by itself when it is lost: connect anew, and `subscribe` to what you want to go on with. */
export class RpcClient {
  /** Resolves when the connection is over, for whatever reason. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<NotificationName, Set<(params: never) => void>>();
  readonly #onLost = new Set<(error: Error) => void>();
  #sent = 0;
  #lost: Error | undefined;

  /** @internal Use {@link connect}. */
  constructor(socket: Socket) {
    this.#socket = socket;
    const decoder = new TextDecoder();
    let pieces: string[] = [];
    socket.on("data", (chunk: Uint8Array) => {
      // Only LF ends a message: other line breaks are text.
      const [first = "", ...lines] = decoder.decode(chunk, { stream: true }).split("\n");
      pieces.push(first);
      for (const line of lines) {
        const whole = pieces.join("");
        pieces = [line];
        if (whole !== "") this.#line(whole);
      }
    });
    socket.on("error", (error) => this.#lose(error));
    this.closed = new Promise((resolve) => {
      socket.on("close", () => {
        this.#lose();
        resolve();
      });
    });
  }

  /** Calls a method. Rejects with an {@link RpcError} when the server refuses, or an {@link RpcConnectionError}. */
  call<Name extends keyof RpcMethods>(
    method: Name,
    ...[params]: Record<string, never> extends RpcMethods[Name]["params"]
      ? [params?: RpcMethods[Name]["params"]]
      : [params: RpcMethods[Name]["params"]]
  ): Promise<RpcMethods[Name]["result"]> {
    return new Promise((resolve, reject) => {
      this.#send(method, params, { resolve: resolve as (result: unknown) => void, reject });
    });
  }

  /** Sends a prompt; without `session_id` to a new session. Resolves when the run has begun. */
  prompt(params: RpcMethods["prompt"]["params"]): Promise<RpcRun> {
    return new Promise((resolve, reject) => {
      this.#send("prompt", params, {
        resolve: (result) => resolve(this.#run((result as { session_id: string }).session_id)),
        reject,
      });
    });
  }

  /** Listens to a session, from its beginning on. */
  subscribe(sessionId: string): Promise<RpcSubscription> {
    return new Promise((resolve, reject) => {
      this.#send(
        "session.get",
        { session_id: sessionId, subscribe: true },
        {
          resolve: (result) => resolve(this.#subscription(result as RpcMethods["session.get"]["result"])),
          reject,
        },
      );
    });
  }

  /** Hears notifications of one kind; the result removes the listener. */
  on<Name extends NotificationName>(name: Name, listener: Listener<Name>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  /** Ends the connection; resolves when it is over. Runs that it began go on. */
  async close(): Promise<void> {
    this.#socket.destroy();
    await this.closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #run(sessionId: string): RpcRun {
    const queue = new EventQueue<RpcEvent>();
    const ended = new Promise<RpcRunEnd>((resolve, reject) => {
      const leave = this.#collect(sessionId, queue, (event) => {
        if (event.type !== "message_end") return;
        leave();
        this.#onLost.delete(reject);
        queue.end();
        resolve(event);
      });
      this.#onLost.add(reject);
    });
    // Who reads the events hears of a lost connection there.
    ended.catch(() => undefined);
    return {
      sessionId,
      ended,
      cancel: async () => {
        await this.call("cancel", { session_id: sessionId });
      },
      [Symbol.asyncIterator]: () => queue,
    };
  }

  #subscription({ session, events }: RpcMethods["session.get"]["result"]): RpcSubscription {
    const queue = new EventQueue<RpcEvent>();
    const leave = this.#collect(session.id, queue, () => undefined);
    const offClosed = this.on("session.closed", ({ session_id }) => {
      if (session_id === session.id) stop();
    });
    const stop = () => {
      leave();
      offClosed();
      queue.end();
    };
    return {
      session,
      history: events,
      leave: async () => {
        stop();
        await this.call("session.unsubscribe", { session_id: session.id });
      },
      [Symbol.asyncIterator]: () => queue,
    };
  }

  /** Puts a session's events into the queue, until the result is called or the connection is lost. */
  #collect(sessionId: string, queue: EventQueue<RpcEvent>, see: (event: RpcEvent) => void): () => void {
    const off = this.on("event", (event) => {
      if (event.session_id !== sessionId) return;
      queue.push(event);
      see(event);
    });
    const lost = (error: Error) => queue.end(error);
    this.#onLost.add(lost);
    return () => {
      off();
      this.#onLost.delete(lost);
    };
  }

  #send(method: keyof RpcMethods, params: object | undefined, waiting: Waiting): void {
    if (this.#lost !== undefined) {
      waiting.reject(this.#lost);
      return;
    }
    const id = ++this.#sent;
    this.#waiting.set(id, waiting);
    this.#socket.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  }

  #line(line: string): void {
    let message: Message;
    try {
      message = JSON.parse(line) as Message;
    } catch (thrown) {
      this.#lose(thrown as Error);
      return;
    }
    this.#message(message);
  }

  #message({ id, method, params, result, error }: Message): void {
    if (method !== undefined) {
      for (const listener of [...(this.#listeners.get(method) ?? [])]) listener(params as never);
      return;
    }
    const waiting = typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (typeof id === "number") this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else if (waiting === undefined) this.#lose(new RpcError(error));
    else waiting.reject(new RpcError(error));
  }

  #lose(cause?: Error): void {
    if (this.#lost !== undefined) return;
    const error = new RpcConnectionError("the connection to pi is over", cause);
    this.#lost = error;
    this.#socket.destroy();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    for (const tell of [...this.#onLost]) tell(error);
    this.#onLost.clear();
  }
}
