import type { UsageUpdate } from "@agentclientprotocol/sdk";
import type { Message, Usage } from "../../contract/messages.ts";

/** Tokens in the context and money spent, as an editor shows them. */
export class SessionUsage {
  #cost = 0;
  #priced = false;

  /** Begins with what the conversation so far has cost. */
  constructor(messages: readonly Message[]) {
    for (const message of messages) if (message.role === "assistant") this.#add(message.usage);
  }

  /** Counts one request to a model with a window of this size; null where the service has not told of its tokens. */
  turn(usage: Usage, window: number): UsageUpdate | null {
    this.#add(usage);
    if (usage.total === 0) return null;
    return {
      used: usage.total,
      size: window,
      ...(this.#priced ? { cost: { amount: this.#cost, currency: "USD" } } : {}),
    };
  }

  #add({ cost_usd: cost }: Usage): void {
    if (cost === undefined) return;
    this.#cost += cost;
    this.#priced = true;
  }
}
