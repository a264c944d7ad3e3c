import type { CommandBlock } from "../../../contract/command.ts";
import type { SlashOutcome } from "../../../contract/slash-command.ts";

/** An outcome of paragraphs. */
export function said(...paragraphs: string[]): SlashOutcome {
  return { blocks: paragraphs.map(text) };
}

/** A failed outcome: what happened, with the value, and what to do. Empty hints are left out. */
export function refused(what: string, ...hints: string[]): SlashOutcome {
  return { blocks: [what, ...hints].filter((paragraph) => paragraph !== "").map(text), failed: true };
}

/** The outcome of a question that was dismissed. */
export function declined(): SlashOutcome {
  return { blocks: [text("Nothing was changed.")], declined: true };
}

/** A block of plain text. */
export function text(paragraph: string): CommandBlock {
  return { kind: "text", text: paragraph };
}

/** A block of cells; `head` may be empty. */
export function table(head: string[], rows: string[][]): CommandBlock {
  return { kind: "table", head, rows };
}
