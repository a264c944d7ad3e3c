import type { FetchLike, JSONRPCMessage } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { readMessages, refusal } from "./read-messages.ts";
import { soundStream } from "./sound-stream.ts";

const BAD_REQUEST = 400;
const NOT_FOUND = 404;
/** Requests that may be sent only once a session is there; before, the status says which transport a service knows. */
const IN_SESSION = /^(?:tools|prompts|resources|completion)\//;

/**
 * A fetch whose answers are of the protocol: what breaks it becomes an error of the request that it belongs to, which would wait for its
 * time limit otherwise, or fail with what a validator says of it. `protocol`: the older one has its answers in one stream only, whose end
 * `onStreamEnd` hears of.
 */
export function soundAnswers(fetch: FetchLike, protocol: "http" | "sse", onStreamEnd: () => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    const type = response.headers.get("content-type")?.toLowerCase() ?? "";
    if (response.ok && response.body !== null && type.startsWith("text/event-stream"))
      return changed(response, soundStream(response.body, onStreamEnd));
    const request = protocol === "http" ? requestOf(init?.body) : null;
    if (request === null) return response;
    if (response.status === BAD_REQUEST) return await refused(response, request, init?.headers);
    return response.ok && type.startsWith("application/json") ? await answered(response, request) : response;
  };
}

interface SentRequest {
  id: string | number;
  method: string;
}

function requestOf(body: unknown): SentRequest | null {
  if (typeof body !== "string" || !body.startsWith("{")) return null; // a form of a login
  const { jsonrpc, id, method } = JSON.parse(body) as JsonObject;
  if (jsonrpc !== "2.0" || typeof method !== "string") return null;
  return typeof id === "string" || typeof id === "number" ? { id, method } : null;
}

async function answered(response: Response, { id }: SentRequest): Promise<Response> {
  const text = await response.text();
  const { messages, faulty } = readMessages(text);
  const isAnswer = (message: JSONRPCMessage) =>
    "id" in message && String(message.id) === String(id) && !("method" in message);
  if (messages.some(isAnswer))
    return faulty ? changed(response, JSON.stringify(messages)) : changed(response, text);
  const said = errorOf(text);
  return changed(
    response,
    JSON.stringify([...messages, refusal(id, said ?? (text.trim() === "" ? "it is empty" : text), said)]),
  );
}

async function refused(
  response: Response,
  { id, method }: SentRequest,
  headers: RequestInit["headers"],
): Promise<Response> {
  const text = await response.text();
  const said = errorOf(text);
  // Many services answer so for a session that they have forgotten; only 404 opens a new one.
  if (/\bsession/i.test(said ?? text) && new Headers(headers).has("mcp-session-id"))
    return changed(response, text, NOT_FOUND);
  if (said === undefined || !IN_SESSION.test(method)) return changed(response, text);
  const json = { "content-type": "application/json" };
  return Response.json(refusal(id, said, said), { headers: json });
}

/** What the error of an answer says, whomever it is for. */
function errorOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const error = isJsonObject(value) ? value["error"] : undefined;
    const said = isJsonObject(error) ? error["message"] : error;
    return typeof said === "string" && said !== "" ? said : undefined;
  } catch {
    return undefined;
  }
}

function changed(response: Response, body: string | ReadableStream<Uint8Array>, status?: number): Response {
  const headers = new Headers(response.headers);
  for (const name of ["content-length", "content-encoding"]) headers.delete(name);
  return new Response(body, { status: status ?? response.status, statusText: response.statusText, headers });
}
