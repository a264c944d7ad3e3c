import type { Component, OverlayHandle } from "@earendil-works/pi-tui";
import type { ExtensionSource } from "../../../contract/extension-surface.ts";
import type { ExtensionComponent } from "./guarded-component.ts";
import { GuardedView } from "./guarded-view.ts";
import { overlayOptions } from "./overlay-options.ts";
import { guardParts, type Toolbox } from "./toolbox.ts";

/** An overlay on the screen. */
export interface OpenOverlay {
  readonly view: GuardedView;
  /** What the extension gets to move and hide it. */
  readonly handle: OverlayHandle;
  /** Takes it away. A second call does nothing. */
  readonly remove: () => void;
}

interface Entry {
  readonly source: ExtensionSource;
  readonly overlay: OpenOverlay;
  /** It takes no keys when it is shown. */
  readonly silent: boolean;
  readonly isHidden: () => boolean;
  /** For the person. */
  readonly close: () => void;
}

/** Components of extensions over the transcript. They are out of sight while a question is open: it must be seen and have the keys. */
export class Overlays {
  readonly #toolbox: Toolbox;
  readonly #open: Entry[] = [];

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  /** `closed` hears that the person closed it. */
  show(
    source: ExtensionSource,
    component: ExtensionComponent,
    given: unknown,
    closed?: () => void,
  ): OpenOverlay {
    const { faults, owned, ports } = this.#toolbox;
    const { dialogs, keymap, tui } = ports;
    const options = overlayOptions(
      given,
      {
        columns: () => tui.terminal.columns,
        rows: () => tui.terminal.rows,
        visible: () => !dialogs.isOpen,
      },
      (error) => faults.tell(source, "the options of its overlay", error),
    );
    const view: GuardedView = new GuardedView(component, {
      ...guardParts(this.#toolbox, source, "its overlay", () => tui.terminal.rows),
      keymap,
      flash: (message) => tui.flash(message, 2_000),
      close: () => close(),
      isOpen: () => this.#open.some(({ overlay }) => overlay.view === view),
    });
    const silent = options.nonCapturing === true;
    const shown = tui.showOverlay(view, options);
    const remove = owned.add(source, () => {
      const index = this.#open.findIndex(({ overlay }) => overlay.view === view);
      if (index >= 0) this.#open.splice(index, 1);
      shown.hide();
      view.dispose();
    });
    const close = () => {
      remove();
      closed?.();
    };
    const overlay = { view, handle: { ...shown, hide: remove }, remove };
    this.#open.push({ source, overlay, silent, isHidden: () => shown.isHidden(), close });
    return overlay;
  }

  /** Whether an extension has one on the screen. */
  has(source: ExtensionSource): boolean {
    return this.#open.some((each) => each.source === source);
  }

  /** The latest of an extension. */
  latest(source: ExtensionSource): OpenOverlay | undefined {
    return this.#open.findLast((each) => each.source === source)?.overlay;
  }

  /** The one that stands for a component. */
  of(component: Component): OpenOverlay | undefined {
    return this.#open.find(({ overlay }) => overlay.view.inner === component)?.overlay;
  }

  /** Gives the keys back to the latest one that takes keys, after a question had them. */
  refocus(): void {
    this.#open.findLast(({ silent, isHidden }) => !silent && !isHidden())?.overlay.handle.focus();
  }

  /** Closes those that are seen but take no keys, so that none could close them; gives whose they were. */
  closeSilent(): ExtensionSource[] {
    const seen = this.#open.filter(({ silent, isHidden }) => silent && !isHidden());
    for (const { close } of seen) close();
    return [...new Set(seen.map(({ source }) => source))];
  }
}
