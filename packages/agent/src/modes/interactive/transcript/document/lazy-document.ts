import type { Viewport } from "../transcript-view.ts";
import { type Anchor, rowOf, type Slot } from "./anchor.ts";
import type { Block, DrawContext } from "./block.ts";
import { drawRows } from "./draw-rows.ts";
import { HeightIndex } from "./height-index.ts";
import { lazyRows } from "./lazy-rows.ts";

interface LazyDocumentPorts {
  /** All of {@link DrawContext} but the width. */
  context(): Omit<DrawContext, "width">;
  /** Asks for another frame. */
  requestFrame(): void;
  /** Rows of the whole screen. */
  screenRows(): number;
}

/**
 * The document is as many rows long as this divides: while a text streams the screen moves up by that many rows at once, and each
 * move writes all of its rows.
 */
const STEP = 3;

/** More cached blocks than this are looked through for such that lie far from view. */
const CACHED = 600;
const FAR = 200;

/**
 * Blocks below each other of which only those near the viewport are ever drawn. Heights are exact there and estimated elsewhere.
 * Per frame the work is bound to the screen; adding and changing blocks is O(log n) near the end of the list.
 */
export class LazyDocument {
  readonly #ports: LazyDocumentPorts;
  readonly #slots: Slot[] = [];
  readonly #slotOf = new Map<Block, Slot>();
  readonly #heights = new HeightIndex();
  readonly #changed = new Set<Slot>();
  readonly #cached = new Set<Slot>();
  readonly #lines = lazyRows({ length: () => this.#length(), row: (index) => this.#line(index) });
  #viewport: Viewport | undefined;
  #width = 80;
  #epoch = 0;
  #anchor: Anchor | undefined;
  /** The anchor of the last frame, good as long as nobody scrolls: a storm of resizes loses no row. */
  #kept: Anchor | undefined;
  #pinned = false;
  #settled = false;
  #from = 0;
  #to = 0;
  /** First and last row that a view may show without a whole frame; beyond them heights are estimates. */
  #safe = { first: 0, last: 0 };
  #frameAsked = false;
  #drawCount = 0;
  #context: DrawContext | undefined;
  /** Changes the row of a block before it is shown (marks what was found). */
  decorate: ((row: string, block: Block) => string) | undefined;

  constructor(ports: LazyDocumentPorts) {
    this.#ports = ports;
  }

  get length(): number {
    return this.#slots.length;
  }

  attach(viewport: Viewport): void {
    this.#viewport = viewport;
  }

  block(index: number): Block | undefined {
    return this.#slots[index]?.block;
  }

  has(block: Block): boolean {
    return this.#slotOf.has(block);
  }

  indexOf(block: Block): number {
    return this.#slotOf.get(block)?.index ?? -1;
  }

  append(block: Block): void {
    this.#insert(this.#slots.length, block);
  }

  /** Puts a block behind another one; O(blocks behind it). */
  insertAfter(previous: Block, block: Block): void {
    this.#insert(this.indexOf(previous) + 1, block);
  }

  /** O(blocks behind it). */
  remove(block: Block): void {
    const slot = this.#slotOf.get(block);
    if (!slot) return;
    this.#capture();
    const behind = this.#lift(slot.index + 1);
    this.#slots.pop();
    this.#heights.pop();
    this.#forget(slot);
    this.#lower(behind);
  }

