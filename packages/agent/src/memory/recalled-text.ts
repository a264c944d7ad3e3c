import { type FramedPiece, framedPieces, onlyPieces } from "agentic-remem/framed";
import { isRecalled } from "../contract/memory.ts";
import { type Message, textOf } from "../contract/messages.ts";

/** The framed text without what stands in the conversation already; empty when nothing is left. */
export function onlyNew(framed: string, messages: readonly Message[], alsoShown = ""): string {
  if (framed === "") return "";
  const shown = new Set<string>();
  for (const message of messages) if (isRecalled(message)) addPieces(textOf(message.parts), shown);
  addPieces(alsoShown, shown);
  return onlyPieces(framed, (piece) => !shown.has(keyOf(piece)));
}

/** The ids of all memories in a framed text. */
export function recalledIds(framed: string): string[] {
  return framedPieces(framed).flatMap(({ id }) => id ?? []);
}

/** The framed text without these memories and without summaries of sessions; empty when nothing is left. */
export function withoutMemories(framed: string, ids: ReadonlySet<string>): string {
  return onlyPieces(framed, ({ kind, id }) => kind !== "session-summary" && !ids.has(id ?? ""));
}

/** A whole memory stands for its line, too, and not the other way round. */
function addPieces(text: string, shown: Set<string>): void {
  for (const piece of framedPieces(text)) {
    shown.add(keyOf(piece));
    if (piece.id !== undefined) shown.add(`line ${piece.id}`);
  }
}

function keyOf({ kind, id, text }: FramedPiece): string {
  if (id === undefined) return text.trimEnd();
  return kind === "title" ? `line ${id}` : `whole ${id}`;
}
