/** A queue between producers that push and one reader that iterates. */
import type { AgentEvent } from "../contract/events.ts";

/** Live output waiting for a slow reader is kept up to this many characters; the oldest go first. */
const PROGRESS_LIMIT = 262_144;

/**
 * Events of tools that run at the same time, in the order they happened. While the reader is busy, neighbouring progress of
 * one call is joined, so that a noisy tool under a slow reader costs bounded memory.
 */
export class EventChannel {
  #queue: AgentEvent[] = [];
  #wake: (() => void) | undefined;
  #closed = false;

  push(event: AgentEvent): void {
    if (this.#closed) return;
    const last = this.#queue.at(-1);
    if (event.type === "tool_progress" && last?.type === "tool_progress" && last.id === event.id)
      last.delta = (last.delta + event.delta).slice(-PROGRESS_LIMIT);
    else this.#queue.push(event.type === "tool_progress" ? { ...event } : event);
    this.#wake?.();
  }

  /** No more events: the reader ends after those that wait. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void> {
    for (;;) {
      const batch = this.#queue;
      this.#queue = [];
      for (const event of batch) yield event;
      if (this.#queue.length > 0) continue;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
