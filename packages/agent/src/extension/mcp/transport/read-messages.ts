import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { isJsonObject, type Json, type JsonObject } from "../../../contract/json.ts";

const INTERNAL_ERROR = -32_603;
/** Characters of a faulty answer that are shown. */
const MOST_SHOWN = 200;
/** An answer that is no JSON (`NaN`, a text cut off) still says whose it is. */
const ANSWER_ID = /^\{[^{}[\]]{0,60}"id"\s*:\s*(\d{1,15}|"[^"\\]{1,100}")\s*,\s*"(?:result|error)"\s*:/;

/** What a line of a server holds. */
export interface ReadLine {
  messages: JSONRPCMessage[];
  /** Some of it is no message of the protocol. */
  faulty: boolean;
}

/**
 * Reads a line: a message, or several in a list. An answer that breaks the protocol becomes an error of the request that it belongs to,
 * which would wait for its time limit otherwise.
 */
export function readMessages(text: string): ReadLine {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    const id = ANSWER_ID.exec(text)?.[1];
    const messages = id === undefined ? [] : [refusal(JSON.parse(id) as string | number, text)];
    return { messages, faulty: true };
  }
  const read = (Array.isArray(value) ? value : [value]).map(readMessage);
  return {
    messages: read.flatMap(({ message }) => (message === null ? [] : [message])),
    faulty: read.length === 0 || read.some(({ faulty }) => faulty),
  };
}

function readMessage(value: Json): { message: JSONRPCMessage | null; faulty: boolean } {
  const parsed = parse(value);
  if (parsed !== null || !isJsonObject(value)) return { message: parsed, faulty: parsed === null };
  const versioned: JsonObject = { ...value, jsonrpc: "2.0" };
  return { message: parse(versioned) ?? answerOf(versioned), faulty: true };
}

function answerOf(value: JsonObject): JSONRPCMessage | null {
  const { id, error } = value;
  if ((typeof id !== "number" && typeof id !== "string") || "method" in value) return null;
  const said = isJsonObject(error) ? error["message"] : error;
  return refusal(id, typeof said === "string" && said !== "" ? said : JSON.stringify(value), said);
}

/** An error in place of an answer: its own words (`said`), or that it breaks the protocol, with its beginning. */
export function refusal(id: string | number, text: string, said?: Json): JSONRPCMessage {
  const shown = text.slice(0, MOST_SHOWN).toWellFormed();
  const message = said === text ? shown : `its answer is not of the protocol: ${shown}`;
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } };
}

function parse(value: Json): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return null;
  }
}
