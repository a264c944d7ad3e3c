import { errorMessage, isPiError, PiError } from "../../contract/errors.ts";

/** The `error` of a JSON-RPC answer. */
export interface RpcErrorObject {
  code: number;
  message: string;
  data: { code: string; hint?: string };
}

/** Numbers of failures that programs tell apart; every other one is -32000, and `data.code` says which it is. */
export const NUMBERS: Readonly<Record<string, number>> = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal: -32603,
  busy: -32001,
  not_busy: -32002,
  no_session: -32003,
  locked: -32004,
  closing: -32005,
};

/** Anything that was thrown, as an error of the protocol. What is no PiError is a fault of ours. */
export function rpcError(thrown: unknown): RpcErrorObject {
  if (!isPiError(thrown))
    return {
      code: NUMBERS["internal"]!,
      message: `${errorMessage(thrown)} (this is a bug in pi)`,
      data: { code: "internal" },
    };
  const { code, message, hint } = thrown;
  const number = Object.hasOwn(NUMBERS, code) ? NUMBERS[code]! : -32000;
  return { code: number, message, data: { code, ...(hint === undefined ? {} : { hint }) } };
}

/** A message that is no request. */
export function invalidRequest(message: string, hint?: string): PiError {
  return new PiError({ code: "invalid_request", message, ...(hint === undefined ? {} : { hint }) });
}

/** Parameters that the method does not take. */
export function invalidParams(message: string, hint?: string): PiError {
  return new PiError({ code: "invalid_params", message, ...(hint === undefined ? {} : { hint }) });
}