  clear(): void {
    for (const slot of this.#slots) slot.block.observe(undefined);
    this.#slots.length = 0;
    this.#slotOf.clear();
    this.#heights.fill([]);
    this.#changed.clear();
    this.#cached.clear();
    this.#anchor = undefined;
    this.#kept = undefined;
    this.#settled = false;
  }

  /** What all blocks are drawn with changed, and maybe their heights; O(blocks), draws nothing. */
  restyle(heights: "same" | "changed"): void {
    this.#context = undefined;
    if (heights === "changed") {
      this.#capture();
      this.#estimateAll();
    }
    this.#epoch++;
  }

  /** Scrolls so that a block starts a third of the screen from the top, and leaves the end. */
  show(block: Block, findRow?: (rows: readonly string[]) => number): void {
    const slot = this.#slotOf.get(block);
    const viewport = this.#viewport;
    if (!slot || !viewport) return;
    const row = findRow === undefined ? 0 : Math.max(0, findRow(this.#rows(slot)));
    const screenRow = Math.floor(viewport.viewportHeight / 3);
    viewport.scrollTo(this.#heights.top(slot.index) + row - screenRow, { disableFollow: true });
    this.#anchor = this.#anchorAt(slot, row, screenRow);
    this.#pinned = true;
  }

  /** The block at a row of the document, and the row within it. */
  at(row: number): { block: Block; row: number } | undefined {
    const slot = this.#slots[this.#heights.find(row)];
    return slot && row >= 0 ? { block: slot.block, row: row - this.#heights.top(slot.index) } : undefined;
  }

  /** Keeps the first row of a block where it is on the screen over the next change of heights. */
  pin(block: Block): void {
    const slot = this.#slotOf.get(block);
    if (!slot || !this.#viewport) return;
    const screenRow = Math.max(0, this.#heights.top(slot.index) - this.#viewport.scrollTop);
    this.#anchor = this.#anchorAt(slot, 0, screenRow);
    this.#pinned = true;
  }

  /** Index of the block in the first row of the screen. */
  get firstInView(): number {
    return this.#heights.find(this.#viewport?.scrollTop ?? 0);
  }

  /** Blocks that were in view or near it at the last frame. */
  *inView(): Iterable<Block> {
    for (let index = this.#from; index < Math.min(this.#to, this.#slots.length); index++)
      yield this.#slots[index]!.block;
  }

  get drawContext(): DrawContext {
    this.#context ??= { ...this.#ports.context(), width: this.#width };
    return this.#context;
  }

  /** Blocks drawn since the last call. */
  takeDrawCount(): number {
    const count = this.#drawCount;
    this.#drawCount = 0;
    return count;
  }

  /** One frame: measures what is in view and keeps the reading position. */
  render(width: number): readonly string[] {
    this.#frameAsked = false;
    if (width !== this.#width) {
      this.#capture();
      this.#width = width;
      this.#context = undefined;
      this.#estimateAll();
      this.#epoch++;
    }
    this.#context = undefined;
    const follows = (this.#viewport?.isFollowingEnd ?? true) && !this.#pinned;
    if (!follows) this.#capture();
    for (const slot of this.#changed) this.#heights.set(slot.index, slot.block.estimate(this.drawContext));
    this.#changed.clear();
    const view = Math.max(this.#viewport?.viewportHeight ?? 0, this.#ports.screenRows());
    // The first frame shows something as soon as it can; the next one looks beyond the screen.
    const beyond = this.#settled ? view : 0;
    if (follows) this.#measureEnd(view + beyond);
    else this.#measureAround(view, beyond);
    if (!this.#settled && this.#slots.length > 0) {
      this.#settled = true;
      this.#askFrame();
    }
    this.#noteSafeRows(view);
    this.#evict();
    return this.#lines;
  }

  #insert(index: number, block: Block): void {
    if (index < this.#slots.length) this.#capture();
    const behind = this.#lift(index);
    const slot: Slot = { block, index, exact: false, drawn: { epoch: -1, version: -1, tick: undefined } };
    this.#slotOf.set(block, slot);
    block.observe(() => this.#onChange(slot));
    this.#lower([[slot, block.estimate(this.drawContext)], ...behind]);
  }

  /** Takes the slots from `index` on out, with their heights. */
  #lift(index: number): [Slot, number][] {
    const lifted: [Slot, number][] = [];
    while (this.#slots.length > index) lifted.push([this.#slots.pop()!, this.#heights.pop()]);
    return lifted.reverse();
  }

  #lower(slots: readonly [Slot, number][]): void {
    let previous = this.#slots.at(-1);
    for (const [slot, height] of slots) {
      slot.index = this.#slots.length;
      this.#slots.push(slot);
      this.#heights.push(height);
      if (previous) previous.block.next = slot.block;
      previous = slot;
    }
    if (previous) previous.block.next = undefined;
  }

  #forget(slot: Slot): void {
    slot.block.observe(undefined);
    this.#slotOf.delete(slot.block);
    this.#changed.delete(slot);
    this.#cached.delete(slot);
    if (this.#kept?.slot === slot) this.#kept = undefined;
  }

  #onChange(slot: Slot): void {
    slot.exact = false;
    this.#changed.add(slot);
  }

  #estimateAll(): void {
    const context = this.drawContext;
    for (const slot of this.#slots) slot.exact = false;
    this.#heights.fill(this.#slots.map((slot) => slot.block.estimate(context)));
    this.#changed.clear();
    this.#settled = false;
  }

  /** Takes the anchor, once between two frames, before heights change. */
  #capture(): void {
    const viewport = this.#viewport;
    if (this.#anchor || !viewport || viewport.isFollowingEnd || this.#slots.length === 0) return;
    const kept = this.#kept;
    if (kept && kept.at === viewport.scrollTop && kept.version === kept.slot.block.version) {
      this.#anchor = kept;
      return;
    }
    const index = Math.min(this.#heights.find(viewport.scrollTop), this.#slots.length - 1);
    this.#anchor = this.#anchorAt(this.#slots[index]!, viewport.scrollTop - this.#heights.top(index), 0);
  }

  #anchorAt(slot: Slot, row: number, screenRow: number): Anchor {
    return {
      slot,
      row,
      height: Math.max(1, this.#heights.height(slot.index)),
      width: this.#width,
      version: slot.block.version,
      screenRow,
      at: this.#viewport?.scrollTop ?? 0,
    };
  }

  #measureEnd(rows: number): void {
    this.#anchor = undefined;
    this.#kept = undefined;
    let index = this.#slots.length;
    for (let have = 0; index > 0 && have < rows; ) have += this.#measure(--index);
    this.#from = index;
    this.#to = this.#slots.length;
  }

  #measureAround(view: number, beyond: number): void {
    const viewport = this.#viewport;
    const anchor = this.#anchor;
    const pinned = this.#pinned;
    this.#anchor = undefined;
    this.#kept = undefined;
    this.#pinned = false;
    if (!viewport || !anchor || this.#slots.length === 0) return;
    if (!pinned && Math.abs(viewport.scrollTop - anchor.at) > 4 * view) {
      // Jumped away since the heights changed: what is there now counts.
      this.#capture();
      this.#measureAround(view, beyond);
      return;
    }
    const gone = !this.#slotOf.has(anchor.slot.block);
    const index = Math.min(anchor.slot.index, this.#slots.length - 1);
    const height = this.#measure(index);
    const row = gone ? 0 : rowOf(anchor, height, this.#width);
    const scrolled = pinned ? 0 : viewport.scrollTop - anchor.at;
    const above = row - anchor.screenRow + scrolled;
    let to = index + 1;
    for (let have = height - above; to < this.#slots.length && have < view + beyond; to++)
      have += this.#measure(to);
    let from = index;
    // Where the end of the document is in view, the screen is filled from above.
    const missing = this.#slots.length === to ? view : 0;
    for (let have = above; from > 0 && have < beyond + missing; ) have += this.#measure(--from);
    this.#from = from;
    this.#to = to;
    const top = this.#heights.top(index) + above;
    this.#scroll(viewport, top, pinned);
    this.#kept = { ...anchor, at: viewport.scrollTop };
    if (gone || scrolled !== 0 || viewport.scrollTop !== top) this.#kept = undefined;
  }

  #scroll(viewport: Viewport, top: number, pinned: boolean): void {
    const total = this.#length();
    const end = Math.max(0, total - viewport.viewportHeight);
    // A block that was opened at the end and still fits there: go on following.
    if (pinned && viewport.isFollowingEnd && top >= end) return;
    if (top === viewport.scrollTop && !viewport.isFollowingEnd && top <= end) return;
    // The scroll view still knows the last frame's height and would clamp to it.
    viewport.updateLayout(total, viewport.viewportHeight, () => undefined);
    viewport.scrollTo(top, { disableFollow: true });
  }

  /** The exact height of a block. */
  #measure(index: number): number {
    const slot = this.#slots[index]!;
    const now = this.drawContext.now;
    const aged = slot.block.tick(now) !== slot.drawn.tick;
    if (slot.exact && !aged) return this.#heights.height(index);
    if (!slot.exact && slot.block.estimate(this.drawContext) === 0) this.#heights.set(index, 0);
    else this.#heights.set(index, this.#rows(slot, aged).length);
    slot.exact = true;
    return this.#heights.height(index);
  }

  #rows(slot: Slot, aged = false): readonly string[] {
    const { block, drawn } = slot;
    if (slot.rows && !aged && drawn.epoch === this.#epoch && drawn.version === block.version)
      return slot.rows;
    const context = this.drawContext;
    this.#drawCount++;
    slot.rows = drawRows(block, context);
    slot.drawn = { epoch: this.#epoch, version: block.version, tick: block.tick(context.now) };
    this.#cached.add(slot);
    return slot.rows;
  }

  #length(): number {
    return Math.ceil(this.#heights.total / STEP) * STEP;
  }

  #line(row: number): string | undefined {
    if (row < 0 || row >= this.#length()) return undefined;
    const index = this.#heights.find(row);
    const slot = this.#slots[index];
    if (slot === undefined) return "";
    // Scrolled to where heights are not known yet: a whole frame puts that right.
    if (!slot.exact || row < this.#safe.first || row > this.#safe.last) this.#askFrame();
    const text = this.#rows(slot)[row - this.#heights.top(index)] ?? "";
    return this.decorate === undefined || text === "" ? text : this.decorate(text, slot.block);
  }

  #noteSafeRows(view: number): void {
    const margin = Math.floor(view / 4);
    const first = this.#from > 0 ? this.#heights.top(this.#from) + margin : 0;
    const last = this.#to < this.#slots.length ? this.#heights.top(this.#to) - margin : this.#heights.total;
    this.#safe = { first, last };
  }

  #askFrame(): void {
    if (this.#frameAsked) return;
    this.#frameAsked = true;
    this.#ports.requestFrame();
  }

  #evict(): void {
    if (this.#cached.size <= CACHED) return;
    for (const slot of this.#cached) {
      if (slot.index >= this.#from - FAR && slot.index <= this.#to + FAR) continue;
      slot.rows = undefined;
      slot.block.release();
      this.#cached.delete(slot);
    }
  }
}
