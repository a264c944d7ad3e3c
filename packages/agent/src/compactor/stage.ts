import type { CompactorLimits } from "./limits.ts";

/** What kind of output a text is; undefined where nothing is sure. */
export type OutputKind =
  | "test"
  | "build"
  | "lint"
  | "package"
  | "diff"
  | "log"
  | "status"
  | "search"
  | "listing"
  | "matches";

/** Something that was left out: `1,204 passing tests`. */
export interface LeftOut {
  count: number;
  one: string;
  many: string;
}

export interface StageResult {
  lines: string[];
  /** Absent when nothing was lost. */
  leftOut?: LeftOut[];
}

export interface StageContext {
  limits: CompactorLimits;
  kinds: ReadonlySet<OutputKind>;
  /** Whether a line must not be left out: it tells of an error. */
  mustStay(line: string): boolean;
}

/** One way to shorten output, by lines. */
export interface Stage {
  readonly name: string;
  /** Whether all that it removes can be read from what it leaves. */
  readonly lossless: boolean;
  /** Undefined when there is nothing for it to do. */
  run(lines: readonly string[], context: StageContext): StageResult | undefined;
}

/** Counts what is left out, and refuses to leave out lines that tell of an error. */
export class Pruner {
  readonly lines: string[] = [];
  readonly #counts = new Map<string, LeftOut>();
  readonly #mustStay: (line: string) => boolean;

  constructor(mustStay: (line: string) => boolean) {
    this.#mustStay = mustStay;
  }

  keep(line: string): void {
    this.lines.push(line);
  }

  /** Leaves a line out; one that must stay is kept. */
  drop(line: string, one: string, many = `${one}s`): void {
    if (this.#mustStay(line)) this.lines.push(line);
    else this.count(1, one, many);
  }

  count(count: number, one: string, many = `${one}s`): void {
    const known = this.#counts.get(one);
    if (known) known.count += count;
    else this.#counts.set(one, { count, one, many });
  }

  /** Undefined when nothing was left out. */
  result(): StageResult | undefined {
    if (this.#counts.size === 0) return undefined;
    return { lines: this.lines, leftOut: [...this.#counts.values()] };
  }
}
