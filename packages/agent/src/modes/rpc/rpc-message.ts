import { errorMessage, PiError } from "../../contract/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../contract/json.ts";
import { invalidParams, invalidRequest } from "./rpc-error.ts";

/** A JSON-RPC 2.0 request. */
export interface RpcRequest {
  /** What the answer carries, ready for `JSON.stringify`; absent: a notification, which gets none. */
  id?: unknown;
  method: string;
  params: JsonObject;
}

/** One entry of a line: a request, or why it is none, with the id that the answer carries. */
export type RpcEntry = RpcRequest | { id: unknown; problem: PiError };

/** A line of a client. */
export interface RpcLine {
  /** The answers go back together. */
  batch: boolean;
  entries: RpcEntry[];
}

/** A line may bring this many requests at once. */
export const MOST_BATCHED = 1_000;

/** Understands a line (without its LF; a CR before it does not matter). Never throws: what is wrong is an entry. */
export function readRpcLine(bytes: Uint8Array): RpcLine {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return lineOf(JSON.parse(text) as Json, text);
  } catch (thrown) {
    // Or what is nested too deeply to be looked at.
    const message = `the line is not JSON in UTF-8 that can be read: ${errorMessage(thrown)}`;
    const hint = "One JSON-RPC 2.0 message a line, ended by LF.";
    return alone({ id: null, problem: new PiError({ code: "parse_error", message, hint }) });
  }
}

function lineOf(value: Json, text: string): RpcLine {
  if (!Array.isArray(value)) return alone(entryOf(value, () => exactNumbers(text)));
  if (value.length === 0) return alone({ id: null, problem: invalidRequest("the batch is empty") });
  if (value.length > MOST_BATCHED)
    return alone({
      id: null,
      problem: invalidRequest(`the batch has ${value.length} requests; at most ${MOST_BATCHED} are taken`),
    });
  const entries = value.map((each, index) =>
    entryOf(each, () => (exactNumbers(text) as Record<string, unknown>[])[index]),
  );
  return { batch: true, entries };
}

function alone(entry: RpcEntry): RpcLine {
  return { batch: false, entries: [entry] };
}

function entryOf(value: Json, exact: () => unknown): RpcEntry {
  if (!isJsonObject(value)) return { id: null, problem: invalidRequest("a request is an object") };
  const { jsonrpc, method, params } = value;
  const has = Object.hasOwn(value, "id");
  const given = value["id"];
  if (has && given !== null && typeof given !== "string" && typeof given !== "number")
    return { id: null, problem: invalidRequest("the id must be a text, a number or null") };
  // What is no whole number below 2^53 may have been rounded when it was read.
  const rounded = typeof given === "number" && !Number.isSafeInteger(given);
  const id = rounded ? (exact() as { id: unknown }).id : given;
  const refuse = (problem: PiError): RpcEntry => ({ id: has ? id : null, problem });
  if (jsonrpc !== "2.0") return refuse(invalidRequest('it needs "jsonrpc": "2.0"'));
  if (typeof method !== "string")
    return refuse(invalidRequest("the method must be a text", "Answers are not expected from clients."));
  // A notification gets no answer, not even that its parameters are wrong.
  const request = { method, params: isJsonObject(params) ? params : {}, ...(has ? { id } : {}) };
  if (params === undefined || isJsonObject(params) || !has) return request;
  return refuse(invalidParams("params must be an object", "Parameters are given by name."));
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

/** The same text with numbers that may have been rounded kept as they were written. */
function exactNumbers(text: string): unknown {
  const keep: Reviver = (_, value, { source }) =>
    typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined
      ? (JSON as unknown as { rawJSON(source: string): unknown }).rawJSON(source)
      : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}
