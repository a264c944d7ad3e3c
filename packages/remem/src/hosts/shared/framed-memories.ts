/** One whole memory of a frame, one line of one, or the summary of a session. Their texts hold no markup of their own, so that what looks like one is one. */
const PIECE = /<(memory|session-summary|title)\b[^>]*>[\s\S]*?<\/\1>\n?/g;
const WHOLE = /^<memory\b[^>]*? id="([^"]*)"/;
const ANY = /^<(?:memory|title)\b[^>]*? id="([^"]*)"/;

/** The ids of the memories that stand in a framed text as a whole. */
export function wholeMemories(framed: string): string[] {
  return [...framed.matchAll(PIECE)].flatMap(([piece]) => WHOLE.exec(piece)?.[1] ?? []);
}

/** The framed text without memories, and lines of memories, that are shown as a whole elsewhere; empty when nothing is left. */
export function withoutShown(framed: string, shown: ReadonlySet<string>): string {
  let left = 0;
  const text = framed.replace(PIECE, (piece) => {
    if (shown.has(ANY.exec(piece)?.[1] ?? "")) return "";
    left++;
    return piece;
  });
  return left === 0 ? "" : text;
}
