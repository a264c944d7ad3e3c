import type { MemoryInjection } from "agentic-remem/core";
import type { MemorySession } from "agentic-remem/runtime";
import type { Message, UserMessage } from "../contract/messages.ts";
import type { Conversation } from "../contract/session.ts";
import { isPrompt } from "./persons-words.ts";
import { onlyNew, recalledIds, withoutMemories } from "./recalled-text.ts";

/** What a prompt comes with: before it what holds for the whole session, after it what answers it. */
interface Recalled {
  readonly before: string;
  readonly after: string;
}

export interface RecallParts {
  conversation: Pick<Conversation, "messages">;
  /** Conversations that the person cleared away in this program: what was said there does not come back by itself. */
  cleared: ReadonlySet<string>;
  /** In which session each of these memories was written down. */
  sessionsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/**
 * Puts memories into the conversation: messages of their own that are appended once and stay as they are, so that what a model was
 * shown is in the log, and nothing of it changes from turn to turn or with a resume.
 */
export class Recall {
  readonly #parts: RecallParts;
  #ready: Recalled | undefined;

  constructor(parts: RecallParts) {
    this.#parts = parts;
  }

  /** Asks memory about a prompt that is about to be stored. A question is remembered, so it has to be a person's words; without any only what stands is asked for. */
  async ask(memory: MemorySession, prompt: string, turnId: string, signal: AbortSignal): Promise<void> {
    this.#ready = undefined;
    const messages = this.#parts.conversation.messages();
    const standing = await this.#kept(await standingText(memory, messages, signal));
    const before = onlyNew(standing, messages);
    const found =
      prompt.trim() === "" ? "" : (await again(() => memory.processPrompt(prompt, { turnId, signal }))).text;
    if (signal.aborted) return;
    this.#ready = { before, after: onlyNew(await this.#kept(found), messages, before) };
  }

  /** The text without what comes from conversations that were cleared away. */
  async #kept(framed: string): Promise<string> {
    const { cleared, sessionsOf } = this.#parts;
    if (cleared.size === 0 || framed === "") return framed;
    const sessions = await sessionsOf(recalledIds(framed));
    const gone = [...sessions].flatMap(([id, session]) => (cleared.has(session) ? [id] : []));
    return withoutMemories(framed, new Set(gone));
  }

  /** What belongs before this message, which is about to be stored. */
  before(message: Message): UserMessage | undefined {
    return isPrompt(message) ? recalledMessage(this.#ready?.before) : undefined;
  }

  /** What belongs behind this message, which was just stored. */
  after(message: Message): UserMessage | undefined {
    if (!isPrompt(message)) return undefined;
    const recalled = recalledMessage(this.#ready?.after);
    this.#ready = undefined;
    return recalled;
  }
}

/** At the start of a session what stands, with what was last; beside a summary that took its place, what stands. */
async function standingText(
  memory: MemorySession,
  messages: readonly Message[],
  signal: AbortSignal,
): Promise<string> {
  if (!messages.some((message) => message.role === "assistant" || isPrompt(message)))
    return (await again(() => memory.sessionStart({ signal }))).text;
  const summary = messages.findLastIndex(
    (message) => message.role === "user" && message.origin === "summary",
  );
  return summary >= 0 ? memory.compactionContext({ signal }) : "";
}

/** The engine has little time for an answer; loading its parts for the first one may take all of it. */
async function again(ask: () => Promise<MemoryInjection>): Promise<MemoryInjection> {
  const first = await ask();
  return first.trace.attempts.some(({ outcome }) => outcome === "timed_out") ? ask() : first;
}

function recalledMessage(text: string | undefined): UserMessage | undefined {
  if (text === undefined || text === "") return undefined;
  return { role: "user", origin: "memory", parts: [{ type: "text", text }] };
}
