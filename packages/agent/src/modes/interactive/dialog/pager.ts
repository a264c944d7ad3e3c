import {
  decodeKittyPrintable,
  getKeybindings,
  Input,
  matchesKey,
  sliceByColumn,
  stripTerminalSequences,
  type TuiMouseEvent,
  type TuiMouseEventResult,
  truncateToWidth,
  visibleWidth,
} from "@earendil-works/pi-tui";
import type { CommandBlock } from "../../../contract/command.ts";
import type { Theme } from "../theme/theme.ts";
import { keyRow, titleRow } from "./dialog-frame.ts";
import type { DialogEnvironment, DialogView } from "./dialog-view.ts";
import { ScrolledBlocks } from "./scrolled-blocks.ts";

/** Blocks to read: pages, Home and End, the wheel, and `/` to search. */
export class Pager implements DialogView {
  readonly #environment: DialogEnvironment;
  readonly #title: string;
  readonly #done: () => void;
  readonly #blocks: ScrolledBlocks;
  readonly #input = new Input({ prompt: "/" });
  #typing = false;
  #query = "";
  #current = -1;
  #width = 80;
  #hasFocus = false;

  constructor(
    environment: DialogEnvironment,
    title: string,
    blocks: readonly CommandBlock[],
    done: () => void,
  ) {
    this.#environment = environment;
    this.#title = title;
    this.#done = done;
    this.#blocks = new ScrolledBlocks(environment, blocks);
  }

  get focused(): boolean {
    return this.#hasFocus;
  }

  set focused(focused: boolean) {
    this.#hasFocus = focused;
    this.#input.focused = focused && this.#typing;
  }

  // the blocks notice a change of theme by themselves
  invalidate(): void {
    return;
  }

  handleInput(data: string): void {
    if (this.#typing) {
      this.#type(data);
      return;
    }
    const keys = getKeybindings();
    const key = decodeKittyPrintable(data) ?? data;
    const { window } = this.#blocks;
    if (keys.matches(data, "tui.select.cancel")) {
      // the marks go first, so that one looks at the plain text again
      if (this.#query !== "" && matchesKey(data, "escape")) this.#search("");
      else this.#done();
    } else if (key === "q") this.#done();
    else if (key === "/") this.#startTyping();
    else if (key === "n") this.#next(1);
    else if (key === "N") this.#next(-1);
    else if (key === " ") window.pageBy(1);
    else if (key === "j") window.scrollBy(1);
    else if (key === "k") window.scrollBy(-1);
    else if (key === "g") window.scrollTo(0);
    else if (key === "G") window.scrollTo(Number.MAX_SAFE_INTEGER);
    else window.handleKey(data);
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (event.type !== "wheel" || !event.wheelDelta) return undefined;
    this.#blocks.window.scrollBy(event.wheelDelta);
    return { handled: true };
  }

  render(width: number): readonly string[] {
    this.#width = width;
    const theme = this.#environment.themes.current;
    const body = this.#blocks.view(width, this.#environment.rows("all") - 2);
    const top = this.#blocks.window.top;
    const marked =
      this.#query === "" ? body : body.map((line, index) => this.#mark(line, top + index, theme));
    return [
      titleRow(this.#title, width, theme, this.#blocks.window.place),
      ...marked,
      this.#typing ? (this.#input.render(width)[0] ?? "") : this.#keys(width, theme),
    ];
  }

  #keys(width: number, theme: Theme): string {
    const found = this.#query === "" ? [] : this.#matches();
    const place =
      found.length === 0 ? "0 found" : `row ${found.indexOf(this.#current) + 1} of ${found.length}`;
    return keyRow(
      [
        ["Esc", this.#query === "" ? "closes" : "ends the search"],
        ...(this.#query === "" ? [] : ([["n/N", place]] as [string, string][])),
        ...(this.#blocks.window.overflows ? ([["PgUp/PgDn", "reads on"]] as [string, string][]) : []),
        ["/", "searches"],
      ],
      width,
      theme,
    );
  }

  #startTyping(): void {
    this.#typing = true;
    this.#input.setValue("");
    this.#input.focused = this.#hasFocus;
  }

  #type(data: string): void {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel") || keys.matches(data, "tui.select.confirm")) {
      if (keys.matches(data, "tui.select.cancel")) this.#search("");
      this.#typing = false;
      this.#input.focused = false;
      return;
    }
    this.#input.handleInput(data);
    this.#search(this.#input.getValue());
  }

  #search(query: string): void {
    this.#query = query;
    this.#current = -1;
    if (query !== "") this.#next(1);
  }

  /** Rows that have the query in them, whatever its case. */
  #matches(): number[] {
    const wanted = this.#query.toLowerCase();
    return this.#blocks
      .lines(this.#width)
      .flatMap((line, index) => (stripTerminalSequences(line).toLowerCase().includes(wanted) ? [index] : []));
  }

  #next(step: 1 | -1): void {
    const found = this.#matches();
    if (found.length === 0) return;
    const { window } = this.#blocks;
    if (this.#current < 0) this.#current = found.find((row) => row >= window.top) ?? found[0]!;
    else {
      const ahead =
        step === 1 ? found.find((row) => row > this.#current) : found.findLast((row) => row < this.#current);
      this.#current = ahead ?? (step === 1 ? found[0]! : found.at(-1)!);
    }
    window.reveal(this.#current);
  }

  #mark(line: string, row: number, theme: Theme): string {
    const text = stripTerminalSequences(line);
    const at = text.toLowerCase().indexOf(this.#query.toLowerCase());
    if (at < 0) return line;
    const from = visibleWidth(text.slice(0, at));
    const length = visibleWidth(text.slice(at, at + this.#query.length));
    const total = visibleWidth(text);
    const found = text.slice(at, at + this.#query.length);
    const paint = row === this.#current ? theme.inverse : theme.background.match;
    const after = sliceByColumn(line, from + length, Math.max(0, total - from - length), true);
    return truncateToWidth(
      `${sliceByColumn(line, 0, from, true)}\x1b[0m${paint(found)}${after}`,
      this.#width,
      "",
    );
  }
}
