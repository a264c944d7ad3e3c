import type { Component, TuiMouseEvent, TuiMouseEventResult } from "@earendil-works/pi-tui";
import type { KeyBinding } from "../../contract/interactive.ts";
import type { CustomRenderers } from "./transcript/document/custom-renderers.ts";

const NOTHING: readonly string[] = [];

/** A place in the layout that something may stand in; no row while it is empty. */
export class Slot implements Component {
  component: Component | undefined;

  invalidate(): void {
    this.component?.invalidate();
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    return this.component?.handleMouse?.(event);
  }

  render(width: number): readonly string[] {
    return this.component?.render(width) ?? NOTHING;
  }
}

/**
 * Where extensions join the surface. It is all that is loaded of them with the first frame: `extensions/` fills it when the first
 * extension wants something.
 */
export class ExtensionSlots {
  /** Above the start panel of an empty conversation. */
  readonly header = new Slot();
  /** Above and below the editor. */
  readonly above = new Slot();
  readonly below = new Slot();
  /** Above the status line, or in its place. */
  readonly footer = new Slot();
  /** Takes a key that was pressed in the editor; false: it is nobody's. */
  shortcut: ((data: string) => boolean) | undefined;
  /** Draws messages, entries and tools of extensions in the transcript. */
  renderers: CustomRenderers | undefined;
  /** Hears of Esc that there was nothing else for. */
  escape: (() => void) | undefined;
  /** Hears that a question opened, or that the last one closed. */
  asked: ((open: boolean) => void) | undefined;
  /** Keys of extensions, for the list of keys. */
  keys: (() => readonly KeyBinding[]) | undefined;
  /** Takes everything away; the surface closes. */
  close: (() => void) | undefined;
}
