import type { MemorySession } from "agentic-remem/runtime";
import type { PendingCall, RunEnd } from "../contract/callbacks.ts";
import type { ToolOutcome } from "../contract/tool.ts";

/** A prompt of fewer words ("go", "say hi") is no reason to begin a memory; "we use pnpm" is one. */
const LEAST_WORDS = 3;
/** The same in scripts that write without spaces: so many of their letters say something. */
const LEAST_UNSPACED = 4;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
/** More waits for the engine than any turn has; then the oldest goes. */
const MOST_WAITING = 200;

type Observation = (memory: MemorySession) => void;

/**
 * Hands what a person typed, what was answered and what tools did to the memory engine, which screens it and decides by rule what is
 * kept. Until the engine is open, observations wait; it is opened for them only when there is something worth it.
 */
export class Capture {
  #waiting: Observation[] = [];
  #memory: MemorySession | undefined;
  #worth = false;
  #turn = "";
  #answers = 0;

  /** True when something waits that the engine should be opened for. */
  get wanted(): boolean {
    return this.#memory === undefined && this.#worth && this.#waiting.length > 0;
  }

  /** From now on observations go straight to the engine. */
  use(memory: MemorySession): void {
    this.#memory = memory;
    for (const observe of this.#waiting.splice(0)) observe(memory);
  }

  /** A turn begins. `words` are what a person typed of its prompt; empty: nobody typed it, and nothing is taken from it. */
  prompt(turn: string, words: string): void {
    this.#turn = turn;
    this.#answers = 0;
    if (words.trim() === "") return;
    if (saysSomething(words)) this.#worth = true;
    this.#observe((memory) => memory.typed({ messageId: turn, text: words, source: "interactive" }));
  }

  /** A run is about to end. Only an answer that is whole is one. */
  answer({ stop, text }: RunEnd): void {
    if (stop !== "end" || text.trim() === "" || this.#turn === "") return;
    const messageId = this.#answers++ === 0 ? this.#turn : `${this.#turn}-${this.#answers}`;
    this.#observe((memory) => memory.answer({ messageId, text }));
  }

  /** A tool has run. What a rule of ours refused is not looked at at all: its arguments may name what must not be kept. */
  tool(call: PendingCall, outcome: ToolOutcome): void {
    if (outcome.isError && outcome.outcome === "not_looked") return;
    if (call.kind !== "inspect") this.#worth = true;
    const { exit_code: exitCode } = outcome.details;
    this.#observe((memory) =>
      memory.tool({
        callId: call.id,
        tool: call.name,
        input: call.input,
        output: outcome.text,
        failed: outcome.isError,
        ...(typeof exitCode === "number" ? { exitCode } : {}),
      }),
    );
  }

  #observe(observation: Observation): void {
    if (this.#memory !== undefined) {
      observation(this.#memory);
      return;
    }
    this.#waiting.push(observation);
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
  }
}

function saysSomething(words: string): boolean {
  return (
    words.trim().split(/\s+/u).length >= LEAST_WORDS || (words.match(UNSPACED)?.length ?? 0) >= LEAST_UNSPACED
  );
}
