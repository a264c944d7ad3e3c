import {
  fuzzyFilter,
  getKeybindings,
  Input,
  matchesKey,
  type TuiMouseEvent,
  type TuiMouseEventResult,
} from "@earendil-works/pi-tui";
import type { ChoiceQuestion } from "../../../contract/slash-command.ts";
import { safeLine } from "../../shared/safe-text.ts";
import { type ChoiceRow, choiceRow, labelWidth } from "./choice-rows.ts";
import { wrapText } from "./command-blocks.ts";
import { keyRow, titleRow } from "./dialog-frame.ts";
import type { DialogEnvironment, DialogView } from "./dialog-view.ts";
import { ScrollWindow } from "./scroll-window.ts";

/** From this many choices on, typing filters by default. */
const FILTER_FROM = 8;
/** The keys are only told where rows are not scarce. */
const KEYS_FROM_ROWS = 6;

interface Entry<T> extends ChoiceRow {
  readonly value: T;
}

/** Picks one of a list: arrows, pages, Home and End, the wheel, or typing to filter. */
export class ChoiceDialog<T> implements DialogView {
  readonly #environment: DialogEnvironment;
  readonly #question: ChoiceQuestion<T>;
  readonly #done: (answer: { value: T } | null) => void;
  readonly #entries: readonly Entry<T>[];
  readonly #filter: Input | undefined;
  readonly #list = new ScrollWindow();
  readonly #detail = new ScrollWindow();
  #shown: readonly Entry<T>[];
  #marked: number;
  /** Rows of the last frame, for the mouse. */
  #regions = { detail: { from: 0, to: 0 }, list: { from: 0, to: 0 } };

