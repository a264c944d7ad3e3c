import { RequestError } from "@agentclientprotocol/sdk";
import { errorMessage, isPiError, PiError } from "../../contract/errors.ts";
import type { AgentEvent } from "../../contract/events.ts";

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const LOGIN_NEEDED = -32000;
const NOT_FOUND = -32002;

/** Codes of ours that the protocol has a number for; all others are internal errors. */
const NUMBERS: Readonly<Record<string, number>> = {
  no_key: LOGIN_NEEDED,
  bad_key: LOGIN_NEEDED,
  auth: LOGIN_NEEDED,
  no_session: NOT_FOUND,
  busy: INVALID_REQUEST,
  not_busy: INVALID_REQUEST,
  locked: INVALID_REQUEST,
  closing: INVALID_REQUEST,
  invalid_params: INVALID_PARAMS,
  usage: INVALID_PARAMS,
  no_plan_mode: INVALID_PARAMS,
  no_folder: INVALID_PARAMS,
  model_unknown: INVALID_PARAMS,
  provider_invalid: INVALID_PARAMS,
};

/** Anything that was thrown, as the editor gets it: what happened and what to do, with our code beside it in `data`. */
export function protocolError(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  if (!isPiError(thrown))
    return failure("internal", `${errorMessage(thrown)} (this is a bug in pi)`, undefined);
  return failure(thrown.code, thrown.message, thrown.hint);
}

/** A run that ended with an error. */
export function runError({ code, message, hint }: Extract<AgentEvent, { type: "error" }>): RequestError {
  return failure(code, message, hint);
}

/** A request that cannot be meant as it stands. */
export function invalidParams(message: string, hint?: string): PiError {
  return new PiError({ code: "invalid_params", message, ...(hint === undefined ? {} : { hint }) });
}

function failure(code: string, message: string, hint: string | undefined): RequestError {
  // Editors show the message and rarely the data: what to do belongs into it.
  const text = hint === undefined ? message : `${message}\n${hint}`;
  const number = Object.hasOwn(NUMBERS, code) ? NUMBERS[code]! : INTERNAL;
  return new RequestError(number, text, { code, ...(hint === undefined ? {} : { hint }) });
}
