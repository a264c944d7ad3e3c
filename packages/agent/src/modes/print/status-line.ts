import type { AgentEvent } from "../../contract/events.ts";
import type { JsonObject } from "../../contract/json.ts";
import { visibleLine } from "../shared/visible-text.ts";

const ARGUMENT_LIMIT = 100;

/** One line for people about an event, or null for what print mode does not tell. */
export function statusLine(event: AgentEvent): string | null {
  switch (event.type) {
    case "tool_call":
      return `> ${event.tool_name} ${argumentSummary(event.tool_input)}`.trimEnd();
    case "tool_result":
      return event.is_error ? `! ${event.tool_name}: ${firstLine(event.content)}` : null;
    case "retry":
      return `retry ${event.attempt} in ${(event.delay_ms / 1000).toFixed(1)} s: ${visibleLine(event.reason)}`;
    case "notice":
      return event.level === "warning" ? `warning: ${event.message}` : event.message;
    case "error":
      return `error: ${event.message}${event.hint ? `\n  ${event.hint}` : ""}`;
    case "compaction":
      return event.phase === "end"
        ? `history shortened from ${event.tokens_before} to ${event.tokens_after} tokens`
        : null;
    case "message_end":
      return endLine(event);
    default:
      return null;
  }
}

function endLine(event: Extract<AgentEvent, { type: "message_end" }>): string | null {
  switch (event.stop_reason) {
    case "end":
      return event.text.trim() === "" ? "the model ended without an answer" : null;
    case "aborted":
      return event.text === "" ? "interrupted" : "interrupted; the text above is what had arrived until then";
    default:
      return null;
  }
}

function argumentSummary(input: JsonObject): string {
  const values = Object.values(input).map((value) =>
    typeof value === "string" ? value : JSON.stringify(value),
  );
  return clip(visibleLine(values.join(" ")), ARGUMENT_LIMIT);
}

function firstLine(text: string): string {
  return clip(visibleLine(text.split("\n", 1)[0] ?? ""), 200);
}

function clip(text: string, limit: number): string {
  const characters = [...text];
  return characters.length > limit ? `${characters.slice(0, limit).join("")}…` : text;
}