  constructor(
    environment: DialogEnvironment,
    question: ChoiceQuestion<T>,
    done: (answer: { value: T } | null) => void,
  ) {
    this.#environment = environment;
    this.#question = question;
    this.#done = done;
    this.#entries = question.choices.map((choice) => ({
      value: choice.value,
      label: safeLine(choice.label),
      description: safeLine(choice.description ?? ""),
    }));
    this.#shown = this.#entries;
    this.#marked = Math.max(0, Math.min(this.#entries.length - 1, question.initial ?? 0));
    if (question.filter ?? this.#entries.length >= FILTER_FROM)
      this.#filter = new Input({ prompt: "", placeholder: "type to filter" });
  }

  get ignoresText(): boolean {
    return this.#filter === undefined;
  }

  get focused(): boolean {
    return this.#filter?.focused ?? false;
  }

  set focused(focused: boolean) {
    if (this.#filter) this.#filter.focused = focused;
  }

  // nothing is kept between frames
  invalidate(): void {
    return;
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const pasted = data.includes("\x1b[200~");
    const page = Math.max(1, this.#regions.list.to - this.#regions.list.from);
    const scrollsDetail = this.#detail.overflows && !this.#list.overflows;
    if (pasted) this.#type(data);
    else if (keys.matches(data, "tui.select.cancel")) this.#done(null);
    else if (keys.matches(data, "tui.select.confirm")) this.#choose();
    else if (keys.matches(data, "tui.select.up")) this.#mark(this.#marked - 1, true);
    else if (keys.matches(data, "tui.select.down")) this.#mark(this.#marked + 1, true);
    else if (matchesKey(data, "shift+up")) this.#detail.scrollBy(-1);
    else if (matchesKey(data, "shift+down")) this.#detail.scrollBy(1);
    else if (scrollsDetail && this.#detail.handleKey(data)) return;
    else if (keys.matches(data, "tui.select.pageUp")) this.#mark(this.#marked - page, false);
    else if (keys.matches(data, "tui.select.pageDown")) this.#mark(this.#marked + page, false);
    else if (matchesKey(data, "home")) this.#mark(0, false);
    else if (matchesKey(data, "end")) this.#mark(this.#shown.length - 1, false);
    else this.#type(data);
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    const { detail, list } = this.#regions;
    if (event.type === "wheel" && event.wheelDelta) {
      if (event.y >= detail.from && event.y < detail.to) this.#detail.scrollBy(event.wheelDelta);
      else this.#mark(this.#marked + Math.sign(event.wheelDelta), false);
      return { handled: true };
    }
    if (event.button !== "left" || event.y < list.from || event.y >= list.to) return undefined;
    if (event.type === "press") this.#mark(this.#list.top + event.y - list.from, false);
    else if (event.type === "click" && (event.clickCount ?? 1) >= 2) this.#choose();
    else if (event.type !== "click") return undefined;
    return { handled: true };
  }

  render(width: number): readonly string[] {
    const theme = this.#environment.themes.current;
    const rows = this.#environment.rows("some");
    const detail = this.#question.detail === undefined ? [] : wrapText(this.#question.detail, width);
    const withKeys = rows >= KEYS_FROM_ROWS;
    const room = Math.max(1, rows - 1 - (this.#filter ? 1 : 0) - (withKeys ? 1 : 0));
    const wanted = Math.max(1, this.#shown.length);
    const forDetail = Math.min(detail.length, Math.max(room - wanted, Math.floor(room / 2)));
    const forList = Math.max(1, Math.min(wanted, room - forDetail));
    this.#detail.resize(detail.length, forDetail);
    this.#list.resize(this.#shown.length, forList);
    this.#list.reveal(this.#marked);

    const lines = [titleRow(this.#question.title, width, theme, this.#place())];
    this.#regions.detail = { from: lines.length, to: lines.length + forDetail };
    lines.push(...detail.slice(this.#detail.top, this.#detail.top + forDetail));
    if (this.#filter) lines.push(this.#filter.render(width)[0] ?? "");
    this.#regions.list = { from: lines.length, to: lines.length + forList };
    if (this.#shown.length === 0)
      lines.push(theme.color.muted("nothing fits what you typed".slice(0, width)));
    const labels = labelWidth(this.#shown, width);
    for (const [index, entry] of this.#shown.slice(this.#list.top, this.#list.top + forList).entries())
      lines.push(choiceRow(entry, this.#list.top + index === this.#marked, width, labels, theme));
    if (withKeys) lines.push(keyRow(this.#keys(), width, theme));
    return lines;
  }

  #keys(): [string, string][] {
    return [
      ["Enter", "chooses"],
      ["Esc", "closes"],
      ...(this.#detail.overflows
        ? [[this.#list.overflows ? "Shift+↑↓" : "PgUp/PgDn", "reads on"] as [string, string]]
        : []),
    ];
  }

  #place(): string {
    return this.#list.overflows ? `${this.#marked + 1}/${this.#shown.length}` : this.#detail.place;
  }

  #mark(index: number, wraps: boolean): void {
    const last = this.#shown.length - 1;
    if (last < 0) return;
    if (wraps && index < 0) this.#marked = last;
    else if (wraps && index > last) this.#marked = 0;
    else this.#marked = Math.max(0, Math.min(last, index));
  }

  #choose(): void {
    const entry = this.#shown[this.#marked];
    if (entry) this.#done({ value: entry.value });
  }

  #type(data: string): void {
    const filter = this.#filter;
    if (!filter) return;
    const before = filter.getValue();
    filter.handleInput(data);
    const query = filter.getValue();
    if (query === before) return;
    this.#shown = filtered(this.#entries, query);
    this.#marked = 0;
  }
}

/** Entries that have every word in them, labels first; where there is none, those that have the letters in their order. */
function filtered<T>(entries: readonly Entry<T>[], query: string): readonly Entry<T>[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return entries;
  const having = (text: (entry: Entry<T>) => string) =>
    entries.filter((entry) => words.every((word) => text(entry).toLowerCase().includes(word)));
  const labels = having((entry) => entry.label);
  const found = new Set([...labels, ...having((entry) => `${entry.label} ${entry.description}`)]);
  return found.size > 0 ? [...found] : fuzzyFilter([...entries], query, (entry) => entry.label);
}
