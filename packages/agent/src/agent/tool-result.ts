/** From what a tool gave back to what the history holds. */
import type { ToolCallPart, ToolResultPart } from "../contract/messages.ts";
import type { ToolOutcome } from "../contract/tool.ts";

/** The result of a call: never empty, with the outcome among its details, and the loop's own remark after its text. */
export function asResult(call: ToolCallPart, outcome: ToolOutcome, remark?: string): ToolResultPart {
  const images = outcome.images ?? [];
  const own = outcome.text.trim() === "" && images.length === 0 ? "(no output)" : outcome.text;
  const text = remark === undefined ? own : `${own}\n\n${remark}`;
  return {
    type: "tool_result",
    id: call.id,
    name: call.name,
    content: text === "" ? [...images] : [{ type: "text", text }, ...images],
    isError: outcome.isError,
    details: { ...outcome.details, outcome: outcome.outcome },
  };
}
