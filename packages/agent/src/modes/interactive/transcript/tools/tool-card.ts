import type { JsonObject } from "../../../../contract/json.ts";
import { safeLine } from "../../../shared/safe-text.ts";
import type { DiffLine } from "../diff/diff-line.ts";
import { diffRows } from "../diff/diff-rows.ts";
import type { DrawContext, Extent } from "../document/block.ts";
import type { CustomDraw } from "../document/custom-renderers.ts";
import { wrap } from "../document/row.ts";
import { Card, type CardMark, MAX_ROWS, PREVIEW_ROWS } from "./card.ts";
import { changesOf } from "./edit-diff.ts";
import { headline, seconds } from "./headline.ts";
import { outputRows } from "./output-rows.ts";
import { countLines, headLines } from "./text-lines.ts";
import { shortJson, type ToolEnd, type ToolRun, textOf } from "./tool-run.ts";

const PREVIEW_LINES = 5;
const ERROR_LINES = 4;
const OPEN = { head: 300, tail: 200 };
/** Of live output so much is kept: only its end is ever shown. */
const LIVE_CHARACTERS = 64 * 1024;

/** A tool call and what came of it. */
export class ToolCard extends Card {
  readonly #run: ToolRun;
  /** Of the result, once it is there. */
  #changes: { of: ToolEnd | undefined; lines: DiffLine[] | undefined } | undefined;
  #contentLines = 0;

  constructor(run: ToolRun) {
    super();
    this.#run = run;
    if (run.result) this.#contentLines = countLines(run.result.content);
  }

  progress(delta: string): void {
    const live = this.#run.live + delta;
    this.#run.live = live.length > 2 * LIVE_CHARACTERS ? live.slice(-LIVE_CHARACTERS) : live;
    this.touch();
  }

  end(result: ToolEnd): void {
    this.#run.result = result;
    this.#run.live = "";
    this.#contentLines = countLines(result.content);
    this.touch();
  }

  get running(): boolean {
    return this.#run.result === undefined && this.#run.startedAt !== undefined;
  }

  override source(): string {
    const { name, input, result, live } = this.#run;
    return `${name} ${Object.values(input).map(shortJson).join("\n")}\n${result?.content ?? live}`;
  }

  override tick(now: number): number | undefined {
    return this.running ? Math.floor((now - this.#run.startedAt!) / 1_000) : undefined;
  }

  protected override first({ now, cwd }: DrawContext) {
    const { name, startedAt } = this.#run;
    const { argument, facts } = headline(this.#run, this.#diff(), cwd);
    const elapsed = this.running ? now - startedAt! : 0;
    if (elapsed >= 1_000) facts.push({ text: seconds(Math.floor(elapsed / 1_000) * 1_000), role: "muted" });
    return { mark: this.#mark(), name, argument, facts };
  }

  protected override head(context: DrawContext, open: boolean): string[] | undefined {
    return context.custom?.toolCall(this.#run, this.#customDraw(context, open));
  }

  protected override body(context: DrawContext, open: boolean): string[] {
    const { name, result, live } = this.#run;
    const custom = context.custom?.toolResult(this.#run, this.#customDraw(context, open));
    if (custom) return custom;
    const { width, theme } = context;
    const output = (text: string, shown: { head: number; tail: number }, error = false) =>
      outputRows(text, shown, { width, theme, paint: error ? theme.color.error : theme.color.muted });
    if (!open) {
      if (result?.isError && name !== "bash")
        return output(result.content, { head: ERROR_LINES, tail: 0 }, true);
      const changes = this.#diff();
      if (changes && name === "edit") return diffRows(changes.slice(0, 40), width, theme);
      const text = result ? (name === "bash" ? result.content : "") : live;
      return text === "" ? [] : output(text, { head: 0, tail: PREVIEW_LINES });
    }
    const changes = this.#diff();
    const rows = changes
      ? diffRows(changes.slice(0, OPEN.head + OPEN.tail), width, theme)
      : this.#input(context);
    // Below a diff the result's first line says the rest.
    if (result && changes) rows.push(...output(headLines(result.content, 1).join(""), OPEN));
    else if (result) rows.push(...output(result.content, OPEN, result.isError));
    else if (live !== "") rows.push(...output(live, { head: 0, tail: OPEN.tail }));
    return rows;
  }

  protected override bodyExtent(open: boolean): Extent {
    const { name, result } = this.#run;
    if (!open && !(name === "bash" || name === "edit" || result?.isError)) return { lines: 0, characters: 0 };
    const lines = open ? this.#contentLines + 1 : Math.min(this.#contentLines, PREVIEW_LINES);
    return { lines, characters: open ? (result?.content.length ?? 0) : 0 };
  }

  #customDraw(context: DrawContext, open: boolean): CustomDraw {
    const { width, images, cwd, requestFrame } = context;
    const changed = () => {
      this.touch();
      requestFrame();
    };
    return { width, open, rows: open ? MAX_ROWS : PREVIEW_ROWS, images, cwd, changed };
  }

  #diff(): DiffLine[] | undefined {
    const { result } = this.#run;
    if (!this.#changes || this.#changes.of !== result)
      this.#changes = { of: result, lines: changesOf(this.#run) };
    return this.#changes.lines;
  }

  #mark(): CardMark {
    const { name, result } = this.#run;
    if (!result) return "running";
    if (result.isError) return "failed";
    if (
      name === "bash" &&
      typeof result.details["exit_code"] === "number" &&
      result.details["exit_code"] !== 0
    )
      return "failed";
    return result.details["outcome"] === "not_looked" ? "nothing" : "done";
  }

  /** What was asked, where the first row does not hold all of it. */
  #input({ width, theme }: DrawContext): string[] {
    const { name, input } = this.#run;
    if (name === "bash") {
      const command = textOf(input, "command", "cmd", "script") ?? "";
      if (!command.includes("\n") && command.length < width / 2) return [];
      return outputRows(command, OPEN, { width, theme, paint: theme.color.text });
    }
    if (isKnown(name, input)) return [];
    return Object.entries(input).flatMap(([key, value]) => {
      const text = shortJson(value);
      if (!text.includes("\n") && text.length < width)
        return wrap(`${theme.color.muted(`${safeLine(key)}:`)} ${theme.color.text(safeLine(text))}`, width);
      const rows = outputRows(text, OPEN, { width, theme, paint: theme.color.text });
      return [...wrap(theme.color.muted(`${safeLine(key)}:`), width), ...rows];
    });
  }
}

const KNOWN = new Set(["read", "grep", "find", "ls", "tree"]);

/** The first row says all of these. */
function isKnown(name: string, input: JsonObject): boolean {
  return KNOWN.has(name) && Object.values(input).every((value) => shortJson(value).length < 60);
}
