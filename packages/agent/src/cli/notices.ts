import type { AgentEvent } from "../contract/events.ts";
import type { Notice } from "../contract/settings.ts";

/** Collects what people should know, from before a run and during it, for the one stream of events. */
export class Notices {
  readonly #waiting: Notice[] = [];

  add(...notices: readonly Notice[]): void {
    this.#waiting.push(...notices);
  }

  warn(message: string): void {
    this.#waiting.push({ level: "warning", message });
  }

  take(): Notice[] {
    return this.#waiting.splice(0);
  }

  /** The events with waiting notices between them: after `message_start` at the earliest, before `message_end` at the latest. */
  async *within(events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
    for await (const event of events) {
      if (event.type === "message_end") yield* this.#events();
      yield event;
      if (event.type !== "message_end") yield* this.#events();
    }
  }

  *#events(): Generator<AgentEvent> {
    for (const { level, message } of this.take()) yield { type: "notice", level, message };
  }
}
