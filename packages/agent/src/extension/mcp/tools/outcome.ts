import type { JsonObject } from "../../../contract/json.ts";
import type { Outcome, ToolOutcome } from "../../../contract/tool.ts";

/** A result of a tool of ours, with its outcome among the details. */
export function outcome(
  kind: Outcome,
  text: string,
  details: JsonObject,
  isError: boolean = kind === "failed",
): ToolOutcome {
  return { outcome: kind, text, isError, details: { outcome: kind, ...details } };
}
