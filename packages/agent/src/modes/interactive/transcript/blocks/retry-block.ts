import { safeLine } from "../../../shared/safe-text.ts";
import { Block, type DrawContext, type Extent } from "../document/block.ts";
import { clip } from "../document/row.ts";

/** A request that failed and is sent again: one line that counts down, until the next attempt replaces it or the answer begins. */
export class RetryBlock extends Block {
  readonly #attempt: number;
  readonly #until: number;
  readonly #reason: string;

  /** `until`: milliseconds since 1970. */
  constructor(attempt: number, until: number, reason: string) {
    super();
    this.#attempt = attempt;
    this.#until = until;
    this.#reason = reason;
  }

  override source(): string {
    return this.#reason;
  }

  override tick(now: number): number | undefined {
    const left = Math.ceil((this.#until - now) / 1_000);
    return left > 0 ? left : undefined;
  }

  protected override draw({ width, theme, now }: DrawContext): string[] {
    const left = this.tick(now);
    const when = left === undefined ? "now" : `in ${left}s`;
    const text = `! ${safeLine(this.#reason)}`;
    const tail = ` (attempt ${this.#attempt + 1} ${when})`;
    return [theme.color.warning(clip(`${clip(text, Math.max(12, width - tail.length))}${tail}`, width))];
  }

  protected override extent(): Extent {
    return { lines: 1, characters: 0 };
  }
}
