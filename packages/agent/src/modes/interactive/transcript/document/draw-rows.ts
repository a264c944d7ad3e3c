import type { Block, DrawContext } from "./block.ts";
import { fitRow } from "./row.ts";

/** A block must not take the program down: what cannot be drawn says so. */
export function drawRows(block: Block, context: DrawContext): string[] {
  try {
    return block.rows(context).map((row) => fitRow(row, context.width));
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : "unknown";
    return [fitRow(`[cannot be shown: ${JSON.stringify(message)}]`, context.width), ""];
  }
}
