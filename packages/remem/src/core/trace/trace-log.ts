import type { EngineState } from "../ports/engine-state.ts";
import type { RecallTrace } from "./recall-trace.ts";

/** Traces that are kept in this process, newest last. */
const KEPT = 200;

/**
 * The decisions to recall or to stay silent: the newest in memory, and in the engine's state as soon as there is one, so that they
 * can be explained after a restart. Writing happens behind the work; a trace that cannot be written is only in memory.
 */
export class TraceLog {
  readonly #state: () => Promise<EngineState | undefined>;
  #recent: RecallTrace[] = [];
  #writing: Promise<void> = Promise.resolve();

  /** `state` gives undefined while there is nothing to write to. */
  constructor(state: () => Promise<EngineState | undefined>) {
    this.#state = state;
  }

  add(trace: RecallTrace): void {
    this.#recent = [...this.#recent.slice(-(KEPT - 1)), trace];
    this.#writing = this.#writing.then(() => this.#write(trace));
  }

  /** The newest traces of a session (or of all), newest first. */
  async of(sessionId: string | undefined, limit: number): Promise<RecallTrace[]> {
    await this.#writing;
    const own = this.#recent
      .filter((trace) => sessionId === undefined || trace.sessionId === sessionId)
      .reverse();
    const known = new Set(own.map(({ id }) => id));
    const stored = await this.#read(sessionId, limit);
    return [...own, ...stored.filter(({ id }) => !known.has(id))]
      .sort((one, other) => other.at - one.at)
      .slice(0, limit);
  }

  /** Resolves when everything that was added is written, or could not be. */
  idle(): Promise<void> {
    return this.#writing;
  }

  async #write(trace: RecallTrace): Promise<void> {
    try {
      await (await this.#state())?.addTrace(trace);
    } catch {
      // A full or locked store costs the explanation after a restart, nothing else.
    }
  }

  async #read(sessionId: string | undefined, limit: number): Promise<RecallTrace[]> {
    try {
      const state = await this.#state();
      return (await state?.traces({ ...(sessionId === undefined ? {} : { sessionId }), limit })) ?? [];
    } catch {
      return [];
    }
  }
}
