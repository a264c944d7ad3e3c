import type { MemoryRecord } from "../memory/record.ts";
import { shingles } from "./shingles.ts";
import { sentences, withoutFrames } from "./statements/spoken-text.ts";

/** Runs of words of shown memories that are remembered; about as many as a long session is shown. */
const MOST_SHINGLES = 50_000;
/** A sentence with this share of its wording from shown memories is theirs. */
const ECHO_SHARE = 0.6;

/**
 * Knows the wording of every memory that was put before a model, so that it is not learned again when the model, a tool or a
 * subagent repeats it.
 */
export class RecalledEcho {
  readonly #shown = new Map<string, true>();

  /** Remembers what was shown. */
  shown(records: readonly MemoryRecord[]): void {
    for (const record of records)
      for (const part of [record.title, record.text, record.attachment])
        for (const sentence of [part, ...sentences(part)])
          for (const run of shingles(sentence)) this.#add(run);
  }

  /** Whether most of a text's wording comes from shown memories. */
  repeats(text: string): boolean {
    const runs = shingles(text);
    if (runs.size === 0 || this.#shown.size === 0) return false;
    let known = 0;
    for (const run of runs) if (this.#shown.has(run)) known++;
    return known / runs.size >= ECHO_SHARE;
  }

  /** The text without frames and without the sentences that repeat shown memories. */
  strip(text: string): string {
    const bare = withoutFrames(text);
    if (this.#shown.size === 0) return bare;
    const lines = bare.split("\n").map((line) => {
      const parts = sentences(line);
      if (parts.length === 0) return line;
      const own = parts.filter((sentence) => !this.repeats(sentence));
      return own.length === parts.length ? line : own.join(" ");
    });
    return lines
      .join("\n")
      .replace(/[ \t]+$/gmu, "")
      .replace(/\n{3,}/gu, "\n\n");
  }

  #add(run: string): void {
    this.#shown.delete(run);
    this.#shown.set(run, true);
    if (this.#shown.size <= MOST_SHINGLES) return;
    const oldest = this.#shown.keys().next().value;
    if (oldest !== undefined) this.#shown.delete(oldest);
  }
}
