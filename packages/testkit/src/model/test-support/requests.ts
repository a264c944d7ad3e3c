import type { ModelServer } from "../server.ts";
import type { Fields, Wire } from "../wire.ts";

/** A tool that every wire takes. */
const SCHEMA = { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] };

/** Each wire's smallest fine request that declares one tool; `more` replaces or adds members. */
export function fineBody(wire: Wire, more: Fields = {}): Fields {
  switch (wire) {
    case "anthropic":
      return {
        model: "test-model",
        max_tokens: 1000,
        stream: true,
        tools: [{ name: "read", description: "reads", input_schema: SCHEMA }],
        messages: [{ role: "user", content: "hi" }],
        ...more,
      };
    case "openai-responses":
      return {
        model: "test-model",
        stream: true,
        store: false,
        tools: [{ type: "function", name: "read", parameters: SCHEMA, strict: false }],
        input: [{ role: "user", content: [{ type: "input_text", text: "hi" }] }],
        ...more,
      };
    case "openai-chat":
      return {
        model: "test-model",
        stream: true,
        stream_options: { include_usage: true },
        tools: [{ type: "function", function: { name: "read", parameters: SCHEMA } }],
        messages: [{ role: "user", content: "hi" }],
        ...more,
      };
    case "gemini":
      return {
        tools: [{ functionDeclarations: [{ name: "read", parametersJsonSchema: SCHEMA }] }],
        contents: [{ role: "user", parts: [{ text: "hi" }] }],
        ...more,
      };
    case "ollama":
      return {
        model: "test-model",
        tools: [{ type: "function", function: { name: "read", parameters: SCHEMA } }],
        messages: [{ role: "user", content: "hi" }],
        ...more,
      };
  }
}

const PATHS: Record<Wire, string> = {
  anthropic: "/v1/messages",
  "openai-responses": "/v1/responses",
  "openai-chat": "/v1/chat/completions",
  gemini: "/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse",
  ollama: "/api/chat",
};

/** Sends a body (an object as JSON, text and bytes as they are) the way a client of the wire does. */
export function post(
  server: ModelServer,
  wire: Wire,
  body: Fields | string | Uint8Array,
  options: { signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(server.url + PATHS[wire], {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(wire === "anthropic" ? { "anthropic-version": "2023-06-01" } : {}),
      ...options.headers,
    },
    body:
      typeof body === "string"
        ? body
        : body instanceof Uint8Array
          ? new Uint8Array(body)
          : JSON.stringify(body),
    ...(options.signal ? { signal: options.signal } : {}),
  });
}

/** What a bad request is answered with and recorded as; "" when the server took it. */
export async function refusal(
  server: ModelServer,
  wire: Wire,
  body: Fields | string | Uint8Array,
  options: { headers?: Record<string, string> } = {},
): Promise<string> {
  server.allowProblems();
  const before = server.problems.length;
  const response = await post(server, wire, body, options);
  const text = await response.text();
  return response.status === 400 && server.problems.length > before ? text : "";
}

/** The JSON objects of a server-sent event stream, in order. */
export function events(text: string): Fields[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data: ") && line !== "data: [DONE]")
    .map((line) => JSON.parse(line.slice(6)) as Fields);
}

export const WIRES: readonly Wire[] = ["anthropic", "openai-responses", "openai-chat", "gemini", "ollama"];
