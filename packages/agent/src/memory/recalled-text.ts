import { isRecalled } from "../contract/memory.ts";
import { type Message, textOf } from "../contract/messages.ts";

/** What the engine frames: a memory, the summary of a session, or one line of a memory. Their texts hold no markup of their own. */
const PIECE = /<(memory|session-summary|title)\b[^>]*>[\s\S]*?<\/\1>\n?/g;
const ID = /^<(?:memory|title)\b[^>]*? id="([^"]*)"/;

/** The framed text without what stands in the conversation already; empty when nothing is left. */
export function onlyNew(framed: string, messages: readonly Message[], alsoShown = ""): string {
  if (framed === "") return "";
  const shown = new Set<string>();
  for (const message of messages) if (isRecalled(message)) addPieces(textOf(message.parts), shown);
  addPieces(alsoShown, shown);
  let left = 0;
  const text = framed.replace(PIECE, (piece) => {
    if (shown.has(keyOf(piece))) return "";
    left++;
    return piece;
  });
  return left === 0 ? "" : text;
}

/** The ids of all memories in a framed text. */
export function recalledIds(framed: string): string[] {
  return [...framed.matchAll(PIECE)].flatMap(([piece]) => ID.exec(piece)?.[1] ?? []);
}

/** The framed text without these memories and without summaries of sessions; empty when nothing is left. */
export function withoutMemories(framed: string, ids: ReadonlySet<string>): string {
  let left = 0;
  const text = framed.replace(PIECE, (piece) => {
    if (piece.startsWith("<session-summary") || ids.has(ID.exec(piece)?.[1] ?? "")) return "";
    left++;
    return piece;
  });
  return left === 0 ? "" : text;
}

/** A whole memory stands for its line, too, and not the other way round. */
function addPieces(text: string, shown: Set<string>): void {
  for (const [piece] of text.matchAll(PIECE)) {
    shown.add(keyOf(piece));
    const id = ID.exec(piece)?.[1];
    if (id !== undefined) shown.add(`line ${id}`);
  }
}

function keyOf(piece: string): string {
  const id = ID.exec(piece)?.[1];
  if (id === undefined) return piece.trimEnd();
  return piece.startsWith("<title") ? `line ${id}` : `whole ${id}`;
}
