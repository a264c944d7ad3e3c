import type { Json, JsonObject } from "../../contract/json.ts";
import type { ToolOutcome } from "../../contract/tool.ts";
import type { HookEvent } from "./hook-entry.ts";

/** What a hook hears of. */
export interface HookOccasion {
  event: HookEvent;
  /** The tool's name; null where the event is not about one. */
  tool: string | null;
  input: JsonObject | null;
  result?: JsonObject;
  /** The input before a tool, the result's fields after it; what the event is about otherwise. */
  data: JsonObject;
}

/** The line that a hook reads on stdin: JSON in one line, with the separators escaped that JavaScript and Python take for line breaks. */
export function hookInput(
  { event, tool, input, result, data }: HookOccasion,
  sessionId: string,
  cwd: string,
): Uint8Array {
  const value = {
    event,
    tool,
    input,
    ...(result === undefined ? {} : { result }),
    data,
    session_id: sessionId,
    cwd,
  };
  const line = JSON.stringify(value).replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return new TextEncoder().encode(`${line}\n`);
}

/** A tool's result as hooks see it: `result` whole, `data` the documented fields with the text as `content`. */
export function resultFields(outcome: ToolOutcome): { result: JsonObject; data: JsonObject } {
  const { details, text, isError } = outcome;
  const images: Json[] = (outcome.images ?? []).map(({ mimeType }) => ({ mime_type: mimeType }));
  return {
    result: {
      outcome: outcome.outcome,
      is_error: isError,
      text,
      details,
      ...(images.length > 0 ? { images } : {}),
    },
    data: { content: text, ...details },
  };
}
