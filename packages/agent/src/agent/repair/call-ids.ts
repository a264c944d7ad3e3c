/** Ids and names of calls in the form a provider takes, unique over the whole conversation and the same every time. */
import type { HistoryRules } from "../../contract/model.ts";

/** Lengths tried for an id that does not fit: most services take 40, Mistral exactly 9. */
const ID_LENGTHS = [40, 9, 24, 16, 64];

/** Gives out call ids for one history. The same calls in the same order always get the same ids. */
export class CallIds {
  readonly #rules: HistoryRules;
  readonly #used = new Set<string>();

  constructor(rules: HistoryRules) {
    this.#rules = rules;
  }

  /** The id itself where it fits and is new, else one made from it. */
  claim(id: string): string {
    const claimed = this.#free(id) ? id : this.#make(id);
    this.#used.add(claimed);
    return claimed;
  }

  #free(id: string): boolean {
    return !this.#used.has(id) && matches(this.#rules.callId, id);
  }

  #make(id: string): string {
    const cut = id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 40);
    if (cut !== "" && this.#free(cut)) return cut;
    for (let n = 1; ; n++) {
      const digest = hash(`${n}:${id}`);
      for (const length of ID_LENGTHS) {
        const candidate = digest.repeat(8).slice(0, length);
        if (this.#free(candidate)) return candidate;
      }
      // A rule that refuses all of these cannot be met; unique is the best that is left.
      if (n > 64 && !this.#used.has(digest + n)) return digest + n;
    }
  }
}

/** A tool's name in the provider's form. */
export function fittingToolName(name: string, rules: HistoryRules): string {
  if (matches(rules.toolName, name)) return name;
  const cut = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
  return matches(rules.toolName, cut) ? cut : "unknown_tool";
}

function matches(rule: RegExp, text: string): boolean {
  rule.lastIndex = 0;
  return rule.test(text);
}

/** Nine characters of `[a-z0-9]` from two 32-bit FNV-1a sums. */
function hash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
  }
  return ((a >>> 0).toString(36) + (b >>> 0).toString(36)).padEnd(9, "0").slice(0, 9);
}
