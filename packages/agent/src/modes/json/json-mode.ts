import type { AgentEvent } from "../../contract/events.ts";
import { encodeJsonLine } from "../../platform/json-lines.ts";
import type { RunEnd, Streams } from "../shared/surface.ts";

/** Writes every event as one JSON line, each with the session's id. stdout carries nothing else. */
export async function runJsonMode(
  events: AsyncIterable<AgentEvent>,
  sessionId: string,
  streams: Streams,
): Promise<RunEnd> {
  let end: RunEnd = { stop: "error", text: "" };
  for await (const event of events) {
    const { type, ...fields } = event;
    await streams.out(encodeJsonLine({ type, session_id: sessionId, ...fields }));
    if (event.type === "message_end") end = { stop: event.stop_reason, text: event.text };
  }
  return end;
}
