/** What stands between the marks of a frame: a whole memory, the summary of a session, or one line of a memory. */
export interface FramedPiece {
  readonly kind: "memory" | "session-summary" | "title";
  /** The memory's; undefined for a summary. */
  readonly id: string | undefined;
  /** As it stands there, with what separates it from the next one. */
  readonly text: string;
}

/** Texts of memories are inert inside of a frame, so that what looks like a piece is one. */
const PIECE = /<(memory|session-summary|title)\b[^>]*>[\s\S]*?<\/\1>\n?/g;
const ID = /^<(?:memory|title)\b[^>]*? id="([^"]*)"/;

/** The pieces of a framed text, in their order. */
export function framedPieces(framed: string): FramedPiece[] {
  return [...framed.matchAll(PIECE)].map(([text, kind]) => piece(text, kind));
}

/** The framed text with those pieces only that are wanted, everything else as it was; empty when none is left. */
export function onlyPieces(framed: string, wanted: (piece: FramedPiece) => boolean): string {
  let left = 0;
  const text = framed.replace(PIECE, (found: string, kind: string) => {
    if (!wanted(piece(found, kind))) return "";
    left++;
    return found;
  });
  return left === 0 ? "" : text;
}

function piece(text: string, kind: string | undefined): FramedPiece {
  return { kind: kind as FramedPiece["kind"], id: ID.exec(text)?.[1], text };
}
