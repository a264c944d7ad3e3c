import {
  type AuthProvider,
  type FetchLike,
  type JSONRPCMessage,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import type { HttpSetting } from "../server-config.ts";
import { soundAnswers } from "./sound-answers.ts";

/** Code of the error that an answer becomes whose connection broke off; of the range for ours in JSON-RPC. */
export const BROKEN_OFF = -32_050;

export interface HttpParts {
  setting: HttpSetting;
  protocol: "http" | "sse";
  fetch: FetchLike;
  auth: AuthProvider | null;
}

type Inner = StreamableHTTPClientTransport | SSEClientTransport;

/**
 * The protocol over HTTP. An answer's stream that breaks off for good becomes an error of its request at once (else the request would
 * wait for its time limit), and closing ends the session on the server.
 */
export class HttpTransport implements Transport {
  readonly #inner: Inner;
  readonly #open = new Set<string | number>();
  #started = false;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];

  constructor({ setting, protocol, fetch, auth }: HttpParts) {
    const options = {
      fetch: soundAnswers(fetch, protocol, () => this.#streamEnded()),
      requestInit: { headers: { ...setting.headers } },
      ...(auth === null ? {} : { authProvider: auth }),
    };
    const url = new URL(setting.url);
    this.#inner =
      protocol === "http"
        ? new StreamableHTTPClientTransport(url, {
            ...options,
            reconnectionOptions: {
              initialReconnectionDelay: 500,
              maxReconnectionDelay: 10_000,
              reconnectionDelayGrowFactor: 2,
              maxRetries: 3,
            },
          })
        : new SSEClientTransport(url, options);
  }

  get hasPerRequestStream(): boolean {
    return this.#inner instanceof StreamableHTTPClientTransport;
  }

  get sessionId(): string | undefined {
    return this.#inner instanceof StreamableHTTPClientTransport ? this.#inner.sessionId : undefined;
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message: JSONRPCMessage) => {
      if ("id" in message && message.id !== undefined && !("method" in message))
        this.#open.delete(message.id);
      this.onmessage?.(message);
    };
    await this.#inner.start();
    this.#started = true;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!(this.#inner instanceof StreamableHTTPClientTransport)) return this.#inner.send(message);
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id === undefined) return this.#inner.send(message, passed(options));
    this.#open.add(id);
    try {
      await this.#inner.send(message, { ...passed(options), onRequestStreamEnd: () => this.#cut(id) });
    } catch (thrown) {
      this.#open.delete(id);
      throw thrown;
    }
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  /** Ends the session on the server as far as it listens, and the connection. `patienceMs` is what the server may take for it. */
  async leave(patienceMs: number): Promise<void> {
    if (this.#inner instanceof StreamableHTTPClientTransport && this.#inner.sessionId !== undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patienceMs);
      const said = this.#inner.terminateSession().then(resolve, () => {
        // it is gone, or does not let clients end sessions
        resolve();
      });
      await Promise.race([said, promise]);
      clearTimeout(timer);
    }
    await this.close();
  }

  close(): Promise<void> {
    this.#started = false;
    return this.#inner.close();
  }

  /** A stream of the older transport is its session: the answers that it owes come in no other, and another one has to begin anew. */
  #streamEnded(): void {
    if (this.#started && this.#inner instanceof SSEClientTransport) void this.close().catch(() => undefined);
  }

  #cut(id: string | number): void {
    if (!this.#open.delete(id)) return;
    const error = { code: BROKEN_OFF, message: "the connection broke off before the answer was complete" };
    this.onmessage?.({ jsonrpc: "2.0", id, error });
  }
}

function passed(options: TransportSendOptions | undefined) {
  const { requestSignal, headers, resumptionToken, onresumptiontoken } = options ?? {};
  return {
    ...(requestSignal === undefined ? {} : { requestSignal }),
    ...(headers === undefined ? {} : { headers }),
    ...(resumptionToken === undefined ? {} : { resumptionToken }),
    ...(onresumptiontoken === undefined ? {} : { onresumptiontoken }),
  };
}
