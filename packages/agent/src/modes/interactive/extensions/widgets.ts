import { type Component, Container, Text } from "@earendil-works/pi-tui";
import type { ExtensionSource } from "../../../contract/extension-surface.ts";
import type { ExtensionTui } from "./extension-tui.ts";
import { type ExtensionComponent, GuardedComponent } from "./guarded-component.ts";
import { guardParts, makeGuarded, type Toolbox } from "./toolbox.ts";

interface Shown {
  readonly widget: GuardedComponent;
  readonly placement: Placement;
  readonly remove: () => void;
}

export type Placement = "aboveEditor" | "belowEditor";

/** Lines of a widget of lines, as many as Pi shows. */
const MOST_LINES = 10;

/** Components and lines of extensions above and below the editor, each by its key. */
export class Widgets {
  readonly #toolbox: Toolbox;
  readonly #tuiOf: (source: ExtensionSource) => ExtensionTui;
  readonly #shown = new Map<ExtensionSource, Map<string, Shown>>();
  readonly #places: Readonly<Record<Placement, WidgetRows>>;

  constructor(toolbox: Toolbox, tuiOf: (source: ExtensionSource) => ExtensionTui) {
    const { slots, themes, tui } = toolbox.ports;
    this.#toolbox = toolbox;
    this.#tuiOf = tuiOf;
    const rows = () => this.#rows();
    const note = (hidden: number) => themes.current.color.muted(`… ${hidden} more rows`);
    this.#places = {
      aboveEditor: new WidgetRows(rows, note),
      belowEditor: new WidgetRows(rows, note),
    };
    slots.above.component = this.#places.aboveEditor;
    slots.below.component = this.#places.belowEditor;
    tui.requestRender();
  }

  /** `content`: lines, a factory, or undefined to take the widget away. One that is renewed keeps its place among the others. */
  set(source: ExtensionSource, key: string, content: unknown, placement: Placement): void {
    const { owned, ports } = this.#toolbox;
    const keys = this.#shown.get(source) ?? new Map<string, Shown>();
    this.#shown.set(source, keys);
    const place = this.#places[placement];
    const before = keys.get(key);
    const at = before?.placement === placement ? place.children.indexOf(before.widget) : -1;
    before?.remove();
    const widget = content === undefined || content === null ? undefined : this.#make(source, key, content);
    if (widget) {
      place.insert(widget, at);
      const remove = owned.add(source, () => {
        keys.delete(key);
        place.removeChild(widget);
        widget.dispose();
        ports.tui.requestRender();
      });
      keys.set(key, { widget, placement, remove });
    }
    ports.tui.requestRender();
  }

  #make(source: ExtensionSource, key: string, content: unknown): GuardedComponent | undefined {
    const what = `its widget "${key}"`;
    const rows = () => this.#rows();
    if (Array.isArray(content))
      return new GuardedComponent(this.#lines(content), guardParts(this.#toolbox, source, what, rows));
    return makeGuarded(this.#toolbox, source, what, rows, () => {
      if (typeof content !== "function")
        throw new TypeError("setWidget() takes lines, a factory, or undefined");
      return content(this.#tuiOf(source), this.#toolbox.theme);
    });
  }

  #lines(lines: readonly unknown[]): ExtensionComponent {
    const shown = lines.slice(0, MOST_LINES).map(String);
    if (lines.length > MOST_LINES)
      shown.push(this.#toolbox.theme.fg("muted", `… ${lines.length - MOST_LINES} more lines`));
    return new Text(shown.join("\n"), 1, 0);
  }

  /** At most a third of the screen above, and below. */
  #rows(): number {
    return Math.max(1, Math.floor(this.#toolbox.ports.tui.terminal.rows / 3));
  }
}

/** Widgets below each other, as many rows of them as there is room for. */
class WidgetRows extends Container {
  readonly #most: () => number;
  readonly #note: (hidden: number) => string;
  #cut: { of: readonly string[]; most: number; rows: readonly string[] } | undefined;

  constructor(most: () => number, note: (hidden: number) => string) {
    super();
    this.#most = most;
    this.#note = note;
  }

  override invalidate(): void {
    super.invalidate();
    this.#cut = undefined;
  }

  /** At a place among the others; -1: the last. */
  insert(component: Component, at: number): void {
    if (at < 0) this.addChild(component);
    else this.children.splice(at, 0, component);
  }

  override render(width: number): readonly string[] {
    const rows = super.render(width);
    const most = this.#most();
    if (rows.length <= most) return rows;
    if (this.#cut?.of !== rows || this.#cut.most !== most) {
      const kept = rows.slice(0, Math.max(1, most - 1));
      const note = most > 1 ? [this.#note(rows.length - kept.length)] : [];
      this.#cut = { of: rows, most, rows: [...kept, ...note] };
    }
    return this.#cut.rows;
  }
}
