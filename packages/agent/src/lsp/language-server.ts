import { basename, extname } from "node:path";
import { errorMessage } from "../contract/errors.ts";
import { OVER } from "../contract/over.ts";
import type { OwnedProcess } from "../contract/process.ts";
import type { Clock } from "../contract/services.ts";
import { waitWithin } from "./bounded.ts";
import { CLIENT_CAPABILITIES } from "./capabilities.ts";
import { connect, type Reply, type RequestLimits, type ServerConnection } from "./connection.ts";
import type { FileChange } from "./file-change.ts";
import { pathOf, uriOf } from "./file-uri.ts";
import { OpenDocuments } from "./open-documents.ts";
import { plainWords } from "./plain-words.ts";
import { PublishedDiagnostics } from "./published-diagnostics.ts";
import type { ServerDefinition } from "./server-definition.ts";
import { ServerFeatures } from "./server-features.ts";
import { ServerProgress } from "./server-progress.ts";
import { answerServerRequest } from "./server-requests.ts";

const MOST_STDERR = 2_000;
const SHUTDOWN_MS = 1_000;
const EXIT_MS = 1_000;
const EXIT_WAIT_MS = 200;

export interface ServerParts {
  definition: ServerDefinition;
  root: string;
  child: OwnedProcess;
  clock: Clock;
  initializationOptions: Readonly<Record<string, unknown>>;
}

/** One running server and what it knows: documents, diagnostics, progress. Made by {@link startServer}. */
export class LanguageServer {
  readonly name: string;
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly published = new PublishedDiagnostics();
  readonly progress = new ServerProgress();
  readonly features: ServerFeatures;
  readonly documents: OpenDocuments;
  readonly #connection: ServerConnection;
  readonly #ended = new AbortController();

  constructor(parts: ServerParts, connection: ServerConnection, initialized: unknown) {
    const { definition } = parts;
    this.name = definition.name;
    this.definition = definition;
    this.root = parts.root;
    this.#connection = connection;
    void connection.closed.then(() => this.#ended.abort(OVER));
    this.features = new ServerFeatures(initialized);
    this.documents = new OpenDocuments(
      {
        notify: (method, params) => connection.notify(method, params),
        languageId: (path) => definition.languageIds[extname(path).toLowerCase()] ?? "plaintext",
        published: () => this.published.serial,
        forget: (path) => this.published.forget(path),
      },
      this.features.sync,
      this.features.encoding,
    );
  }

  request(method: string, params: unknown, limits: RequestLimits): Promise<Reply> {
    return this.#connection.request(method, params, limits);
  }

  /** Whether somebody waits for it just now. */
  get inUse(): boolean {
    return this.#connection.waiting > 0 || this.published.waiting > 0;
  }

  /** Aborts when it has ended. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** For how long it has owed the answer to a request that was given up. Milliseconds. */
  get overdueMs(): number {
    return this.#connection.overdueMs;
  }

  /** Tells of changes on the disk, as far as the server asked to hear of them. */
  filesChanged(changes: readonly { path: string; type: FileChange }[]): void {
    const wanted = changes.filter(({ path }) => this.features.watches(path));
    if (wanted.length > 0)
      this.#connection.notify("workspace/didChangeWatchedFiles", {
        changes: wanted.map(({ path, type }) => ({ uri: uriOf(path), type })),
      });
  }

  /** One notification of the server. */
  notified(method: string, params: unknown): void {
    if (method === "$/progress") this.progress.report(params);
    if (method !== "textDocument/publishDiagnostics") return;
    const { uri, version, diagnostics } = (params ?? {}) as Record<string, unknown>;
    const path = typeof uri === "string" ? pathOf(uri) : null;
    if (path !== null)
      this.published.publish(path, typeof version === "number" ? version : null, diagnostics);
  }
}

/** A server that was started. */
export interface StartedServer {
  /** The server once it is ready, or the reason why it will not be. Never rejects. */
  ready: Promise<LanguageServer | { failed: string }>;
  /** Resolves with the reason when it has ended or cannot be talked to any more. */
  gone: Promise<string>;
  /** True as soon as that is known, before `gone` has found out why. */
  readonly over: boolean;
  /** Asks it to shut down and to exit, and ends it if it does not, within about four seconds. Never rejects. */
  stop(): Promise<void>;
}

