/** Stops a model that goes round in circles, and nothing else. */

import { canonicalJson } from "./canonical.ts";
import type { FinishedCall } from "./tool-batch.ts";

const WARN_AT = 3;
const STOP_AT = 10;
/** Rounds of up to this many different turns count as a circle. */
const LONGEST_CYCLE = 3;

export interface Verdict {
  /** For the model, added to its last result. */
  warning?: string;
  /** For people: the run ends here. */
  stop?: string;
}

interface Turn {
  calls: string;
  results: string[];
}

/**
 * Compares whole turns: the same calls with the same results, one after the other or in a round of two or three. A result that
 * changed, or any other call between, starts the count anew, so polling and paging never trip it. Turns in which every
 * call was refused, or failed in the same words, count too, however the arguments vary.
 */
export class LoopGuard {
  #turns: Turn[] = [];
  #fruitless = 0;
  #lastFailure: string | undefined;

  /** Looks at a finished turn. */
  review(finished: readonly FinishedCall[]): Verdict {
    this.#turns.push(turnOf(finished));
    if (this.#turns.length > STOP_AT * LONGEST_CYCLE) this.#turns.shift();
    const rounds = this.#rounds();
    const failures = this.#failures(finished);
    const count = Math.max(rounds, failures);
    if (count < WARN_AT) return {};
    const what =
      rounds >= failures
        ? `The same call with the same result came ${rounds} times in a row`
        : `${failures} turns in a row had nothing but failed calls`;
    if (count >= STOP_AT) return { stop: `${what}; the run was stopped.` };
    return {
      warning: `[Warning: ${lowerFirst(what)}. Repeating it will not help: try something else, or say what is in the way. After ${STOP_AT} the run is stopped.]`,
    };
  }

  /** How often the newest round of one to three turns came, without a break. */
  #rounds(): number {
    let most = 0;
    for (let length = 1; length <= LONGEST_CYCLE; length++) most = Math.max(most, this.#roundsOf(length));
    return most;
  }

  #roundsOf(length: number): number {
    const end = this.#turns.length;
    let same = 0;
    for (let i = end - 1; i >= length; i--) {
      if (!equal(this.#turns[i]!, this.#turns[i - length]!)) break;
      same++;
    }
    return Math.floor(same / length) + 1;
  }

  /** Turns in a row in which nothing ran, or all failed with the very words of the turn before. */
  #failures(finished: readonly FinishedCall[]): number {
    const refused = finished.every(({ ran, outcome }) => !ran && outcome.isError);
    const failed = finished.every(({ outcome }) => outcome.isError);
    const words = failed
      ? finished.map(({ call, outcome }) => `${call.name}\n${outcome.text}`).join("\n")
      : undefined;
    const again = refused || (words !== undefined && words === this.#lastFailure);
    this.#fruitless = again ? this.#fruitless + 1 : failed ? 1 : 0;
    this.#lastFailure = words;
    return this.#fruitless;
  }
}

function turnOf(finished: readonly FinishedCall[]): Turn {
  const sorted = finished
    .map(({ call, outcome }) => ({
      call: `${call.name} ${call.problem ? call.problem.raw : canonicalJson(call.arguments)}`,
      result: [outcome.text, ...(outcome.images ?? []).map((image) => image.data)].join("\n"),
    }))
    .sort((a, b) => (a.call < b.call ? -1 : a.call > b.call ? 1 : 0));
  return { calls: sorted.map(({ call }) => call).join("\n"), results: sorted.map(({ result }) => result) };
}

function equal(a: Turn, b: Turn): boolean {
  return (
    a.calls === b.calls &&
    a.results.length === b.results.length &&
    a.results.every((text, i) => text === b.results[i])
  );
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
