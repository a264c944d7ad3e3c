import { errorMessage } from "../../contract/errors.ts";
import type { AgentEvent } from "../../contract/events.ts";
import { noUsage } from "../../contract/messages.ts";

/** The events of a run with an end, whatever happens: a fault of ours is told as an error, and must not take other conversations with it. */
export async function* completeRun(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
  let ended = false;
  try {
    for await (const event of events) {
      ended = event.type === "message_end";
      yield event;
    }
  } catch (thrown) {
    const message = `${errorMessage(thrown)} (this is a bug in pi)`;
    yield { type: "error", code: "internal", message, retryable: false };
  }
  if (!ended)
    yield {
      type: "message_end",
      stop_reason: "error",
      text: "",
      turns: 0,
      usage: noUsage(),
      duration_ms: 0,
    };
}
