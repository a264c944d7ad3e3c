import type { CommandBlock } from "../../contract/command.ts";

/** Whether a command's result is short enough to be part of the conversation on a screen with so many rows for it. */
export function fitsConversation(blocks: readonly CommandBlock[], rows: number): boolean {
  const lines = blocks.reduce(
    (sum, block) => sum + (block.kind === "table" ? block.rows.length + 2 : block.text.split("\n").length),
    0,
  );
  return lines <= Math.max(5, rows - 2);
}