/** Starts to talk to a server's process. `initializeMs`: how long it may take to get ready. */
export function startServer(parts: ServerParts, initializeMs: number): StartedServer {
  const { child, clock } = parts;
  const stderr = lastOf(child.stderr);
  const connection = connect(child, clock);
  let stopping = false;
  let server: LanguageServer | undefined;
  const early: [string, unknown][] = [];
  connection.onNotification((method, params) => {
    if (server === undefined) early.push([method, params]);
    else server.notified(method, params);
  });
  connection.onRequest((method, params) => {
    const answer = answerServerRequest(method, params, parts, server?.features);
    // Perhaps it can be asked now for what somebody waits for.
    if (method === "client/registerCapability") server?.published.wake();
    return answer;
  });
  const gone = connection.closed.then(async (reason) => {
    // The pipes close before the exit is told of, and the exit says more.
    const exit = await endOf(child, clock);
    const said = stderr();
    if (!stopping) await child.end(EXIT_MS).catch(() => undefined);
    return said === "" ? (exit ?? reason) : `${exit ?? reason}; it said: ${said}`;
  });

  const begin = async (): Promise<LanguageServer | { failed: string }> => {
    const reply = await connection.request("initialize", initializeParams(parts), { ms: initializeMs });
    if (reply.kind === "dead") return { failed: await gone };
    if (reply.kind !== "result") {
      const reason =
        reply.kind === "error"
          ? `it refused to start: ${plainWords(reply.message)}`
          : `it was not ready after ${Math.round(initializeMs / 1000)} s`;
      connection.close(reason);
      return { failed: await gone };
    }
    const made = new LanguageServer(parts, connection, reply.result);
    connection.notify("initialized", {});
    server = made;
    for (const [method, params] of early.splice(0)) made.notified(method, params);
    return made;
  };
  return {
    ready: begin().catch((thrown: unknown) => ({ failed: errorMessage(thrown) })),
    gone,
    get over() {
      return connection.over;
    },
    async stop() {
      stopping = true;
      // One that is not ready yet, or stuck, has nothing to save.
      if (server !== undefined && server.overdueMs === 0 && !connection.over) {
        await connection.request("shutdown", null, { ms: SHUTDOWN_MS });
        connection.notify("exit", null);
        child.stdin?.end();
        await waitWithin(child.exited, { ms: EXIT_MS, clock });
      }
      connection.close("it was shut down");
      await child.end(EXIT_MS).catch(() => undefined);
    },
  };
}

/** How a process ended, if it does within a moment; null while it lives. */
async function endOf(child: OwnedProcess, clock: Clock): Promise<string | null> {
  const waited = await waitWithin(child.exited, { ms: EXIT_WAIT_MS, clock });
  if (waited.kind !== "value") return null;
  const { code, signal } = waited.value;
  return `it ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}`;
}

function initializeParams({ definition, root, initializationOptions }: ServerParts) {
  const uri = uriOf(root);
  return {
    processId: process.pid,
    clientInfo: { name: "pi-ts" },
    rootPath: root,
    rootUri: uri,
    workspaceFolders: [{ uri, name: basename(root) || definition.name }],
    capabilities: CLIENT_CAPABILITIES,
    initializationOptions,
  };
}

/** Reads a stream to its end and keeps the last of it, for messages. */
function lastOf(stream: AsyncIterable<Uint8Array>): () => string {
  let last = "";
  const decoder = new TextDecoder();
  const read = async () => {
    for await (const chunk of stream)
      last = (last + decoder.decode(chunk, { stream: true })).slice(-MOST_STDERR);
  };
  read().catch(() => undefined);
  return () => {
    const lines = last
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    return plainWords(
      lines.find((line) => /error|panic|cannot|unknown|not found/i.test(line)) ?? lines.at(-1) ?? "",
    );
  };
}
