import {
  type Component,
  decodeKittyPrintable,
  getKeybindings,
  type TuiMouseEvent,
  type TuiMouseEventResult,
  truncateToWidth,
} from "@earendil-works/pi-tui";
import type { DialogView } from "./dialog-view.ts";

export interface OpenDialogOptions {
  readonly now: () => number;
  /**
   * Keys within this time after opening are dropped, those that dismiss excepted, and longer while text is typed; in milliseconds.
   * 0: the person asked for the dialog.
   */
  readonly guardMs: number;
  readonly requestRender: () => void;
}

/** How long Enter answers nothing behind text that was meant for the editor: it would have sent that text. */
const STRAY_TEXT_MS = 1_000;

/** A dialog that has the keys, those of the viewport included. Rows that are too wide are cut. */
export class OpenDialog implements Component {
  readonly capturesViewportInput = true;
  readonly #view: DialogView;
  readonly #options: OpenDialogOptions;
  #quietUntil: number;

  constructor(view: DialogView, options: OpenDialogOptions) {
    this.#view = view;
    this.#options = options;
    this.#quietUntil = options.now() + options.guardMs;
  }

  get focused(): boolean {
    return this.#view.focused;
  }

  set focused(focused: boolean) {
    this.#view.focused = focused;
  }

  invalidate(): void {
    this.#view.invalidate();
  }

  handleInput(data: string): void {
    if (!getKeybindings().matches(data, "tui.select.cancel") && this.#meantForEditor(data)) return;
    this.#view.handleInput(data);
    this.#options.requestRender();
  }

  #meantForEditor(data: string): boolean {
    const { guardMs, now } = this.#options;
    if (guardMs === 0) return false;
    const isText = isTyped(data);
    if (now() < this.#quietUntil) {
      if (isText) this.#quietUntil = Math.max(this.#quietUntil, now() + guardMs);
      return true;
    }
    if (!isText || this.#view.ignoresText !== true) return false;
    this.#quietUntil = now() + STRAY_TEXT_MS;
    return true;
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    return this.#view.handleMouse?.(event);
  }

  render(width: number): readonly string[] {
    return this.#view.render(width).map((line) => truncateToWidth(line, width, ""));
  }
}

const SELECT_KEYS = [
  "tui.select.up",
  "tui.select.down",
  "tui.select.pageUp",
  "tui.select.pageDown",
  "tui.select.confirm",
] as const;

/** Text, unless a letter is bound to a key of dialogs. */
function isTyped(data: string): boolean {
  const keys = getKeybindings();
  if (SELECT_KEYS.some((key) => keys.matches(data, key))) return false;
  return data.startsWith("\x1b[200~") || /^[^\p{Cc}]/u.test(decodeKittyPrintable(data) ?? data);
}
