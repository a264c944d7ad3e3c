import { jaccard, shingles } from "./shingles.ts";

const MOST_TEXTS = 1_000;
/** How many of the newest are compared by wording; the others only as a whole. */
const COMPARED = 50;
const SAME = 0.85;

/** Texts that were captured lately, for joining the same said again. */
export class RecentTexts {
  readonly #texts = new Map<string, ReadonlySet<string> | undefined>();

  /** Whether the same, or nearly the same, came lately under this key; otherwise it is remembered. */
  meets(group: string, text: string, byWording: boolean): boolean {
    const key = `${group}\n${normalized(text)}`;
    if (this.#texts.has(key)) return true;
    const runs = byWording ? shingles(text) : undefined;
    if (runs !== undefined && runs.size > 1)
      for (const [other, known] of [...this.#texts].slice(-COMPARED))
        if (known !== undefined && other.startsWith(`${group}\n`) && jaccard(runs, known) >= SAME)
          return true;
    this.#texts.set(key, runs);
    const oldest = this.#texts.keys().next().value;
    if (this.#texts.size > MOST_TEXTS && oldest !== undefined) this.#texts.delete(oldest);
    return false;
  }
}

/** The form in which texts are compared as a whole. */
export function normalized(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}
