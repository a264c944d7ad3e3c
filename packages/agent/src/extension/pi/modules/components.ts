import {
  type Component,
  Container,
  Loader,
  matchesKey,
  Spacer,
  Text,
  type TUI,
} from "@earendil-works/pi-tui";
import { rawKeyHint } from "./key-hints.ts";
import { type PiTheme, piTheme } from "./module-host.ts";

/** A rule as wide as its place. */
export class DynamicBorder implements Component {
  readonly #color: (text: string) => string;

  constructor(color: (text: string) => string = (text) => piTheme().fg("border", text)) {
    this.#color = color;
  }

  invalidate(): void {
    // Nothing is kept between two renders.
  }

  render(width: number): string[] {
    return [this.#color("─".repeat(Math.max(1, width)))];
  }
}

/** A spinner with a message between two rules, that Esc can cancel. */
export class BorderedLoader extends Container {
  readonly #loader: Loader;
  readonly #abort = new AbortController();
  readonly #cancellable: boolean;
  onAbort: (() => void) | undefined;

  constructor(
    tui: TUI,
    theme: PiTheme,
    message: string,
    { cancellable = true }: { cancellable?: boolean } = {},
  ) {
    super();
    this.#cancellable = cancellable;
    const border = () => new DynamicBorder((text) => theme.fg("border", text));
    this.#loader = new Loader(
      tui,
      (text) => theme.fg("accent", text),
      (text) => theme.fg("muted", text),
      message,
    );
    this.addChild(border());
    this.addChild(this.#loader);
    if (cancellable) {
      this.addChild(new Spacer(1));
      this.addChild(new Text(rawKeyHint("esc", "cancel"), 1, 0));
    }
    this.addChild(border());
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  handleInput(data: string): void {
    if (!this.#cancellable || !matchesKey(data, "escape")) return;
    this.#abort.abort();
    this.onAbort?.();
  }

  dispose(): void {
    this.#loader.stop();
  }
}
