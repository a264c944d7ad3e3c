import type { Detector, Span } from "../span.ts";
import { findKnownTokens } from "./known-tokens.ts";

/** The beginning of a known token that its line ends in, perhaps within a string that goes on in the next. */
const CUT =
  /(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|gl(?:pat|sa|c)[-_]|sk-(?:ant|proj|or|svcacct)-|[rsp]k_(?:live|test)_|xox[abceoprs]-|AIza|ya29\.|hf_|npm_|pypi-|SG\.|eyJ|AKIA|ASIA|hvs\.|dckr_pat_|shpat_|gsk_|xai-|do[opr]_v1_)[\w.-]{0,400}(?=[\\"'+ \t]{0,8}\r?\n)/g;
const GAP = /^[\\"'+ \t]{0,8}\r?\n[ \t>|+]{0,12}["']?/;
const PIECE = /^[\w.-]{4,400}/;
const MOST_LINES = 12;

/** Known tokens that a terminal or a mail program broke over lines. */
export const findWrappedTokens: Detector = (text) => {
  if (!text.includes("\n")) return [];
  const spans: Span[] = [];
  for (const cut of text.matchAll(CUT)) {
    const joined = join(text, cut.index, cut[0]);
    const found = findKnownTokens(joined.token).find(({ start }) => start === 0);
    // What the first line holds alone is found there; the rest must belong to the token, not to the next sentence.
    if (found !== undefined && joined.lines > 1 && joined.mixed)
      spans.push({ ...found, start: cut.index, end: joined.end } satisfies Span);
  }
  return spans;
};

interface Joined {
  readonly token: string;
  readonly end: number;
  readonly lines: number;
  /** Every further piece has digits and letters. */
  readonly mixed: boolean;
}

function join(text: string, start: number, first: string): Joined {
  let token = first;
  let end = start + first.length;
  let lines = 1;
  while (lines < MOST_LINES) {
    const gap = GAP.exec(text.slice(end, end + 40))?.[0];
    if (gap === undefined) break;
    const piece = PIECE.exec(text.slice(end + gap.length, end + gap.length + 400))?.[0];
    if (piece === undefined || !/\d/.test(piece) || !/[A-Za-z]/.test(piece)) break;
    token += piece;
    end += gap.length + piece.length;
    lines++;
  }
  return { token, end, lines, mixed: lines > 1 };
}
