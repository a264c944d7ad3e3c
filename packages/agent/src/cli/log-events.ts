import type { AgentEvent } from "../contract/events.ts";
import type { Logger } from "../contract/services.ts";

/** Writes a run's events to the session log as they pass. */
export async function* logEvents(
  events: AsyncIterable<AgentEvent>,
  logger: Logger,
): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    logEvent(event, logger);
    yield event;
  }
}

function logEvent(event: AgentEvent, logger: Logger): void {
  switch (event.type) {
    case "text_delta":
      logger.log({ type: "llm_text", content: event.delta });
      return;
    case "tool_call":
      logger.log({ type: "tool_call", tool: event.tool_name, id: event.id, args: event.tool_input });
      return;
    case "tool_result":
      logger.log({
        type: "tool_result",
        tool: event.tool_name,
        id: event.id,
        content: event.content,
        is_error: event.is_error,
        duration_ms: event.duration_ms,
      });
      return;
    case "error":
      logger.log({ type: "error", code: event.code, content: event.message });
      return;
    case "notice":
    case "retry":
    case "turn_end":
    case "message_end": {
      const { type, ...fields } = event;
      if (type === "message_end") logger.log({ type: "info", event: type, ...fields, text: undefined });
      else logger.log({ type: "info", event: type, ...fields });
      return;
    }
    default:
      return;
  }
}
