import type { Block } from "./block.ts";

/** A block in its place. */
export interface Slot {
  readonly block: Block;
  index: number;
  /** Its height is that of rows drawn for the width in use. */
  exact: boolean;
  rows?: string[] | undefined;
  /** What the rows were drawn for. */
  drawn: { epoch: number; version: number; tick: number | undefined };
}

/** The place that stays where it is while heights change: a row of a block, and the screen row it stands in. */
export interface Anchor {
  slot: Slot;
  row: number;
  /** Of the block when `row` was taken. */
  height: number;
  width: number;
  version: number;
  screenRow: number;
  /** The scroll position it was taken at; what is scrolled after that adds to it. */
  at: number;
}

/** Where the anchor's row is now that its block has another height. */
export function rowOf(anchor: Anchor, height: number, width: number): number {
  const row = width === anchor.width ? anchor.row : Math.floor((anchor.row * height) / anchor.height);
  return Math.max(0, Math.min(row, height - 1));
}
