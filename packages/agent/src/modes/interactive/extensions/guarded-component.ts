import {
  type Component,
  type Focusable,
  isFocusable,
  isKeyRelease,
  type TuiMouseEvent,
  type TuiMouseEventResult,
} from "@earendil-works/pi-tui";
import type { ExtensionSource } from "../../../contract/extension-surface.ts";
import type { Timers } from "../timers.ts";
import { drawnRows } from "./drawn-rows.ts";
import { type Faults, faultText } from "./faults.ts";

/** A component of an extension as it gives it. */
export interface ExtensionComponent extends Component {
  dispose?(): void;
}

export interface GuardParts {
  readonly source: ExtensionSource;
  /** For people, what it is: `its widget "todo"`. */
  readonly what: string;
  readonly faults: Faults;
  /** Set while it draws. */
  readonly drawing: { now: boolean };
  readonly timers: Timers;
  readonly requestRender: () => void;
  /** Rows it may take now. */
  readonly rows: () => number;
  /** Paints the rows that stand for the component's own. */
  readonly paint: { readonly error: (text: string) => string; readonly note: (text: string) => string };
}

/** From this time on drawing once counts as slow, in milliseconds; a frame has 16. */
const SLOW_MS = 12;
/** So often in a row it is slow before that is told: the first drawing of anything is. */
const SLOW_TIMES = 3;
/** A slow component rests so many times as long as it took, so that keys and answers get the most of the time. */
const REST_FACTOR = 6;
const LONGEST_REST_MS = 1_500;

interface Drawn {
  readonly of: readonly unknown[];
  readonly length: number;
  readonly width: number;
  readonly most: number;
  readonly rows: readonly string[];
  readonly skipped: number;
}

/**
 * Stands for a component of an extension wherever it is mounted: whatever that throws, or draws, what is drawn here fits and obeys
 * nothing. Rows keep their identity while the component's do, as pi-tui's own components' do.
 */
export class GuardedComponent implements Component, Focusable {
  readonly inner: ExtensionComponent;
  readonly parts: GuardParts;
  /** Who of it gets the keys. */
  #keysTo: Component;
  #drawn: Drawn | undefined;
  #failed: readonly string[] | undefined;
  #restsUntil = 0;
  #slowTimes = 0;
  #endRest: (() => void) | undefined;
  #fresh = false;
  #disposed = false;

  constructor(inner: ExtensionComponent, parts: GuardParts) {
    this.inner = inner;
    this.parts = parts;
    this.#keysTo = inner;
  }

  /** Its last drawing failed. */
  get broken(): boolean {
    return this.#failed !== undefined;
  }

  get wantsKeyRelease(): boolean {
    return this.#read(() => this.#keysTo.wantsKeyRelease) === true;
  }

  get capturesViewportInput(): boolean {
    return this.#read(() => this.#keysTo.capturesViewportInput) === true;
  }

  get focused(): boolean {
    return this.#read(() => isFocusable(this.#keysTo) && this.#keysTo.focused) === true;
  }

  set focused(focused: boolean) {
    this.#tell("the focus of", () => {
      if (isFocusable(this.#keysTo)) this.#keysTo.focused = focused;
    });
    this.#fresh = true;
  }

  /** Gives the keys to a part of it; null: to the whole. */
  focusOn(component: Component | null): void {
    const { focused } = this;
    this.focused = false;
    this.#keysTo = component ?? this.inner;
    this.focused = focused;
  }

  handleInput(data: string): void {
    if (isKeyRelease(data) && !this.wantsKeyRelease) return;
    this.#fresh = true;
    this.#tell("a key for", () => this.#keysTo.handleInput?.(data));
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (!this.inner.handleMouse) return undefined;
    this.#fresh = true;
    const y = event.y + (this.#drawn?.skipped ?? 0);
    return this.#tell("the mouse on", () => this.inner.handleMouse?.({ ...event, y }));
  }

  invalidate(): void {
    this.#fresh = true;
    this.#drawn = undefined;
    this.#tell("a change of the theme in", () => this.inner.invalidate?.());
  }

  /** Ends what the component keeps running. A second call does nothing. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#endRest?.();
    this.#tell("ending", () => this.inner.dispose?.());
  }

  render(width: number): readonly string[] {
    const { faults, rows, source, timers, what } = this.parts;
    const most = rows();
    const kept = this.#drawn;
    if (kept?.width === width && kept.most === most && !this.#fresh && timers.now() < this.#restsUntil)
      return this.#rested(kept.rows);
    this.#fresh = false;
    const begun = timers.now();
    let drawn: readonly unknown[];
    this.parts.drawing.now = true;
    try {
      drawn = this.inner.render(width);
      if (!Array.isArray(drawn)) throw new Error(`render() gave ${typeof drawn}, not a list of rows`);
    } catch (error) {
      faults.tell(source, `drawing ${what}`, error);
      return this.#fail(error, width);
    } finally {
      this.parts.drawing.now = false;
    }
    this.#failed = undefined;
    this.#rest(timers.now() - begun);
    if (kept?.of === drawn && kept.length === drawn.length && kept.width === width && kept.most === most)
      return kept.rows;
    return this.#keep(drawn, width, most);
  }

  #keep(drawn: readonly unknown[], width: number, most: number): readonly string[] {
    const { faults, paint, source, what } = this.parts;
    try {
      const { rows, skipped, tooWide } = drawnRows(drawn, width, most, (hidden) =>
        paint.note(`… ${hidden} more rows`),
      );
      if (tooWide !== undefined)
        faults.tell(source, `drawing ${what}`, new Error("it is wider than the screen; its rows are cut"));
      this.#drawn = { of: drawn, length: drawn.length, width, most, rows, skipped };
      return rows;
    } catch (error) {
      faults.tell(source, `drawing ${what}`, error);
      return this.#fail(error, width);
    }
  }

  #fail(error: unknown, width: number): readonly string[] {
    const { paint, source, what } = this.parts;
    this.#drawn = undefined;
    const { rows } = drawnRows(
      [paint.error(`${source.name}: ${what} could not be drawn: ${faultText(error).slice(0, 300)}`)],
      width,
      1,
      () => "",
    );
    // The same rows while it goes on failing the same way.
    if (this.#failed?.[0] !== rows[0]) this.#failed = rows;
    return this.#failed ?? rows;
  }

  /** What it took is no more than a part of the time that follows. */
  #rest(took: number): void {
    this.#endRest?.();
    this.#endRest = undefined;
    if (took < SLOW_MS) {
      this.#slowTimes = 0;
      return;
    }
    const { faults, source, timers, what } = this.parts;
    this.#slowTimes++;
    if (this.#slowTimes === SLOW_TIMES)
      faults.tell(
        source,
        `drawing ${what}`,
        new Error(`it takes more than ${SLOW_MS} ms again and again; it is drawn less often`),
      );
    this.#restsUntil = timers.now() + Math.min(LONGEST_REST_MS, took * REST_FACTOR);
  }

  /** The rows of before; there is a frame when the rest is over. */
  #rested(rows: readonly string[]): readonly string[] {
    const { timers, requestRender } = this.parts;
    this.#endRest ??= timers.after(Math.max(1, this.#restsUntil - timers.now()), () => {
      this.#endRest = undefined;
      requestRender();
    });
    return rows;
  }

  #tell<T>(what: string, run: () => T): T | undefined {
    return this.parts.faults.guard(this.parts.source, `${what} ${this.parts.what}`, run);
  }

  #read<T>(read: () => T): T | undefined {
    return this.#tell("reading", read);
  }
}
