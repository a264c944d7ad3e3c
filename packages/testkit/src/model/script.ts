import type { Block } from "./blocks.ts";
import type { RecordedRequest } from "./recorded-request.ts";

/** A regular expression on the raw body text, or a predicate. */
export type Match = RegExp | ((request: RecordedRequest) => boolean);

/** A rule that is waiting for its answer. */
export interface Rule {
  /** The rule answers one request only. */
  once(): Rule;
  /** The answer; called again, the answers follow one another and the last one repeats. */
  reply(...blocks: Block[]): Rule;
}

class ScriptedRule implements Rule {
  readonly match: Match;
  readonly answers: Block[][] = [];
  single = false;
  used = 0;

  constructor(match: Match) {
    this.match = match;
  }

  once(): Rule {
    this.single = true;
    return this;
  }

  reply(...blocks: Block[]): Rule {
    this.answers.push(blocks);
    return this;
  }

  matches(request: RecordedRequest): boolean {
    if (this.single && this.used > 0) return false;
    if (typeof this.match === "function") return this.match(request);
    this.match.lastIndex = 0;
    return this.match.test(request.text);
  }
}

/** Decides what each request is answered with: rules in their order, then the queue, then the fallback. */
export class Script {
  readonly #rules: ScriptedRule[] = [];
  readonly #queue: Block[][] = [];
  #fallback: ((request: RecordedRequest) => Block[]) | undefined;

  enqueue(blocks: Block[]): void {
    this.#queue.push(blocks);
  }

  when(match: Match): Rule {
    const rule = new ScriptedRule(match);
    this.#rules.push(rule);
    return rule;
  }

  otherwise(answer: (request: RecordedRequest) => Block[]): void {
    this.#fallback = answer;
  }

  /** The answer for a request; undefined when nothing was scripted for it. */
  answer(request: RecordedRequest): Block[] | undefined {
    const rule = this.#rules.find((candidate) => candidate.matches(request));
    if (rule) {
      const blocks = rule.answers[Math.min(rule.used, rule.answers.length - 1)];
      rule.used++;
      return blocks ?? [];
    }
    return this.#queue.shift() ?? this.#fallback?.(request);
  }

  /** What was scripted and never asked for. */
  leftovers(): string[] {
    const unused = this.#rules
      .filter((rule) => rule.used === 0)
      .map((rule) => `the rule ${String(rule.match)} never matched a request`);
    return [
      ...unused,
      ...this.#queue.map((blocks) => `a scripted reply was never asked for: ${JSON.stringify(blocks)}`),
    ];
  }
}
