import type {
  Component,
  OverlayHandle,
  OverlayOptions,
  Terminal,
  TerminalColorScheme,
  TerminalColors,
  TUI,
  TuiInputListener,
} from "@earendil-works/pi-tui";
import type { ExtensionSource } from "../../../contract/extension-surface.ts";
import { ExtensionTerminal } from "./extension-terminal.ts";
import type { GuardedComponent } from "./guarded-component.ts";
import type { InputListeners } from "./input-listeners.ts";
import type { Overlays } from "./overlays.ts";
import { isComponent, type Toolbox } from "./toolbox.ts";

export interface ExtensionTuiParts {
  readonly source: ExtensionSource;
  readonly toolbox: Toolbox;
  readonly overlays: Overlays;
  readonly listeners: InputListeners;
  readonly setTitle: (title: string) => void;
  /** The component of this extension in the editor's place. */
  readonly inline: () => GuardedComponent | undefined;
}

/** Between frames that a component asks for while it draws, in milliseconds. */
const NEXT_OF_ITSELF_MS = 100;

/**
 * The `tui` that factories of one extension get: what components use of it does what it does in pi-tui, within what is the
 * extension's. What would change the screen of others is refused, and told once.
 */
export class ExtensionTui implements TUI {
  readonly mode = "fullscreen";
  readonly children: Component[] = [];
  readonly terminal: Terminal;
  readonly #parts: ExtensionTuiParts;
  readonly #removals = new Map<TuiInputListener, () => void>();
  #away: (() => void) | undefined;
  #later: (() => void) | undefined;

  constructor(parts: ExtensionTuiParts) {
    this.#parts = parts;
    this.terminal = new ExtensionTerminal({
      terminal: this.#tui.terminal,
      setTitle: parts.setTitle,
      refused: (what) => this.#refuse(what),
    });
  }

  get fullRedraws(): number {
    return this.#tui.fullRedraws;
  }

  /** A frame, soon. One that is asked for while it is drawn comes later: else frames would never end. */
  requestRender(): void {
    const { drawing, ports } = this.#parts.toolbox;
    if (!drawing.now) this.#tui.requestRender();
    else
      this.#later ??= ports.timers.after(NEXT_OF_ITSELF_MS, () => {
        this.#later = undefined;
        this.#tui.requestRender();
      });
  }

  renderNow(): void {
    this.requestRender();
  }

  invalidate(): void {
    this.#tui.invalidate();
  }

  render(): string[] {
    return [];
  }

  /** Gives the keys to an overlay of the extension, or to a part of what it shows; null: to the whole of that again. */
  setFocus(component: Component | null): void {
    const overlay = component && this.#parts.overlays.of(component);
    if (overlay) overlay.handle.focus();
    else (this.#parts.overlays.latest(this.#parts.source)?.view ?? this.#parts.inline())?.focusOn(component);
    this.requestRender();
  }

  showOverlay(component: Component, options?: OverlayOptions): OverlayHandle {
    if (!isComponent(component)) throw new TypeError("showOverlay() takes a component");
    return this.#parts.overlays.show(this.#parts.source, component, options).handle;
  }

  hideOverlay(): void {
    this.#parts.overlays.latest(this.#parts.source)?.remove();
  }

  hasOverlay(): boolean {
    return this.#parts.overlays.has(this.#parts.source);
  }

  addInputListener(listener: TuiInputListener): () => void {
    this.removeInputListener(listener);
    const remove = this.#parts.listeners.add(this.#parts.source, listener);
    this.#removals.set(listener, remove);
    return () => this.removeInputListener(listener);
  }

  removeInputListener(listener: TuiInputListener): void {
    this.#removals.get(listener)?.();
    this.#removals.delete(listener);
  }

  onTerminalColorSchemeChange(listener: (scheme: TerminalColorScheme) => void): () => void {
    const { source, toolbox } = this.#parts;
    const remove = this.#tui.onTerminalColorSchemeChange((scheme) =>
      toolbox.faults.guard(source, "its listener for colours", () => listener(scheme)),
    );
    return toolbox.owned.add(source, remove);
  }

  queryTerminalColors(options: Parameters<TUI["queryTerminalColors"]>[0]): Promise<TerminalColors> {
    return this.#tui.queryTerminalColors(options);
  }

  /** Gives the terminal away, for a program that draws itself; {@link ExtensionTui.start} takes it back. */
  stop(): void {
    if (this.#away) return;
    const { source, toolbox } = this.#parts;
    toolbox.ports.owner.give();
    this.#away = toolbox.owned.add(source, () => {
      this.#away = undefined;
      toolbox.ports.owner.take();
      this.#tui.requestRender(true);
    });
  }

  start(): void {
    this.#away?.();
  }

  getShowHardwareCursor(): boolean {
    return this.#tui.getShowHardwareCursor();
  }

  getClearOnShrink(): boolean {
    return this.#tui.getClearOnShrink();
  }

  setShowHardwareCursor(): void {
    this.#refuse("setShowHardwareCursor");
  }

  setClearOnShrink(): void {
    this.#refuse("setClearOnShrink");
  }

  setTerminalColorSchemeNotifications(): void {
    this.#refuse("setTerminalColorSchemeNotifications");
  }

  setSuspendSignalHandler(): void {
    this.#refuse("setSuspendSignalHandler");
  }

  addChild(): void {
    this.#refuse("addChild");
  }

  removeChild(): void {
    this.#refuse("removeChild");
  }

  clear(): void {
    this.#refuse("clear");
  }

  get #tui() {
    return this.#parts.toolbox.ports.tui;
  }

  #refuse(what: string): void {
    const { source, toolbox } = this.#parts;
    toolbox.faults.tell(
      source,
      `tui.${what}()`,
      new Error("that is the program's own and does nothing here; a component draws by its render()"),
    );
  }
}
