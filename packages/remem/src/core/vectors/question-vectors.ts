import type { Clock } from "../ports/clock.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { Timers } from "../ports/scheduler.ts";
import { errorName, within } from "../within.ts";

export interface QuestionOptions {
  readonly clock: Clock;
  readonly scheduler: Timers;
  /** The longest a question waits for its vector. */
  readonly budgetMs: number;
}

/** An embedder that failed or was late is left alone for so long: one slow search tells, the next ones need not wait again. */
const REST_MS = 30_000;
/** The same question is asked for memories, for sessions and again after a change of the page. */
const REMEMBERED = 32;

/** Vectors of questions from one embedder, or none: a search never fails for want of a vector, and never waits longer than its budget. */
export class QuestionVectors {
  readonly embedder: Embedder;
  readonly #options: QuestionOptions;
  readonly #known = new Map<string, Float32Array>();
  #restUntil = Number.NEGATIVE_INFINITY;
  #trouble: string | undefined;

  constructor(embedder: Embedder, options: QuestionOptions) {
    this.embedder = embedder;
    this.#options = options;
  }

  /** The code or name of what went wrong last; undefined when the last answer was good. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Undefined when there is no answer in time. */
  async vectorOf(question: string, signal: AbortSignal | undefined): Promise<Float32Array | undefined> {
    const known = this.#known.get(question);
    if (known !== undefined) return known;
    const { clock, scheduler, budgetMs } = this.#options;
    if (this.embedder.immediate) return this.#immediate(question);
    if (clock.now() < this.#restUntil) return undefined;
    const asked = await within({ milliseconds: budgetMs, clock, scheduler, signal }, (ends) =>
      this.embedder.embed([question], "query", ends),
    );
    if (asked.outcome === "aborted") return undefined;
    if (asked.outcome === "ok" && this.#fits(asked.value[0])) return this.#keep(question, asked.value[0]);
    this.#restUntil = clock.now() + REST_MS;
    this.#trouble = asked.outcome === "ok" ? "bad_answer" : (asked.error ?? asked.outcome);
    return undefined;
  }

  #fits(vector: Float32Array | undefined): vector is Float32Array {
    return vector?.length === this.embedder.space.dimensions && vector.every(Number.isFinite);
  }

  /** No timer for what takes microseconds. */
  async #immediate(question: string): Promise<Float32Array | undefined> {
    try {
      const [vector] = await this.embedder.embed([question], "query");
      const fits = this.#fits(vector);
      this.#trouble = fits ? undefined : "bad_answer";
      return fits ? vector : undefined;
    } catch (error) {
      this.#trouble = errorName(error);
      return undefined;
    }
  }

  #keep(question: string, vector: Float32Array): Float32Array {
    this.#trouble = undefined;
    if (this.#known.size >= REMEMBERED) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(question, vector);
    return vector;
  }
}
