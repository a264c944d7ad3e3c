import { type TUI, truncateToWidth } from "@earendil-works/pi-tui";
import type { ExtensionCustomOptions, ExtensionSource } from "../../../contract/extension-surface.ts";
import type { ExtensionComponent } from "./guarded-component.ts";
import { GuardedView } from "./guarded-view.ts";
import type { InlineViews } from "./inline-views.ts";
import type { Overlays } from "./overlays.ts";
import { guardParts, isComponent, type Toolbox } from "./toolbox.ts";
import { typingGuardMs } from "./typing-guard.ts";

export interface CustomViewParts {
  readonly toolbox: Toolbox;
  readonly overlays: Overlays;
  readonly inline: InlineViews;
  readonly tuiOf: (source: ExtensionSource) => TUI;
}

/**
 * `custom(factory)`: a component of an extension that has the keys until it calls `done(value)`. Never rejects: undefined when the
 * person closed it, when the extension was unloaded, or when something failed (which is told).
 */
export function showCustom(
  parts: CustomViewParts,
  source: ExtensionSource,
  factory: unknown,
  options: ExtensionCustomOptions,
): Promise<unknown> {
  return new Promise((resolve) => {
    new CustomView(parts, source, options, resolve).begin(factory);
  });
}

class CustomView {
  readonly #parts: CustomViewParts;
  readonly #source: ExtensionSource;
  readonly #options: ExtensionCustomOptions;
  readonly #resolve: (value: unknown) => void;
  readonly #forget: () => void;
  #closed = false;
  #remove: (() => void) | undefined;

  constructor(
    parts: CustomViewParts,
    source: ExtensionSource,
    options: ExtensionCustomOptions,
    resolve: (value: unknown) => void,
  ) {
    this.#parts = parts;
    this.#source = source;
    this.#options = options;
    this.#resolve = resolve;
    this.#forget = parts.toolbox.owned.add(source, () => this.#close(undefined));
  }

  begin(factory: unknown): void {
    const { theme, keybindings } = this.#parts.toolbox;
    try {
      if (typeof factory !== "function")
        throw new TypeError("custom() takes a function that makes a component");
      const made: unknown = factory(this.#parts.tuiOf(this.#source), theme, keybindings, (value: unknown) =>
        this.#close(value),
      );
      if (isComponent(made)) this.#show(made);
      else {
        // It is seen and can be closed, also when it never comes.
        this.#showInline(new Waiting(this.#source, (text) => theme.fg("muted", text)), true);
        Promise.resolve(made).then(
          (component) => this.#show(component),
          (error: unknown) => this.#fail(error),
        );
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  #show(component: unknown): void {
    if (!isComponent(component)) {
      this.#fail(new Error("its factory gave no component (an object with render(width))"));
      return;
    }
    if (this.#closed) {
      // It came too late: what it started is ended at once.
      this.#parts.toolbox.faults.guard(this.#source, "ending its dialog", () => component.dispose?.());
      return;
    }
    this.#remove?.();
    if (this.#options.overlay !== true) this.#showInline(component);
    else this.#showOverlay(component);
  }

  #showInline(component: ExtensionComponent, placeholder = false): void {
    const { inline, toolbox } = this.#parts;
    const { dialogs, keymap, tui } = toolbox.ports;
    const view = new GuardedView(component, {
      ...guardParts(toolbox, this.#source, "its dialog", () => dialogs.availableRows),
      keymap,
      flash: (message) => tui.flash(message, 2_000),
      close: () => this.#close(undefined),
      isOpen: () => !this.#closed,
      placeholder,
      guardMs: typingGuardMs(toolbox.ports),
    });
    this.#remove = () => {
      inline.remove(view);
      view.dispose();
    };
    inline.show(this.#source, view);
  }

  #showOverlay(component: ExtensionComponent): void {
    const { overlayOptions, onHandle } = this.#options;
    const { width } = component as { width?: unknown };
    const options = overlayOptions ?? (typeof width === "number" ? { width } : undefined);
    const { handle, remove } = this.#parts.overlays.show(this.#source, component, options, () =>
      this.#close(undefined),
    );
    this.#remove = remove;
    this.#parts.toolbox.faults.guard(this.#source, "its onHandle", () => onHandle?.(handle));
  }

  #fail(error: unknown): void {
    this.#parts.toolbox.faults.tell(this.#source, "making its dialog", error);
    this.#close(undefined);
  }

  #close(value: unknown): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#forget();
    this.#remove?.();
    this.#resolve(value);
  }
}

/** What is seen while a component is on its way. */
class Waiting implements ExtensionComponent {
  readonly #source: ExtensionSource;
  readonly #paint: (text: string) => string;

  constructor(source: ExtensionSource, paint: (text: string) => string) {
    this.#source = source;
    this.#paint = paint;
  }

  // nothing is kept between frames
  invalidate(): void {
    return;
  }

  render(width: number): readonly string[] {
    return [truncateToWidth(this.#paint(`${this.#source.name} is preparing what it shows …`), width, "…")];
  }
}
