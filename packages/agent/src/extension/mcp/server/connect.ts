import { pathToFileURL } from "node:url";
import {
  type AuthProvider,
  Client,
  type ClientContext,
  type ElicitRequest,
  type ElicitResult,
  type FetchLike,
} from "@modelcontextprotocol/client";
import { errorMessage, isPiError, PiError } from "../../../contract/errors.ts";
import type { ProcessDoor } from "../../../contract/process.ts";
import type { Clock } from "../../../contract/services.ts";
import { publicAddress } from "../../../platform/public-address.ts";
import type { McpServerConfig } from "../server-config.ts";
import { type Catalog, listedPrompt, listedTool } from "../tools/listed-tool.ts";
import { HttpTransport } from "../transport/http-transport.ts";
import { quietSdk } from "../transport/quiet-sdk.ts";
import { StdioTransport } from "../transport/stdio-transport.ts";
import { connectFailure } from "./failure.ts";
import { listPages } from "./list-pages.ts";
import type { ServerLog } from "./server-log.ts";

/** How long a server may take to be told that we leave. */
const LEAVE_MS = 500;
const QUIET_MS = 100;

export interface ConnectParts {
  config: McpServerConfig;
  /** Our own version, for the server. */
  version: string;
  /** The project folder, which is the root that servers are told. */
  root: string;
  processes: ProcessDoor;
  log: ServerLog;
  clock: Clock;
  fetch: FetchLike;
  auth: AuthProvider | null;
  /** Answers a server's question to the person. */
  elicit(request: ElicitRequest["params"], signal: AbortSignal): Promise<ElicitResult>;
  /** The server says that a list of it has changed. */
  onListChanged(): void;
  /** The connection is over, and not because we ended it: how it ended. */
  onLost(ending: string | null): void;
  /** Nobody waits for the connection any more: what is started for it is ended. */
  stopped: AbortSignal;
}

/** An open connection to a server. */
export interface Connection {
  readonly client: Client;
  /** Of an HTTP server: a session can expire. */
  readonly hasSession: boolean;
  list(timeoutMs: number): Promise<Catalog>;
  close(): Promise<void>;
}

/**
 * Connects to a server: a program, or an address by streamable HTTP and, where that is not known there, by the older SSE transport.
 * Newer versions of the protocol are spoken with servers that know no older one. Rejects with a PiError of {@link connectFailure}.
 */
export async function connect(parts: ConnectParts, timeoutMs: number): Promise<Connection> {
  quietSdk();
  const { transport } = parts.config;
  if (transport.kind === "stdio") return await inAnyVersion(parts, timeoutMs, null);
  if (transport.protocol !== "auto") return await inAnyVersion(parts, timeoutMs, transport.protocol);
  try {
    return await inAnyVersion(parts, timeoutMs, "http");
  } catch (thrown) {
    if (!isPiError(thrown) || thrown.code !== "mcp_older") throw thrown;
    return await inAnyVersion(parts, timeoutMs, "sse").catch((again: unknown) => {
      throw isPiError(again) && again.code === "mcp_login" ? again : thrown;
    });
  }
}

type Protocol = "http" | "sse" | null;

async function inAnyVersion(parts: ConnectParts, timeoutMs: number, protocol: Protocol): Promise<Connection> {
  try {
    return await open(parts, timeoutMs, protocol, "legacy");
  } catch (thrown) {
    if (!isPiError(thrown) || thrown.code !== "mcp_version") throw thrown;
    return await open(parts, timeoutMs, protocol, "auto");
  }
}

