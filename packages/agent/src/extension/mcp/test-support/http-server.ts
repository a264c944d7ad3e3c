/** An MCP server over streamable HTTP in this process, right but for the faults that it is told to have. */

interface Message {
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
}

export interface HttpPlan {
  /** What is answered in place of the server's own answer; undefined: its own. */
  fault?(
    request: Request,
    message: Message | null,
    calls: number,
  ): Response | undefined | Promise<Response | undefined>;
  /** The result of `tools/call`. */
  text?: string;
  /** Sessions are known by these ids, one after the other. */
  sessions?: string[];
}

export interface HttpServer extends Disposable {
  url: string;
  /** `POST initialize`, `GET`, `DELETE`, … in order. */
  seen: string[];
  /** Of the last request. */
  headers(): Headers;
  /** Sessions of before are no longer known. */
  forget(): void;
}

/** Starts it on the loopback address. */
export function httpServer(plan: HttpPlan = {}): HttpServer {
  const seen: string[] = [];
  let last = new Headers();
  let sessions = 0;
  let known: string | undefined;
  let calls = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      last = request.headers;
      const message = request.method === "POST" ? ((await request.json()) as Message) : null;
      seen.push(message?.method === undefined ? request.method : `POST ${message.method}`);
      if (message?.method === "tools/call") calls++;
      const fault = await plan.fault?.(request, message, calls);
      if (fault !== undefined) return fault;
      if (message === null) return new Response(null, { status: request.method === "DELETE" ? 200 : 405 });
      if (message.method === "initialize") {
        known = plan.sessions?.[sessions++];
        const headers = known === undefined ? undefined : { "mcp-session-id": known };
        return answer(message, initializeResult(message), headers);
      }
      if (plan.sessions !== undefined && request.headers.get("mcp-session-id") !== known)
        return new Response("no such session", { status: 404 });
      if (message.id === undefined) return new Response(null, { status: 202 });
      if (message.method === "tools/list") return answer(message, TOOLS);
      return answer(message, { content: [{ type: "text", text: plan.text ?? "ok" }] });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/mcp`,
    seen,
    headers: () => last,
    forget() {
      known = undefined;
    },
    [Symbol.dispose]() {
      void server.stop(true);
    },
  };
}

export const TOOLS = { tools: [{ name: "t", inputSchema: { type: "object" } }] };

export function initializeResult({ params }: Message) {
  return {
    protocolVersion: params?.["protocolVersion"],
    capabilities: { tools: {} },
    serverInfo: { name: "http", version: "1" },
  };
}

/** A JSON answer to a request. */
export function answer({ id }: Message, result: object, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", id, result }, { headers });
}

/** An answer as a stream of events that ends after `events`, whole or not. */
export function eventStream(events: readonly string[]): Response {
  const body = new ReadableStream({
    start(controller) {
      for (const event of events) controller.enqueue(new TextEncoder().encode(event));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
