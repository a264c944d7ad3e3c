import {
  decodeKittyPrintable,
  getKeybindings,
  type TuiMouseEvent,
  type TuiMouseEventResult,
} from "@earendil-works/pi-tui";
import type { ConfirmQuestion } from "../../../contract/slash-command.ts";
import { keyRow, titleRow } from "./dialog-frame.ts";
import type { DialogEnvironment, DialogView } from "./dialog-view.ts";
import { ScrolledBlocks } from "./scrolled-blocks.ts";

/** A question with two answers, and what it is about above them. Enter or y is yes; Esc, Ctrl+C or n is no. */
export class ConfirmDialog implements DialogView {
  focused = false;
  readonly #environment: DialogEnvironment;
  readonly #question: ConfirmQuestion;
  readonly #done: (answer: boolean) => void;
  readonly #detail: ScrolledBlocks;

  constructor(environment: DialogEnvironment, question: ConfirmQuestion, done: (answer: boolean) => void) {
    this.#environment = environment;
    this.#question = question;
    this.#done = done;
    this.#detail = new ScrolledBlocks(environment, question.detail ?? []);
  }

  // the blocks notice a change of theme by themselves
  invalidate(): void {
    return;
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    const letter = (decodeKittyPrintable(data) ?? data).toLowerCase();
    if (keys.matches(data, "tui.select.cancel") || letter === "n") this.#done(false);
    else if (keys.matches(data, "tui.select.confirm") || letter === "y") this.#done(true);
    else this.#detail.window.handleKey(data);
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (event.type !== "wheel" || !event.wheelDelta) return undefined;
    this.#detail.window.scrollBy(event.wheelDelta);
    return { handled: true };
  }

  render(width: number): readonly string[] {
    const theme = this.#environment.themes.current;
    const detail = this.#detail.view(width, this.#environment.rows("some") - 2);
    const { overflows, place } = this.#detail.window;
    const keys: [string, string][] = [
      ["Enter", this.#question.yes ?? "Yes"],
      ["Esc", this.#question.no ?? "No"],
      ...(overflows ? [["PgUp/PgDn", "reads on"] as [string, string]] : []),
    ];
    return [titleRow(this.#question.title, width, theme, place), ...detail, keyRow(keys, width, theme)];
  }
}
