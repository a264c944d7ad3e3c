import { errorMessage, isPiError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ImagePart } from "../../contract/messages.ts";
import type { Outcome, ToolOutcome } from "../../contract/tool.ts";

function outcomeOf(outcome: Outcome, isError: boolean, text: string, details: JsonObject): ToolOutcome {
  return { outcome, text, isError, details: { outcome, ...details } };
}

/** Something was there (or was done): `text` is it. Every builder of this file also puts `outcome` into the details. */
export function found(text: string, details: JsonObject = {}, images?: ImagePart[]): ToolOutcome {
  const outcome = outcomeOf("found", false, text, details);
  return images && images.length > 0 ? { ...outcome, images } : outcome;
}

/** The tool looked everywhere it was asked to and nothing was there. The text must say what was looked at. */
export function empty(text: string, details: JsonObject = {}): ToolOutcome {
  return outcomeOf("empty", false, text, details);
}

/** Nothing is known because (part of) the place was not looked at; the text must say why and how to look. Not an error. */
export function notLooked(text: string, details: JsonObject = {}): ToolOutcome {
  return outcomeOf("not_looked", false, text, details);
}

/** The call was refused by a rule of ours before anything was done. An error for the model. */
export function refused(text: string, details: JsonObject = {}): ToolOutcome {
  return outcomeOf("not_looked", true, text, details);
}

/** The call could not do its work. The text must hold the cause and, on a line of its own, what to do. */
export function failed(text: string, details: JsonObject = {}): ToolOutcome {
  return outcomeOf("failed", true, text, details);
}

const REFUSALS = new Set(["file_outside", "file_secret"]);

/**
 * The outcome for something a door threw: message and hint of a PiError, with its code in `details.code`; confinement and
 * the deny list become {@link refused}. Anything else is a failure with its message.
 */
export function failureOf(thrown: unknown, details: JsonObject = {}): ToolOutcome {
  if (!isPiError(thrown)) return failed(errorMessage(thrown), details);
  const text = thrown.hint === undefined ? thrown.message : `${thrown.message}\n${thrown.hint}`;
  const build = REFUSALS.has(thrown.code) ? refused : failed;
  return build(text, { code: thrown.code, ...details });
}
