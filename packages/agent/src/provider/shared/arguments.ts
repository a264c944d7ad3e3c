/** From streamed argument text to a call's arguments. What cannot be parsed is never run; the model reads why. */
import type { Json, JsonObject } from "../../contract/json.ts";
import type { CallProblem } from "../../contract/messages.ts";
import { findJsonFault } from "./json-fault.ts";
import { wellFormed, wellFormedJson } from "./text.ts";

/** Characters of raw argument text that a problem keeps. */
const RAW_LIMIT = 2_000;

/**
 * Arguments that hold more lists and objects in each other are refused. No tool needs them, services take less or little more (a nested
 * value of Gemini's some 50 levels), and a history that holds them would be refused at every later request.
 */
const MOST_LEVELS = 100;

/** Arguments, or `{}` with the reason why the call cannot run. */
export interface ParsedArguments {
  arguments: JsonObject;
  problem?: CallProblem;
}

/**
 * Parses the complete argument text of a call: nothing (or only white space) is `{}`, since servers send nothing for a
 * call without arguments; else it must be one strict JSON object, or the problem names the fault and its position.
 */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === "") return { arguments: {} };
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    // The engine's message has no position; ours has.
    const fault = findJsonFault(text) ?? { position: 0, reason: "it is nested too deeply" };
    return malformed(
      `The arguments are not valid JSON: ${fault.reason}, at position ${fault.position}.`,
      text,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const kind = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
    return malformed(`The arguments must be a JSON object, but are ${kind}, at position 0.`, text);
  }
  if (isDeeper(value, MOST_LEVELS))
    return malformed(`The arguments are nested too deeply: more than ${MOST_LEVELS} levels.`, text);
  return { arguments: wellFormedJson(value) };
}

/** Level by level, since a walk in depth would end where the stack does. */
function isDeeper(value: Json, levels: number): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= levels) return true;
    level = level
      .flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []))
      .filter((one) => typeof one === "object" && one !== null);
  }
  return false;
}

/** The text of arguments that came whole: an object, its text, or nothing. */
export function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}

/** The problem of a call whose arguments were cut by the output limit; such a call is never run, even if it parses. */
export function cutArguments(text: string): ParsedArguments {
  return {
    arguments: {},
    problem: {
      kind: "cut",
      message: `The output limit was reached inside of this call: its arguments were cut at position ${text.length}.`,
      raw: boundRaw(text),
    },
  };
}

function malformed(message: string, text: string): ParsedArguments {
  return { arguments: {}, problem: { kind: "malformed", message, raw: boundRaw(text) } };
}

function boundRaw(text: string): string {
  return wellFormed(text.slice(0, RAW_LIMIT));
}
