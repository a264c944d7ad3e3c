/** What people add while a run goes on. */
import type { ImagePart, UserMessage, UserOrigin } from "../contract/messages.ts";

/** A text as typed, and pasted images. */
export interface QueuedInput {
  text: string;
  images?: readonly ImagePart[];
}

export interface WaitingInput extends QueuedInput {
  as: "steer" | "follow_up";
}

/** Two queues: steering goes into the next request, a follow-up waits for the end of the answer. */
export class Inbox {
  #steering: WaitingInput[] = [];
  #followUps: WaitingInput[] = [];

  add(input: string | QueuedInput, as: WaitingInput["as"]): void {
    const queue = as === "steer" ? this.#steering : this.#followUps;
    queue.push(typeof input === "string" ? { text: input, as } : { ...input, as });
  }

  takeSteering(): WaitingInput[] {
    const taken = this.#steering;
    this.#steering = [];
    return taken;
  }

  nextFollowUp(): WaitingInput | undefined {
    return this.#followUps.shift();
  }

  get hasSteering(): boolean {
    return this.#steering.length > 0;
  }

  /** Everything that waits, in the order of its use. */
  waiting(): WaitingInput[] {
    return [...this.#steering, ...this.#followUps];
  }

  /** The same, out of both queues. */
  takeAll(): WaitingInput[] {
    const followUps = this.#followUps;
    this.#followUps = [];
    return [...this.takeSteering(), ...followUps];
  }
}

/** An input as a message. */
export function messageOf({ text, images = [] }: QueuedInput, origin: UserOrigin): UserMessage {
  return { role: "user", parts: [{ type: "text", text }, ...images], origin };
}
