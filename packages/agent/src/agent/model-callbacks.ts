/** The callbacks around a request to a model. One that throws is told of and passed over. */
import type { Callbacks } from "../contract/callbacks.ts";
import { errorMessage } from "../contract/errors.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { AssistantMessage } from "../contract/messages.ts";
import type { ModelRequest } from "../contract/model.ts";

/** The request as the callbacks leave it. */
export async function* changedRequest(
  callbacks: readonly Callbacks[],
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, ModelRequest> {
  let current = request;
  for (const callback of callbacks) {
    if (!callback.beforeModel) continue;
    try {
      current = (await callback.beforeModel({ ...current }, signal)) ?? current;
    } catch (thrown) {
      yield warning(`${callback.name} failed before a request: ${errorMessage(thrown)}`);
    }
  }
  return current;
}

/** The answer as the callbacks leave it. */
export async function* changedAnswer(
  callbacks: readonly Callbacks[],
  message: AssistantMessage,
): AsyncGenerator<AgentEvent, AssistantMessage> {
  let current = message;
  for (const callback of callbacks) {
    if (!callback.afterModel) continue;
    try {
      current = (await callback.afterModel(structuredClone(current))) ?? current;
    } catch (thrown) {
      yield warning(`${callback.name} failed after an answer: ${errorMessage(thrown)}`);
    }
  }
  return current;
}

function warning(message: string): AgentEvent {
  return { type: "notice", level: "warning", message };
}
