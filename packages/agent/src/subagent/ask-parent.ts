import type { AskDoor, ConsentAnswer, ConsentQuestion } from "../contract/consent.ts";
import { isJsonObject, type Json, type JsonObject } from "../contract/json.ts";
import { ASK_EVENT } from "./handoff.ts";

const NOBODY: ConsentAnswer = { answer: "refuse" };

/** A subagent's questions for the person at its parent's terminal. Each is answered once; a parent that is gone answers no. */
export class AskParent implements AskDoor {
  readonly #send: (line: JsonObject) => Promise<void>;
  readonly #open = new Map<number, (answer: ConsentAnswer) => void>();
  #last = 0;
  #gone = false;

  /** `send` writes a line for the parent. */
  constructor(send: (line: JsonObject) => Promise<void>) {
    this.#send = send;
  }

  async decide(question: ConsentQuestion, signal: AbortSignal): Promise<ConsentAnswer> {
    if (this.#gone || signal.aborted) return NOBODY;
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<ConsentAnswer>();
    this.#open.set(id, resolve);
    const close = () => {
      resolve(NOBODY);
      void this.#send({ type: ASK_EVENT, id, closed: true });
    };
    signal.addEventListener("abort", close, { once: true });
    try {
      await this.#send({ type: ASK_EVENT, id, question: question as unknown as JsonObject });
      return await promise;
    } finally {
      this.#open.delete(id);
      signal.removeEventListener("abort", close);
    }
  }

  /** A line of the parent's. */
  answered(message: JsonObject): void {
    if (typeof message["ask"] === "number") this.#open.get(message["ask"])?.(answerIn(message["answer"]));
  }

  /** Nobody answers any more. */
  gone(): void {
    this.#gone = true;
    for (const resolve of this.#open.values()) resolve(NOBODY);
  }
}

/** Whatever is no clear yes is a no. */
function answerIn(value: Json | undefined): ConsentAnswer {
  if (!isJsonObject(value)) return NOBODY;
  const { answer, reason } = value;
  if (answer === "once" || answer === "session") return { answer };
  return typeof reason === "string" ? { answer: "refuse", reason } : NOBODY;
}
