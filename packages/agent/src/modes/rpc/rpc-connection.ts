import type { HubSession } from "../../contract/session-hub.ts";
import { createLineSplitter, encodeJsonLine, type RawLine } from "../../platform/json-lines.ts";
import type { ConsentClient } from "./consent-desk.ts";
import { type ByteSink, Outbox, type OutboxOptions } from "./outbox.ts";
import { invalidRequest, rpcError } from "./rpc-error.ts";
import { type RpcEntry, type RpcRequest, readRpcLine } from "./rpc-message.ts";
import { SessionInterest } from "./session-interest.ts";

/** What a connection may take. */
export interface RpcLimits {
  /** Bytes of one line. */
  line: number;
  /** Characters of events that may wait for a client. */
  events: number;
  /** Characters of answers, and requests in progress, from which on a client is not read until they are fewer. */
  answers: number;
  requests: number;
}

export const RPC_LIMITS: RpcLimits = {
  line: 32 * 1024 * 1024,
  events: 16 * 1024 * 1024,
  answers: 8 * 1024 * 1024,
  requests: 256,
};

/** The transport below a connection. */
export interface RpcTransport extends ByteSink {
  /** Stops reading, and goes on. */
  pause(): void;
  resume(): void;
  /** Ends it: in order after what was written, or at once. */
  end(): void;
  destroy(): void;
}

export interface RpcConnectionPorts {
  limits: RpcLimits;
  /** Handles a request; `after` runs when its answer has been sent. */
  handle(request: RpcRequest, after: (() => void)[]): Promise<unknown>;
  grace: OutboxOptions["grace"];
  /** It lets its events pile up and was given up. */
  onSlow(): void;
  /** It can send no more, and so answer no question. */
  onMute(): void;
  /** It is over; called once. */
  onClosed(): void;
}

/** One client: its requests, what it is told, and which sessions it hears. */
export class RpcConnection implements ConsentClient {
  /** It has said that it answers questions. */
  answersQuestions = false;
  readonly #transport: RpcTransport;
  readonly #ports: RpcConnectionPorts;
  readonly #splitter;
  readonly #outbox: Outbox;
  readonly #interests = new Map<HubSession, SessionInterest>();
  #requests = 0;
  #paused = false;
  #inputEnded = false;
  #closed = false;

  constructor(transport: RpcTransport, ports: RpcConnectionPorts) {
    this.#transport = transport;
    this.#ports = ports;
    this.#splitter = createLineSplitter(ports.limits.line);
    this.#outbox = new Outbox(transport, {
      mostEvents: ports.limits.events,
      grace: ports.grace,
      onOverflow: () => {
        ports.onSlow();
        this.close();
      },
      onDrained: () => this.#regulate(),
    });
  }

  /** Bytes from the client. */
  receive(chunk: Uint8Array): void {
    for (const line of this.#splitter.push(chunk)) this.#line(line);
    this.#regulate();
  }

  /** The client sends no more; it may still read. What it left without an LF counts as a line if it is whole. */
  inputEnded(): void {
    const rest = this.#splitter.end();
    if (rest !== null) this.#line(rest);
    this.#inputEnded = true;
    this.answersQuestions = false;
    this.#ports.onMute();
    this.#endIfDone();
  }

  /** A notification, unless it is gone. */
  notify(line: string): void {
    this.#outbox.event(line);
  }

  /** What it hears of a session, from now on. */
  interest(session: HubSession): SessionInterest {
    const there = this.#interests.get(session);
    if (there !== undefined) return there;
    const made = new SessionInterest(session, {
      send: (line) => this.#outbox.event(line),
      onIdle: () => {
        this.#interests.delete(session);
        made.leave();
        this.#endIfDone();
      },
    });
    this.#interests.set(session, made);
    return made;
  }

  /** Whether it hears this session. */
  hears(sessionId: string): boolean {
    return [...this.#interests.values()].some(({ session, active }) => active && session.id === sessionId);
  }

  /** Resolves when all that it was told has been taken. */
  flushed(): Promise<void> {
    return this.#outbox.flushed();
  }

  /** Ends it now. A second call does nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const interest of this.#interests.values()) interest.leave();
    this.#interests.clear();
    this.#outbox.close();
    this.#transport.destroy();
    this.#ports.onClosed();
  }

  #line({ bytes, length }: RawLine): void {
    if (bytes === null) {
      const problem = invalidRequest(
        `the line has ${length} bytes; at most ${this.#ports.limits.line} are taken`,
      );
      this.#send({ jsonrpc: "2.0", error: rpcError(problem), id: null });
      return;
    }
    if (isBlank(bytes)) return;
    const { batch, entries } = readRpcLine(bytes);
    const after: (() => void)[] = [];
    this.#requests += entries.length;
    void Promise.all(entries.map((entry) => this.#entry(entry, after))).then((all) => {
      const answers = all.filter((answer) => answer !== undefined);
      if (answers.length > 0) this.#send(batch ? answers : answers[0]!);
      this.#requests -= entries.length;
      for (const each of after) each();
      this.#regulate();
      this.#endIfDone();
    });
  }

  /** The answer; undefined for a notification. */
  async #entry(entry: RpcEntry, after: (() => void)[]): Promise<object | undefined> {
    if ("problem" in entry) return { jsonrpc: "2.0", error: rpcError(entry.problem), id: entry.id };
    const wanted = "id" in entry;
    try {
      const result = await this.#ports.handle(entry, after);
      return wanted ? { jsonrpc: "2.0", result, id: entry.id } : undefined;
    } catch (thrown) {
      return wanted ? { jsonrpc: "2.0", error: rpcError(thrown), id: entry.id } : undefined;
    }
  }

  #send(answer: object): void {
    this.#outbox.answer(encodeJsonLine(answer));
  }

  /** A client that asks faster than it reads is read no further for a while. */
  #regulate(): void {
    const { answers, requests } = this.#ports.limits;
    const full = this.#outbox.waiting > answers || this.#requests > requests;
    if (full === this.#paused || this.#closed) return;
    this.#paused = full;
    if (full) this.#transport.pause();
    else this.#transport.resume();
  }

  #endIfDone(): void {
    if (!this.#inputEnded || this.#closed || this.#requests > 0 || this.#interests.size > 0) return;
    void this.#outbox.flushed().then(() => this.#transport.end());
  }
}

/** Nothing but spaces, tabs and CRs. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
