import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { type HubBench, hubBench } from "../../../cli/serving/test-support/hub-bench.ts";
import { createLineSplitter } from "../../../platform/json-lines.ts";
import { runRpcMode } from "../rpc-mode.ts";
import type { PeerUser } from "../socket/peer-user.ts";

/** A message of the server, as it came. */
export interface Received {
  id?: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data: { code: string; hint?: string } };
  method?: string;
  params?: Record<string, unknown> & { type?: string };
}

/** A client that speaks bytes, so that it can speak wrongly. */
export class RawClient {
  readonly lines: (Received | Received[])[] = [];
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  readonly socket: Socket;
  readonly #changed = new Set<() => void>();
  #asked = 0;
  #over = false;

  constructor(socket: Socket) {
    this.socket = socket;
    const splitter = createLineSplitter();
    socket.on("data", (chunk: Uint8Array) => {
      for (const { bytes } of splitter.push(chunk))
        this.lines.push(JSON.parse(new TextDecoder().decode(bytes!)) as Received);
      this.#tell();
    });
    socket.on("error", () => undefined);
    this.closed = new Promise((resolve) => {
      socket.on("close", () => {
        this.#over = true;
        this.#tell();
        resolve();
      });
    });
  }

  /** Messages that are no batch. */
  get messages(): Received[] {
    return this.lines.filter((line): line is Received => !Array.isArray(line));
  }

  /** Events of one session, by their types. */
  types(sessionId?: string): (string | undefined)[] {
    return this.messages
      .filter(
        ({ method, params }) =>
          method === "event" && (sessionId ?? params?.["session_id"]) === params?.["session_id"],
      )
      .map(({ params }) => params?.type);
  }

  write(text: string | Uint8Array): void {
    this.socket.write(text);
  }

  /** Sends a request and gives its answer. */
  async ask(method: string, params?: object, id: unknown = `${method}-${++this.#asked}`): Promise<Received> {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return this.until(
      (line) => !Array.isArray(line) && line.id === id && line.method === undefined,
    ) as Promise<Received>;
  }

  /** The first line, of those that came and those that come, that fits. Rejects when the connection ends without it. */
  until(fits: (line: Received | Received[]) => boolean): Promise<Received | Received[]> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = this.lines.find(fits);
        if (found === undefined && !this.#over) return;
        this.#changed.delete(look);
        if (found !== undefined) resolve(found);
        else
          reject(
            new Error(`the connection ended; it had brought ${JSON.stringify(this.lines).slice(0, 2_000)}`),
          );
      };
      this.#changed.add(look);
      look();
    });
  }

  /** The first event of this type. */
  async event(type: string, sessionId?: string): Promise<Record<string, unknown>> {
    const line = (await this.until(
      (each) =>
        !Array.isArray(each) &&
        each.params?.type === type &&
        (sessionId === undefined || each.params["session_id"] === sessionId),
    )) as Received;
    return line.params!;
  }

  #tell(): void {
    for (const look of [...this.#changed]) look();
  }
}

export interface RpcBench extends HubBench {
  /** Where it listens. */
  path: string;
  /** What people were told. */
  told: string[];
  connect(options?: { halfOpen?: boolean }): Promise<RawClient>;
  /** The patience with clients that read nothing at this moment is over; waits for the first of them. */
  loseGrace(): Promise<void>;
  /** Ends the server as SIGTERM does; resolves when it is over. */
  stop(): Promise<void>;
}

/** A server in this process, on a real socket, with a scripted model behind it. */
export async function rpcBench(
  options: Parameters<typeof hubBench>[0] & { socket?: string; peer?: PeerUser } = {},
): Promise<RpcBench> {
  const bench = await hubBench(options);
  const path = options.socket ?? join(bench.ws.temp, "s");
  const ending = new AbortController();
  const ready = Promise.withResolvers<void>();
  const told: string[] = [];
  const clients: RawClient[] = [];
  const waits = new Set<() => void>();
  const waiting = Promise.withResolvers<void>();
  const over = runRpcMode({
    hub: bench.hub,
    socket: path,
    environment: {},
    cwd: bench.ws.path,
    version: "0.0.0",
    signal: ending.signal,
    onReady: async () => ready.resolve(),
    tell: (message) => told.push(message),
    patience: () => new Promise(() => undefined),
    grace: (over) => {
      waits.add(over);
      waiting.resolve();
      return () => waits.delete(over);
    },
    ...(options.peer === undefined ? {} : { peer: options.peer }),
  });
  const stop = async () => {
    ending.abort();
    await over;
  };
  try {
    await Promise.race([ready.promise, over]);
  } catch (thrown) {
    await bench[Symbol.asyncDispose]();
    throw thrown;
  }
  return {
    ...bench,
    path,
    told,
    async connect({ halfOpen = false } = {}) {
      const socket = connect({ path, allowHalfOpen: halfOpen });
      await new Promise<void>((resolve, reject) => {
        socket.once("connect", () => resolve());
        socket.once("error", reject);
      });
      const client = new RawClient(socket);
      clients.push(client);
      return client;
    },
    async loseGrace() {
      await waiting.promise;
      for (const over of [...waits]) over();
    },
    stop,
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.socket.destroy();
      await stop();
      await bench[Symbol.asyncDispose]();
    },
  };
}
