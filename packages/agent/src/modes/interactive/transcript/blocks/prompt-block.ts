import { visibleWidth } from "@earendil-works/pi-tui";
import { formatCount } from "../../../../platform/format-count.ts";
import { safeText } from "../../../shared/safe-text.ts";
import { Block, type DrawContext, type Extent } from "../document/block.ts";
import { clip, expandTabs, gutter, wrap } from "../document/row.ts";
import { extentOf } from "../markdown/markdown-block.ts";
import { countLines, headLines, tailLines } from "../tools/text-lines.ts";

/** How a message of a person came into the conversation. */
export type PromptRole = "prompt" | "steer" | "follow_up";

const labels: Readonly<Record<PromptRole, string | undefined>> = {
  prompt: undefined,
  steer: "while it worked",
  follow_up: "after the answer",
};

/** Longer prompts (pastes) show their beginning and end; a click on the note between opens them. */
const FOLDED = { head: 20, tail: 4 };
const OPEN = { head: 1_500, tail: 500 };
const MAX_LINE = 4_000;
/** A prompt's mark, for keys that jump between prompts (OSC 133). */
const PROMPT_START = "\x1b]133;A\x07";

/** A message of the person, on a background of its own. */
export class PromptBlock extends Block {
  readonly #text: string;
  readonly #role: PromptRole;
  readonly #lines: number;
  #open = false;

  constructor(text: string, role: PromptRole) {
    super();
    this.#text = text;
    this.#role = role;
    this.#lines = countLines(text);
  }

  override source(): string {
    return this.#text;
  }

  override clickable(row: number): boolean {
    return this.#folds && row === 0;
  }

  override click(): void {
    this.#open = !this.#open;
    this.touch();
  }

  override reveal(): void {
    if (!this.#folds || this.#open) return;
    this.#open = true;
    this.touch();
  }

  protected override draw({ width, theme }: DrawContext): string[] {
    const cells = gutter(width);
    const room = Math.max(1, width - cells);
    const rows: string[] = [];
    const put = (text: string, mark: string) => {
      const padding = " ".repeat(Math.max(0, width - cells - visibleWidth(text)));
      rows.push(theme.background.prompt(`${mark}${text}${padding}`));
    };
    const lead = cells === 0 ? "" : theme.bold(theme.color.accent("> "));
    const label = labels[this.#role];
    if (label !== undefined) put(theme.color.muted(clip(label, room)), lead);
    for (const line of this.#shownLines())
      for (const row of typeof line === "string"
        ? wrap(theme.color.text(prepare(line)), room)
        : [note(line, room)])
        put(row, rows.length === 0 ? lead : " ".repeat(cells));
    if (rows.length > 0) rows[0] = PROMPT_START + rows[0];
    return rows;

    function note(hidden: { hidden: number }, cells: number): string {
      const text = `… ${formatCount(hidden.hidden)} more lines (click the first line to show them)`;
      return theme.color.muted(clip(text, cells));
    }
  }

  protected override extent(): Extent {
    const { lines, characters } = extentOf(this.#text);
    const most = this.#open ? OPEN : FOLDED;
    return { lines: Math.min(lines, most.head + most.tail + 1), characters: Math.min(characters, 10_000) };
  }

  get #folds(): boolean {
    return this.#lines > FOLDED.head + FOLDED.tail + 1;
  }

  *#shownLines(): Iterable<string | { hidden: number }> {
    const { head, tail } = this.#open || !this.#folds ? OPEN : FOLDED;
    const hidden = this.#lines - head - tail;
    if (hidden <= 0) return yield* headLines(this.#text, this.#lines);
    yield* headLines(this.#text, head);
    yield { hidden };
    yield* tailLines(this.#text, tail);
    return undefined;
  }
}

function prepare(line: string): string {
  const kept = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
  return expandTabs(safeText(kept.replace(/\r$/, "")));
}
