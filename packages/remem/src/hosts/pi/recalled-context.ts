import type { MemorySession } from "../../runtime/memory.ts";
import { bounded } from "../shared/host-guard.ts";
import { SessionRecall } from "../shared/session-recall.ts";
import type { PiMessage } from "./host-types.ts";
import { contentText, promptKey } from "./message-text.ts";

/** The engine answers within a second, or not at all; this only bounds what may come before it. */
const RECALL_MS = 2_000;
/** Prompts of a session whose turns are remembered. */
const MOST_TURNS = 500;
/** By which other extensions know these messages. */
const CUSTOM_TYPE = "remem-recall";

/**
 * What memory puts behind the prompts of one session. Pi asks before each request what the model shall see, and stores nothing of the
 * answer; so a prompt keeps its recalled text at its place for as long as it is before the model, byte for byte, and caches stay warm.
 */
export class RecalledContext {
  readonly #recall: SessionRecall;
  /** The turn of each prompt that was asked about, by the prompt. */
  readonly #turns = new Map<string, string>();
  /** The turn that was begun for a prompt that no request has shown yet. */
  #begun: string | undefined;
  #unnamed = 0;

  constructor(session: MemorySession) {
    this.#recall = new SessionRecall(session);
  }

  /** Asks about a prompt that is about to be sent. */
  async begin(turnId: string, prompt: string): Promise<void> {
    this.#begun = turnId;
    await bounded(RECALL_MS, undefined, () => this.#recall.begin(turnId, prompt));
  }

  /** The messages with what memory adds; undefined when it adds nothing. */
  async complete(messages: readonly PiMessage[]): Promise<PiMessage[] | undefined> {
    const newest = messages.findLast(({ role }) => role === "user");
    const answered = messages.findLastIndex(({ role }) => role === "assistant");
    // A prompt that was answered before this program saw it is part of an older request as it was.
    if (newest !== undefined && messages.lastIndexOf(newest) > answered) await this.#ask(newest, messages);
    const texts = this.#recall.texts(this.#present(messages));
    if (texts.size === 0) return undefined;
    return messages.flatMap((message) => {
      const text = message.role === "user" ? texts.get(this.#turns.get(promptKey(message)) ?? "") : undefined;
      return text === undefined ? [message] : [message, recalled(text, message)];
    });
  }

  async #ask(prompt: PiMessage, messages: readonly PiMessage[]): Promise<void> {
    const key = promptKey(prompt);
    let turn = this.#turns.get(key);
    if (turn === undefined) {
      // A prompt that was queued while the agent ran is sent without a start of its own.
      turn = this.#begun ?? `queued-${prompt.timestamp ?? 0}-${this.#unnamed++}`;
      this.#begun = undefined;
      this.#turns.set(key, turn);
      const oldest = this.#turns.keys().next().value;
      if (this.#turns.size > MOST_TURNS && oldest !== undefined) this.#turns.delete(oldest);
    }
    const question = {
      messageId: turn,
      words: contentText(prompt.content),
      present: this.#present(messages),
      fresh: !messages.some(({ role }) => role === "assistant"),
      withoutStanding: false,
    };
    await bounded(RECALL_MS, undefined, () => this.#recall.ask(question));
  }

  #present(messages: readonly PiMessage[]): ReadonlySet<string> {
    return new Set(
      messages.flatMap((message) =>
        message.role === "user" ? (this.#turns.get(promptKey(message)) ?? []) : [],
      ),
    );
  }
}

function recalled(text: string, { timestamp = 0 }: PiMessage): PiMessage {
  const custom = { role: "custom", customType: CUSTOM_TYPE, display: false, timestamp };
  return { ...custom, content: [{ type: "text", text }] };
}
