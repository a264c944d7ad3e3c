import type { AgentEvent } from "../../../contract/events.ts";

/** What a run is doing, as its events tell it. */
export class WorkPhase {
  #what: "waiting" | "thinking" | "answering" | "compacting" = "waiting";
  readonly #tools = new Map<string, string>();
  #retry: { attempt: number; at: number; reason: string } | undefined;
  #counted = 0;
  #streamedCharacters = 0;

  /** Takes an event; `now` in milliseconds. */
  event(event: AgentEvent, now: number): void {
    if (event.type !== "notice" && event.type !== "tool_progress") this.#retry = undefined;
    switch (event.type) {
      case "thinking_delta":
        this.#what = "thinking";
        this.#streamedCharacters += event.delta.length;
        return;
      case "text_delta":
        this.#what = "answering";
        this.#streamedCharacters += event.delta.length;
        return;
      case "tool_call":
        this.#tools.set(event.id, event.tool_name);
        this.#what = "waiting";
        return;
      case "tool_result":
        this.#tools.delete(event.id);
        return;
      case "retry":
        this.#retry = { attempt: event.attempt, at: now + event.delay_ms, reason: event.reason };
        this.#what = "waiting";
        return;
      case "compaction":
        this.#what = event.phase === "start" ? "compacting" : "waiting";
        return;
      case "turn_end":
        this.#counted += event.usage.output;
        this.#streamedCharacters = 0;
        this.#what = "waiting";
        return;
      default:
        return;
    }
  }

  /** The phase in words; `now` in milliseconds. */
  words(now: number): string {
    if (this.#retry) {
      const seconds = Math.max(0, Math.ceil((this.#retry.at - now) / 1_000));
      return `Retry ${this.#retry.attempt} in ${seconds}s: ${this.#retry.reason}`;
    }
    if (this.#tools.size > 0) {
      const names = [...new Set(this.#tools.values())].join(", ");
      return this.#tools.size === 1 ? `Running ${names}` : `Running ${this.#tools.size} tools: ${names}`;
    }
    switch (this.#what) {
      case "thinking":
        return "Thinking";
      case "answering":
        return "Answering";
      case "compacting":
        return "Compacting the history";
      default:
        return "Waiting for the model";
    }
  }

  /** Tokens the model has written in this run: counted ones, plus an estimate of the answer in progress. */
  get tokensOut(): number {
    return this.#counted + Math.round(this.#streamedCharacters / 4);
  }
}
