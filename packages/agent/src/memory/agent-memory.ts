import type { Memory, MemorySession } from "agentic-remem/runtime";
import type { Callbacks } from "../contract/callbacks.ts";
import type { MemoryDoor } from "../contract/memory.ts";
import type { Message, UserMessage } from "../contract/messages.ts";
import type { Conversation } from "../contract/session.ts";
import { Capture } from "./capture.ts";
import { memoryDoor } from "./memory-door.ts";
import { isPrompt, PersonsWords, turnName } from "./persons-words.ts";
import { Recall } from "./recall.ts";

export interface AgentMemoryParts {
  conversation: Pick<Conversation, "id" | "messages">;
  /** Opens the engine; called once, when it is first needed. */
  open(): Promise<Memory>;
  /** The switch, as it is now. */
  enabled(): boolean;
  /** Whether what is said and done may be kept at all. */
  captures: boolean;
  /** Conversations that the person cleared away in this program. */
  cleared: ReadonlySet<string>;
  /** Memories are put before the model: so the session's system text says. */
  recalls: boolean;
  /** Runs work a little later, when the machine waits for the model anyway; returns what takes it back. */
  later(work: () => void): () => void;
}

/** The memory of one conversation: what it puts before the model, what it keeps, and the door for tools. */
export class AgentMemory {
  readonly door: MemoryDoor;
  readonly callbacks: Callbacks;
  /** Which words of prompts are a person's. */
  readonly words = new PersonsWords();
  readonly #parts: AgentMemoryParts;
  readonly #recall: Recall;
  readonly #capture = new Capture();
  #memory: Promise<Memory> | undefined;
  #cancelLater: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: AgentMemoryParts) {
    this.#parts = parts;
    this.#recall = new Recall({
      conversation: parts.conversation,
      cleared: parts.cleared,
      sessionsOf: async (ids) => {
        const store = ids.length === 0 ? undefined : await (await this.open()).store("read");
        const records = (await store?.memories.get(ids)) ?? [];
        return new Map(records.map(({ id, provenance }) => [id, provenance.sessionId]));
      },
    });
    this.door = memoryDoor({
      session: () => this.session(),
      off: () =>
        this.#closing !== undefined ? "memory is closed" : parts.enabled() ? null : "memory is switched off",
    });
    this.callbacks = {
      name: "memory",
      beforePrompt: async (message, signal) => {
        await this.#prompt(message, signal);
        return undefined;
      },
      afterTool: async (call, outcome) => {
        if (this.#captures) this.#capture.tool(call, outcome);
        return undefined;
      },
      beforeStop: async (end) => {
        if (this.#captures) this.#capture.answer(end);
        return undefined;
      },
    };
  }

  /** The engine, opened at the first call. Never rejects for a store that cannot be opened. */
  open(): Promise<Memory> {
    this.#memory ??= this.#parts.open();
    return this.#memory;
  }

  /** True once the engine has been asked for. */
  get opened(): boolean {
    return this.#memory !== undefined;
  }

  /** The same, with all that was seen so far handed over to it. */
  async upToDate(): Promise<Memory> {
    if (this.#captures) await this.#useEngine();
    return this.open();
  }

  /** This conversation, as the engine knows it. */
  async session(): Promise<MemorySession> {
    return (await this.open()).session({ id: this.#parts.conversation.id });
  }

  /** What belongs before a message that is about to be stored. */
  before(message: Message): UserMessage | undefined {
    return this.#recall.before(message);
  }

  /** What belongs behind a message that was just stored. */
  after(message: Message): UserMessage | undefined {
    return this.#recall.after(message);
  }

  /** Writes what is left and closes the store; at most two seconds. What is not stored by then is kept for the next process. A second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  get #captures(): boolean {
    return this.#parts.captures && this.#parts.enabled();
  }

  async #prompt(message: UserMessage, signal: AbortSignal): Promise<void> {
    const { conversation, recalls, enabled } = this.#parts;
    if (!isPrompt(message) || !enabled()) return;
    const words = this.words.of(message);
    const turn = turnName(conversation.messages(), words);
    if (recalls) await this.#recall.ask(await this.session(), words, turn, signal);
    if (!this.#captures || signal.aborted) return;
    this.#capture.prompt(turn, words);
    if (!this.opened) return this.#openSoon();
    this.#capture.use(await this.session());
    (await this.open()).maintain();
  }

  /** The engine is loaded for capture while the model is waited for; a run that is over before that loads it at its end. */
  #openSoon(): void {
    this.#cancelLater ??= this.#parts.later(() => {
      this.#cancelLater = undefined;
      if (this.#capture.wanted && this.#closing === undefined) void this.#useEngine();
    });
  }

  async #useEngine(): Promise<void> {
    this.#capture.use(await this.session());
  }

  async #close(): Promise<void> {
    this.#cancelLater?.();
    if (this.#captures && this.#capture.wanted) await this.#useEngine();
    if (this.#memory === undefined) return;
    const memory = await this.#memory;
    // Not waited for by itself: closing gives it its share of the time.
    if (this.#captures) void (await this.session()).end();
    await memory.close();
  }
}
