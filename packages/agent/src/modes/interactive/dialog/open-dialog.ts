import {
  type Component,
  getKeybindings,
  type TuiMouseEvent,
  type TuiMouseEventResult,
  truncateToWidth,
} from "@earendil-works/pi-tui";
import type { DialogView } from "./dialog-view.ts";

export interface OpenDialogOptions {
  readonly now: () => number;
  /** Keys within this time after opening are dropped, those that dismiss excepted; in milliseconds. */
  readonly guardMs: number;
  readonly requestRender: () => void;
}

/** A dialog that has the keys, those of the viewport included. Rows that are too wide are cut. */
export class OpenDialog implements Component {
  readonly capturesViewportInput = true;
  readonly #view: DialogView;
  readonly #options: OpenDialogOptions;
  readonly #openedAt: number;

  constructor(view: DialogView, options: OpenDialogOptions) {
    this.#view = view;
    this.#options = options;
    this.#openedAt = options.now();
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
    const guarded = this.#options.now() - this.#openedAt < this.#options.guardMs;
    if (guarded && !getKeybindings().matches(data, "tui.select.cancel")) return;
    this.#view.handleInput(data);
    this.#options.requestRender();
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    return this.#view.handleMouse?.(event);
  }

  render(width: number): readonly string[] {
    return this.#view.render(width).map((line) => truncateToWidth(line, width, ""));
  }
}
