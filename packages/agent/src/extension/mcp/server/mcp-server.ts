import type { AuthProvider, ElicitRequest, ElicitResult, FetchLike } from "@modelcontextprotocol/client";
import { errorMessage, isPiError, PiError } from "../../../contract/errors.ts";
import type { ProcessDoor } from "../../../contract/process.ts";
import type { Clock } from "../../../contract/services.ts";
import type { McpServerConfig } from "../server-config.ts";
import { configDigest } from "../server-config.ts";
import type { Catalog } from "../tools/listed-tool.ts";
import type { CallTimer } from "./call-timer.ts";
import type { Connection } from "./connect.ts";
import { connectFailure, loginNeeded, statusOf } from "./failure.ts";
import type { ServerLog } from "./server-log.ts";
import type { ToolListCache } from "./tool-list-cache.ts";

/** `waiting`: not started yet. `login`: a person has to authorise first. `off`: switched off for this session. */
export type ServerState = "waiting" | "starting" | "ready" | "failed" | "login" | "off";

/** What a server needs of the world. */
export interface ServerPorts {
  version: string;
  root: string;
  processes: ProcessDoor;
  clock: Clock;
  fetch: FetchLike;
  auth: AuthProvider | null;
  cache: ToolListCache;
  log: ServerLog;
  elicit(server: string, request: ElicitRequest["params"], signal: AbortSignal): Promise<ElicitResult>;
  /** The catalog with what models are told of its tools. */
  offered(catalog: Catalog): Catalog;
  onCatalog(server: McpServer): void;
  onState(server: McpServer): void;
  /** It will not come back by itself. */
  onGone(server: McpServer): void;
}

/** Restarts in a row, and how long a connection must have lived for its end not to count as one of a row. */
const MOST_RESTARTS = 3;
const LIVED_MS = 60_000;
const FIRST_PAUSE_MS = 250;
/** After a failure a call tries again, but not each call of a batch. */
const TRY_AGAIN_MS = 5_000;

/** One server over the whole of a session: started, asked for its lists, restarted when it ends, ended with us. Nothing here throws but {@link connection} and {@link use}. */
export class McpServer {
  readonly config: McpServerConfig;
  readonly log: ServerLog;
  readonly #ports: ServerPorts;
  readonly #digest: string;
  readonly #timers = new Set<CallTimer>();
  #connection: Connection | null = null;
  #attempt: Promise<void> | null = null;
  #pause = new AbortController();
  #restarts = 0;
  #readyAt = 0;
  #failedAt = Number.NEGATIVE_INFINITY;
  #closed = false;
  #relisting = false;
  /** The lists have changed since they were read last. */
  #stale = false;
  state: ServerState;
  /** Why it cannot be used, for people; null when it can or nobody has tried. */
  problem: string | null = null;
  catalog: Catalog | null;
  /** The lists are of an earlier start. */
  cached: boolean;
  /** How its last connection ended; null when none has. */
  ending: string | null = null;