async function open(
  parts: ConnectParts,
  timeoutMs: number,
  protocol: Protocol,
  mode: "legacy" | "auto",
): Promise<Connection> {
  const { config, log } = parts;
  const setting = config.transport;
  const transport =
    setting.kind === "stdio"
      ? new StdioTransport({
          setting,
          label: `MCP server ${config.name}`,
          processes: parts.processes,
          log,
          clock: parts.clock,
        })
      : new HttpTransport({ setting, protocol: protocol ?? "http", fetch: parts.fetch, auth: parts.auth });
  const client = clientOf(parts, mode);
  const url = setting.kind === "http" ? setting.url : null;
  let open = false;
  let closing = false;
  client.onclose = () => {
    if (open && !closing) parts.onLost(endingOf(transport));
  };
  const close = async () => {
    closing = true;
    if (transport instanceof HttpTransport) await transport.leave(LEAVE_MS);
    else await transport.close();
  };
  const stop = () => void close().catch(() => undefined);
  parts.stopped.addEventListener("abort", stop, { once: true });
  try {
    parts.stopped.throwIfAborted();
    await inTime(client.connect(transport, { timeout: timeoutMs }), timeoutMs, url);
  } catch (thrown) {
    const ending = endingOf(transport);
    await close().catch(() => undefined);
    if (ending === null) throw connectFailure(thrown, url);
    const said = log.lastLine === null ? "" : `: ${log.lastLine}`;
    const message = `it ended while it started (${ending})${said}`;
    throw new PiError({ code: "mcp_failed", message, cause: thrown });
  } finally {
    parts.stopped.removeEventListener("abort", stop);
  }
  open = true;
  return {
    client,
    hasSession: transport instanceof HttpTransport && transport.sessionId !== undefined,
    list: (limit) =>
      catalogOf(client, limit).catch((thrown: unknown) => {
        throw connectFailure(thrown, url);
      }),
    close,
  };
}

/** The SDK's limit is one for requests: an address that accepts a connection and says nothing is waited for without an end. */
async function inTime(work: Promise<void>, timeoutMs: number, url: string | null): Promise<void> {
  if (url === null) return await work;
  const { promise, reject } = Promise.withResolvers<never>();
  const message = `${publicAddress(url)} does not answer`;
  const timer = setTimeout(() => reject(new PiError({ code: "mcp_failed", message })), timeoutMs);
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function endingOf(transport: StdioTransport | HttpTransport): string | null {
  return transport instanceof StdioTransport ? transport.ending : null;
}

function clientOf(parts: ConnectParts, mode: "legacy" | "auto"): Client {
  const changed = { autoRefresh: false, debounceMs: QUIET_MS, onChanged: () => parts.onListChanged() };
  const client = new Client(
    { name: "pi", version: parts.version },
    {
      capabilities: { roots: {}, elicitation: { form: {} } },
      versionNegotiation: { mode },
      listChanged: { tools: changed, prompts: changed, resources: changed },
    },
  );
  const root = { uri: pathToFileURL(parts.root).href, name: "project" };
  client.setRequestHandler("roots/list", () => ({ roots: [root] }));
  client.setRequestHandler("elicitation/create", (request, context: ClientContext) =>
    parts.elicit(request.params, context.mcpReq.signal),
  );
  client.setNotificationHandler("notifications/message", ({ params }) => {
    const text = typeof params.data === "string" ? params.data : JSON.stringify(params.data);
    parts.log.note(`${params.level}${params.logger === undefined ? "" : ` ${params.logger}`}: ${text}`);
  });
  client.onerror = (error) => parts.log.note(`protocol: ${errorMessage(error)}`);
  return client;
}

async function catalogOf(client: Client, timeout: number): Promise<Catalog> {
  const able = client.getServerCapabilities() ?? {};
  const problems: string[] = [];
  const all = async (wanted: boolean, method: string, field: string): Promise<unknown[]> => {
    if (!wanted) return [];
    const { entries, problem } = await listPages(client, method, field, { timeout });
    if (problem !== null) problems.push(problem);
    return entries;
  };
  const [tools, prompts] = await Promise.all([
    all(able.tools !== undefined, "tools/list", "tools"),
    all(able.prompts !== undefined, "prompts/list", "prompts").catch((thrown: unknown) => {
      problems.push(`its prompts could not be listed: ${errorMessage(thrown)}`);
      return [];
    }),
  ]);
  const named = tools.map(listedTool).filter((tool) => tool !== null);
  if (named.length < tools.length) problems.push(`${tools.length - named.length} tools have no name`);
  return {
    tools: named,
    prompts: prompts.map(listedPrompt).filter((prompt) => prompt !== null),
    resources: able.resources !== undefined,
    completions: able.completions !== undefined,
    problems,
  };
}
