import { isKeyRelease } from "@earendil-works/pi-tui";
import type { Keymap } from "../input/keymap.ts";
import { EscapeHatch, type WayOut } from "./escape-hatch.ts";
import { type ExtensionComponent, GuardedComponent, type GuardParts } from "./guarded-component.ts";

export interface ViewParts extends GuardParts {
  readonly keymap: () => Keymap;
  /** Tells for a moment what another press does. */
  readonly flash: (message: string) => void;
  /** Closes the view for the person. */
  readonly close: () => void;
  readonly isOpen: () => boolean;
  /** It stands for what is still on its way: the first Esc or Ctrl+C closes it. */
  readonly placeholder?: boolean;
  /** Keys within this time after opening were meant for something else and are dropped, those that close excepted; in milliseconds. */
  readonly guardMs?: number;
}

/** A component of an extension that has the keys. Esc and Ctrl+C get a person out of it, whatever it does. */
export class GuardedView extends GuardedComponent {
  readonly #view: ViewParts;
  readonly #hatch = new EscapeHatch();
  readonly #openedAt: number;
  #width = 80;

  constructor(inner: ExtensionComponent, parts: ViewParts) {
    super(inner, parts);
    this.#view = parts;
    this.#openedAt = parts.timers.now();
  }

  override render(width: number): readonly string[] {
    this.#width = width;
    return super.render(width);
  }

  override handleInput(data: string): void {
    const way = isKeyRelease(data) ? undefined : this.#wayOut(data);
    const { timers, guardMs = 0 } = this.#view;
    if (way === undefined) {
      if (timers.now() - this.#openedAt >= guardMs) super.handleInput(data);
      return;
    }
    if (this.broken || this.#view.placeholder === true) {
      this.#view.close();
      return;
    }
    const before = way === "escape" ? this.#picture() : "";
    super.handleInput(data);
    if (!this.#view.isOpen()) return;
    this.#leave(way, way === "escape" && this.#picture() === before);
  }

  #leave(way: WayOut, ignored: boolean): void {
    const { timers, close, flash, keymap, source } = this.#view;
    const effect = this.#hatch.pressed(way, timers.now(), ignored);
    if (effect === "close") close();
    else if (effect === "arm")
      flash(
        `${keymap().label(way === "escape" ? "app.interrupt" : "app.clear")} again closes what ${source.name} shows`,
      );
  }

  #wayOut(data: string): WayOut | undefined {
    const keymap = this.#view.keymap();
    if (keymap.matches(data, "app.clear")) return "clear";
    return keymap.matches(data, "app.interrupt") ? "escape" : undefined;
  }

  #picture(): string {
    return this.render(this.#width).join("\n");
  }
}