  constructor(config: McpServerConfig, ports: ServerPorts) {
    this.config = config;
    this.log = ports.log;
    this.state = config.off ? "off" : "waiting";
    this.#ports = ports;
    this.#digest = configDigest(config);
    this.catalog = ports.cache.read(this.#digest);
    this.cached = this.catalog !== null;
  }

  get name(): string {
    return this.config.name;
  }

  /** The file that its list is kept in. */
  get listFile(): string {
    return this.#ports.cache.file(this.#digest);
  }

  /** Starts it unless it is started or off. Resolves when it has given its lists or failed. */
  async start(): Promise<void> {
    if (this.state === "waiting" || this.state === "failed" || this.state === "login") this.#begin(0);
    await this.#attempt;
  }

  /** The open connection; waits for a start or restart in progress, and starts what is not started. Rejects with a PiError that says why there is none. */
  async connection(signal: AbortSignal): Promise<Connection> {
    const tried = this.#ports.clock.now() - this.#failedAt < TRY_AGAIN_MS;
    if (this.state === "waiting" || (this.state === "failed" && !tried)) this.#begin(0);
    await unlessAborted(this.#attempt, signal);
    if (this.#connection !== null) return this.#connection;
    throw new PiError({ code: "mcp_down", message: this.#why() });
  }

  /** Does something with the connection; once more with a new one where the service no longer knows the session. */
  async use<T>(work: (connection: Connection) => Promise<T>, signal: AbortSignal): Promise<T> {
    const connection = await this.connection(signal);
    try {
      return await work(connection);
    } catch (thrown) {
      if (connectFailure(thrown, null).code === "mcp_login") this.#refused(connection);
      if (statusOf(thrown) !== 404 || !connection.hasSession || signal.aborted) throw thrown;
      if (this.#connection === connection) this.#lost(connection, "its service ended the session");
      return await work(await this.connection(signal));
    }
  }

  /** Lets the time limits of its calls stand still while `work` (a question to a person) goes on. */
  async paused<T>(work: () => Promise<T>): Promise<T> {
    const timers = [...this.#timers];
    for (const timer of timers) timer.pause();
    try {
      return await work();
    } finally {
      for (const timer of timers) timer.resume();
    }
  }

  /** A call's time limit, for as long as the call runs. */
  timed(timer: CallTimer): Disposable {
    this.#timers.add(timer);
    return {
      [Symbol.dispose]: () => {
        timer.stop();
        this.#timers.delete(timer);
      },
    };
  }

  /** Ends it and starts it anew. Resolves as {@link start} does. */
  async restart(): Promise<void> {
    await this.stop("waiting");
    this.#restarts = 0;
    this.#failedAt = Number.NEGATIVE_INFINITY;
    this.problem = null;
    await this.start();
  }

  /** Ends it; `off`: calls do not start it again. */
  async stop(next: "waiting" | "off"): Promise<void> {
    const before = this.#connection;
    this.#connection = null;
    this.#pause.abort();
    this.#pause = new AbortController();
    this.#set(next, null);
    const attempt = this.#attempt;
    await Promise.all([before?.close().catch(() => undefined), attempt]);
  }

  /** Ends it for good. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.stop("off");
    this.log.flush();
  }

  #begin(pauseMs: number): void {
    this.#set("starting", null);
    const attempt = this.#connect(pauseMs, this.#pause.signal).finally(() => {
      if (this.#attempt === attempt) this.#attempt = null;
    });
    this.#attempt = attempt;
  }

  async #connect(pauseMs: number, stopped: AbortSignal): Promise<void> {
    const { clock } = this.#ports;
    if (pauseMs > 0) await clock.sleep(pauseMs, stopped);
    if (stopped.aborted) return;
    const startedAt = clock.now();
    const { startMs } = this.config.limits;
    let connection: Connection | undefined;
    try {
      const { connect } = await import("./connect.ts");
      connection = await this.#open(connect, startMs, stopped);
      if (stopped.aborted) return await connection.close();
      // Before the list: a connection that ends now is lost, not absent.
      this.#connection = connection;
      const catalog = await connection.list(Math.max(1_000, startMs - (clock.now() - startedAt)));
      if (stopped.aborted || this.#connection !== connection) return;
      this.#readyAt = clock.now();
      this.#set("ready", null);
      this.#take(catalog);
    } catch (thrown) {
      if (stopped.aborted || (connection !== undefined && this.#connection !== connection)) return;
      this.#connection = null;
      await connection?.close().catch(() => undefined);
      this.#fail(thrown);
    }
  }

  async #open(
    connect: typeof import("./connect.ts").connect,
    timeoutMs: number,
    stopped: AbortSignal,
  ): Promise<Connection> {
    const ports = this.#ports;
    let connection: Connection | undefined;
    connection = await connect(
      {
        config: this.config,
        version: ports.version,
        root: ports.root,
        processes: ports.processes,
        log: this.log,
        clock: ports.clock,
        fetch: ports.fetch,
        auth: ports.auth,
        elicit: (request, signal) => this.paused(() => ports.elicit(this.name, request, signal)),
        onListChanged: () => void this.#relist(),
        onLost: (ending) => this.#lost(connection, ending),
        stopped,
      },
      timeoutMs,
    );
    return connection;
  }

  /** The connection ended by itself. */
  #lost(connection: Connection | undefined, ending: string | null): void {
    if (connection === undefined || this.#connection !== connection || this.#closed) return;
    this.ending = ending;
    this.#connection = null;
    void connection.close().catch(() => undefined);
    const { clock } = this.#ports;
    if (this.state === "ready" && clock.now() - this.#readyAt > LIVED_MS) this.#restarts = 0;
    this.#restarts++;
    const how = ending ?? "the connection broke off";
    this.log.note(`the connection is over: ${how}`);
    if (this.#restarts > MOST_RESTARTS) {
      const last = this.log.lastLine === null ? "" : `: ${this.log.lastLine}`;
      this.#failedAt = clock.now();
      this.#set("failed", `it ended ${this.#restarts} times in a row (${how})${last}`);
      this.#ports.onGone(this);
      return;
    }
    this.#begin(FIRST_PAUSE_MS * 2 ** (this.#restarts - 1));
  }

  /** Its service no longer takes what it granted. */
  #refused(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    void connection.close().catch(() => undefined);
    this.#fail(loginNeeded());
  }

  #fail(thrown: unknown): void {
    this.#failedAt = this.#ports.clock.now();
    const login = isPiError(thrown) && thrown.code === "mcp_login";
    const text = errorMessage(thrown);
    this.log.note(`not available: ${text}`);
    this.#set(login ? "login" : "failed", text);
    this.#ports.onGone(this);
  }

  /** Its lists have changed: they are read again, and once more where they change meanwhile. */
  async #relist(): Promise<void> {
    this.#stale = true;
    if (this.#relisting) return;
    this.#relisting = true;
    try {
      while (this.#stale) {
        this.#stale = false;
        const connection = this.#connection;
        if (connection === null || this.state !== "ready") return;
        const catalog = await connection.list(this.config.limits.startMs);
        if (this.#connection === connection) this.#take(catalog);
      }
    } catch (thrown) {
      this.log.note(`the changed lists could not be read: ${errorMessage(thrown)}`);
    } finally {
      this.#relisting = false;
    }
  }

  #take(catalog: Catalog): void {
    this.catalog = this.#ports.offered(catalog);
    this.cached = false;
    for (const problem of catalog.problems) this.log.note(problem);
    this.#ports.cache.write(this.#digest, this.catalog);
    this.#ports.onCatalog(this);
  }

  #why(): string {
    if (this.state === "off") return "it is switched off in this session";
    return this.problem ?? "it is not running";
  }

  #set(state: ServerState, problem: string | null): void {
    this.state = state;
    this.problem = problem;
    this.#ports.onState(this);
  }
}

async function unlessAborted(work: Promise<void> | null, signal: AbortSignal): Promise<void> {
  if (work === null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) resolve();
  await Promise.race([work, promise]);
  signal.removeEventListener("abort", stop);
  if (signal.aborted) throw new PiError({ code: "aborted", message: "interrupted" });
}
