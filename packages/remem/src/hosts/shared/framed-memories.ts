import { framedPieces, onlyPieces } from "../../core/framed/framed-pieces.ts";

/** The ids of the memories that stand in a framed text as a whole. */
export function wholeMemories(framed: string): string[] {
  return framedPieces(framed).flatMap(({ kind, id }) => (kind === "memory" && id !== undefined ? [id] : []));
}

/** The framed text without memories, and lines of memories, that are shown as a whole elsewhere; empty when nothing is left. */
export function withoutShown(framed: string, shown: ReadonlySet<string>): string {
  return onlyPieces(framed, ({ id }) => id === undefined || !shown.has(id));
}
