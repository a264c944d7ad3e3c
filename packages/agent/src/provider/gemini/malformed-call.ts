import type { CallProblem } from "../../contract/messages.ts";
import { parseArguments } from "../shared/arguments.ts";

/** A call that the service could not read: which tool was meant, and why it cannot run. */
export interface MalformedCall {
  name: string;
  problem: CallProblem;
}

/**
 * Reads the message of a MALFORMED_FUNCTION_CALL ("Malformed function call: bash({…"), so that the model can be told what was
 * wrong with its call. Undefined when the message names none of the declared tools.
 */
export function readMalformedCall(message: string, tools: readonly string[]): MalformedCall | undefined {
  const places = tools
    .map((name) => ({ name, at: message.search(new RegExp(`(?<![\\w-])${RegExp.escape(name)}(?![\\w-])`)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  const place = places[0];
  if (place === undefined) return undefined;
  const rest = message.slice(place.at + place.name.length);
  const raw = /^\s*\(([\s\S]*?)\)?\s*$/.exec(rest)?.[1] ?? rest;
  const parsed = parseArguments(raw).problem;
  return {
    name: place.name,
    problem: parsed ?? {
      kind: "malformed",
      message: `The service could not read this call: ${message.slice(0, 500)}`,
      raw: raw.slice(0, 2_000),
    },
  };
}
