import { errorMessage, isPiError } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { ToolContext, ToolOutcome } from "../../../contract/tool.ts";
import { callTimer } from "../server/call-timer.ts";
import type { Connection } from "../server/connect.ts";
import { codeOf, connectFailure, statusOf } from "../server/failure.ts";
import type { McpServer } from "../server/mcp-server.ts";
import { BROKEN_OFF } from "../transport/http-transport.ts";
import { outcome } from "./outcome.ts";

/** Longer than any limit of ours: the SDK's own timer must never fire. */
const NEVER_MS = 2 ** 31 - 1;

/** Characters of a server's refusal that a model sees. */
const MOST_REFUSAL = 4_000;

/** What a request of a call is given. */
export interface CallOptions {
  signal: AbortSignal;
  timeout: number;
  onprogress(progress: { progress: number; total?: number; message?: string }): void;
}

/**
 * One request of a tool call to a server, with its limits: cancelled there on an interrupt and when its time is over, and every way in
 * which it can fail as a result that says whether anything may have been done. `guard` makes what the server says of it safe.
 */
export async function callServer(
  server: McpServer,
  context: ToolContext,
  guard: (text: string) => string,
  request: (connection: Connection, options: CallOptions) => Promise<JsonObject>,
): Promise<{ result: JsonObject } | { failure: ToolOutcome }> {
  const { name, config } = server;
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  context.signal.addEventListener("abort", interrupt, { once: true });
  if (context.signal.aborted) interrupt();
  let expired: number | undefined;
  let sent = false;
  try {
    const result = await server.use(async (connection) => {
      const timer = callTimer(config.limits.callMs, config.limits.mostCallMs, (limit) => {
        expired = limit;
        stop.abort();
      });
      using _ = server.timed(timer);
      sent = true;
      return await request(connection, {
        signal: stop.signal,
        timeout: NEVER_MS,
        onprogress(progress) {
          timer.progress();
          context.progress(progressLine(progress));
        },
      });
    }, stop.signal);
    return { result };
  } catch (thrown) {
    return { failure: failureOf(thrown) };
  } finally {
    context.signal.removeEventListener("abort", interrupt);
  }

  function failureOf(thrown: unknown): ToolOutcome {
    const details: JsonObject = { server: name };
    if (expired !== undefined) {
      const text = `The MCP server "${name}" gave no answer within ${expired / 1000} s, so the call was cancelled; what it did until then is not known.\nA longer limit: "timeout" of this server or mcp.timeout, in seconds.`;
      return outcome("failed", text, { ...details, code: "timed_out" });
    }
    if (context.signal.aborted) return outcome("failed", "Interrupted.", { ...details, code: "aborted" });
    if (isPiError(thrown) && !sent) return down(server, thrown.message);
    if (codeOf(thrown) === "CONNECTION_CLOSED" || codeOf(thrown) === "NOT_CONNECTED") {
      const how = server.ending === null ? "" : ` (${server.ending})`;
      const last =
        server.log.lastLine === null ? "" : `\nIts last words on stderr: ${guard(server.log.lastLine)}`;
      const text = `The MCP server "${name}" ended during the call${how}; whether the call had an effect is not known.${last}`;
      return outcome("failed", text, { ...details, code: "server_ended" });
    }
    if (isPiError(thrown) || connectFailure(thrown, null).code === "mcp_login")
      return down(server, connectFailure(thrown, null).message);
    const status = statusOf(thrown);
    if (status === undefined && brokeOff(thrown))
      return outcome(
        "failed",
        `The connection to the MCP server "${name}" broke off before its answer was complete; whether the call had an effect is not known.`,
        { ...details, code: "broken_off" },
      );
    const http = status === undefined ? "" : `HTTP ${status}: `;
    return outcome(
      "failed",
      `The MCP server "${name}" refused the call: ${http}${inBounds(guard(errorMessage(thrown).toWellFormed()))}`,
      details,
    );
  }
}

/** Also as the runtime's fetch says it; `ConnectionRefused` is none of these: nothing was sent then. */
function brokeOff(thrown: unknown): boolean {
  const code = (thrown as { code?: unknown } | null)?.code;
  return code === BROKEN_OFF || /^(?:ECONNRESET|ZlibError|ConnectionClosed)/.test(String(code));
}

function inBounds(text: string): string {
  if (text.length <= MOST_REFUSAL) return text;
  const left = text.length - MOST_REFUSAL;
  return `${text.slice(0, MOST_REFUSAL).toWellFormed()}\n[… ${left} more characters are left out …]`;
}

/** That a server cannot be asked, so that nothing is known. */
export function down(server: McpServer, why: string): ToolOutcome {
  const login =
    server.state === "login" ? `\nThe person can authorise it with /mcp login ${server.name}.` : "";
  const text = `The MCP server "${server.name}" is not available, so nothing was done: ${why}.${login}\nIts log: ${server.log.path}`;
  return outcome("not_looked", text, { server: server.name, code: "server_down" }, true);
}

function progressLine({
  progress,
  total,
  message,
}: {
  progress: number;
  total?: number;
  message?: string;
}): string {
  const share = total === undefined ? String(progress) : `${progress} of ${total}`;
  return `${message === undefined || message === "" ? share : `${share}: ${message}`}\n`;
}
