/** A command of an extension where there is no terminal: a run that shows what the command says, and the answers that it asks a model for. */
import { errorMessage } from "../../../contract/errors.ts";
import type { AgentEvent } from "../../../contract/events.ts";
import type { UserMessage } from "../../../contract/messages.ts";
import { endOf, joined, type RunEnd, type RunParts, runAround, saidOf, startOf } from "./run-around.ts";

/** Runs that a command asks for while it runs. */
export class RunRequests {
  readonly #waiting: (UserMessage | null)[] = [];
  #closed = false;
  #wake: () => void = () => undefined;

  /** False when nobody takes requests any more. */
  add(message: UserMessage | null): boolean {
    if (this.#closed) return false;
    this.#waiting.push(message);
    this.#wake();
    return true;
  }

  /** What was asked for, until `over`. */
  async *until(over: Promise<void>): AsyncGenerator<UserMessage | null> {
    let done = false;
    void over.then(() => {
      done = true;
      this.#wake();
    });
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (done) break;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
    this.#closed = true;
  }
}

/** The events from `message_start` to `message_end`. Without an answer of a model the text is what the command told people. */
export async function* commandRun(
  parts: RunParts,
  requests: RunRequests,
  name: string,
  signal: AbortSignal,
  command: () => Promise<void>,
): AsyncGenerator<AgentEvent, void> {
  const { state } = parts;
  const told: string[] = [];
  state.heard = (message) => told.push(message);
  let failure: unknown;
  const over = command().catch((thrown: unknown) => {
    failure = thrown;
  });
  yield startOf(state);
  let end: RunEnd | null = null;
  try {
    for await (const message of requests.until(over))
      for await (const event of runAround(parts, message, signal)) {
        if (event.type === "message_end") end = end === null ? event : joined(end, event);
        else if (event.type !== "message_start") yield event;
      }
  } finally {
    state.heard = null;
  }
  if (failure !== undefined) {
    yield { type: "error", code: "extension_failed", message: errorMessage(failure), retryable: false };
    yield { ...(end ?? endOf("")), stop_reason: "error" };
    return;
  }
  if (signal.aborted) yield { ...(end ?? endOf("")), stop_reason: "aborted" };
  else if (end !== null) yield end;
  else {
    const words = told.join("\n");
    yield* saidOf(words.trim() === "" ? `/${name} has run.` : words);
  }
}
