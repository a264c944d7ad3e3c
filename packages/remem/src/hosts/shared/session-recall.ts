import type { MemoryInjection } from "../../core/orchestrator/answers.ts";
import type { MemorySession } from "../../runtime/memory.ts";
import { wholeMemories, withoutShown } from "./framed-memories.ts";

/** What is put before one prompt: what stands for the whole conversation, and what answers it. */
interface Block {
  /** Undefined where it was not asked, or not answered; empty where nothing stands. */
  readonly standing: string | undefined;
  readonly found: string;
}

/** Prompts of a session whose blocks are remembered; older ones were compacted away, or nobody has so long a window. */
const MOST_BLOCKS = 500;
const MOST_TRIES = 5;

export interface PromptQuestion {
  readonly messageId: string;
  readonly words: string;
  /** Ids of the messages that the model is about to see. */
  readonly present: ReadonlySet<string>;
  /** Nothing was answered yet in this conversation. */
  readonly fresh: boolean;
  /** What stands is left out: a subagent has a task, no conversation. */
  readonly withoutStanding: boolean;
}

/**
 * What memory puts before the prompts of one session. Each prompt is asked about once and keeps its block at its place, so that the
 * model's cache stays warm from turn to turn. The host stores nothing of it.
 */
export class SessionRecall {
  readonly #session: MemorySession;
  readonly #questions = new Map<string, Promise<MemoryInjection>>();
  readonly #asked = new Map<string, Promise<void>>();
  readonly #blocks = new Map<string, Block>();

  constructor(session: MemorySession) {
    this.#session = session;
  }

  /** Begins to ask about a prompt, so that the answer is there when it is needed. */
  begin(messageId: string, words: string): Promise<MemoryInjection> {
    let question = this.#questions.get(messageId);
    if (question === undefined) {
      question = again(() => this.#session.processPrompt(words, { turnId: messageId }));
      this.#questions.set(messageId, question);
      drop(this.#questions);
    }
    return question;
  }

  /** True once a prompt was asked about, whether its block is there or not. */
  isAsked(messageId: string): boolean {
    return this.#asked.has(messageId);
  }

  /** Asks what belongs before a prompt, once. Who stops waiting gets it at the next request. */
  ask(question: PromptQuestion): Promise<void> {
    let asked = this.#asked.get(question.messageId);
    if (asked === undefined) {
      asked = this.#ask(question);
      this.#asked.set(question.messageId, asked);
      drop(this.#asked);
    }
    return asked;
  }

  async #ask(question: PromptQuestion): Promise<void> {
    const { messageId, words, present } = question;
    const [standing, found] = await Promise.all([this.#standing(question), this.begin(messageId, words)]);
    const before = this.#present(present).flatMap(([, block]) => [block.standing ?? "", block.found]);
    const shown = new Set([...before, standing ?? ""].flatMap(wholeMemories));
    const answer = withoutShown(found.text, shown);
    // What is whole in the answer needs no line of its own in what stands.
    const whole = new Set([...before, answer].flatMap(wholeMemories));
    const rest = standing === undefined ? undefined : withoutShown(standing, whole);
    this.#blocks.set(messageId, { standing: rest, found: answer });
    drop(this.#blocks);
  }

  /** The texts to put before these messages, by id. */
  texts(present: ReadonlySet<string>): ReadonlyMap<string, string> {
    return new Map(
      this.#present(present).flatMap(([id, { standing, found }]) => {
        const text = [standing ?? "", found].filter((part) => part !== "").join("\n");
        return text === "" ? [] : [[id, text] as const];
      }),
    );
  }

  /** What stands is said once, and again when that place is not before the model any more. Where nothing stands at the start, no later prompt pays for asking. */
  async #standing({ present, fresh, withoutStanding }: PromptQuestion): Promise<string | undefined> {
    const isSaid = this.#present(present).some(([, { standing }]) => standing !== undefined);
    if (withoutStanding || isSaid) return undefined;
    if (!fresh) return (await this.#session.compactionContext()) || undefined;
    const { text, trace } = await again(() => this.#session.sessionStart());
    return trace.decision === "failed" ? undefined : text;
  }

  #present(present: ReadonlySet<string>): (readonly [string, Block])[] {
    return [...this.#blocks].filter(([id]) => present.has(id));
  }
}

/** The engine has little time for an answer; loading its parts for the first one may take all of it, on a busy machine more than once. */
async function again(ask: () => Promise<MemoryInjection>): Promise<MemoryInjection> {
  for (let tries = 1; ; tries++) {
    const asked = await ask();
    const isLate = asked.trace.attempts.some(({ outcome }) => outcome === "timed_out");
    if (!isLate || tries === MOST_TRIES) return asked;
  }
}

/** Lets go of the oldest. */
function drop(kept: Map<string, unknown>): void {
  const oldest = kept.keys().next();
  if (kept.size > MOST_BLOCKS && oldest.done !== true) kept.delete(oldest.value);
}
