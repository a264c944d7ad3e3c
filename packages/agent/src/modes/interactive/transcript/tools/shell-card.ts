import type { HostChange } from "../../../../contract/interactive.ts";
import type { DrawContext, Extent } from "../document/block.ts";
import { Card } from "./card.ts";
import { type Fact, seconds } from "./headline.ts";
import { outputRows } from "./output-rows.ts";
import { countLines } from "./text-lines.ts";

const PREVIEW_LINES = 10;
const OPEN = { head: 300, tail: 200 };

type ShellChange = Extract<HostChange, { type: "shell" }>;

/** A command that the person ran, with its output. */
export class ShellCard extends Card {
  #change: ShellChange;
  readonly #startedAt: number | undefined;
  #ended: boolean;

  /** `startedAt` is absent for a command of a resumed session. */
  constructor(change: ShellChange, startedAt?: number) {
    super();
    this.#change = change;
    this.#startedAt = startedAt;
    this.#ended = change.exitCode !== undefined;
  }

  update(change: ShellChange): void {
    this.#change = change;
    this.#ended = change.exitCode !== undefined;
    this.touch();
  }

  override source(): string {
    return `$ ${this.#change.command}\n${this.#change.output}`;
  }

  override tick(now: number): number | undefined {
    if (this.#ended || this.#startedAt === undefined) return undefined;
    return Math.floor((now - this.#startedAt) / 1_000);
  }

  protected override first({ now }: DrawContext) {
    const { command, kept, exitCode, seconds: took } = this.#change;
    const facts: Fact[] = [];
    if (exitCode === null) facts.push({ text: "ended by a signal", role: "error" });
    else if (exitCode !== undefined)
      facts.push({ text: `exit ${exitCode}`, role: exitCode === 0 ? "muted" : "error" });
    if (took !== undefined) facts.push({ text: seconds(took * 1_000), role: "muted" });
    const elapsed = this.tick(now);
    if (elapsed !== undefined && elapsed >= 1) facts.push({ text: seconds(elapsed * 1_000), role: "muted" });
    if (!kept) facts.push({ text: "not told to the model", role: "muted" });
    const mark = !this.#ended
      ? ("running" as const)
      : exitCode === 0
        ? ("done" as const)
        : ("failed" as const);
    return { mark, name: kept ? "!" : "!!", argument: command, facts };
  }

  protected override body({ width, theme }: DrawContext, open: boolean): string[] {
    const { output } = this.#change;
    if (output === "") return [];
    const shown = open ? OPEN : { head: 0, tail: PREVIEW_LINES };
    return outputRows(output, shown, { width, theme, paint: theme.color.text });
  }

  protected override bodyExtent(open: boolean): Extent {
    const lines = countLines(this.#change.output);
    return { lines: open ? lines : Math.min(lines, PREVIEW_LINES + 1), characters: 0 };
  }
}
