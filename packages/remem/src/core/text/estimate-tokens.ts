const PIECES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|\p{Script=Latin}+|\p{N}+|[\p{L}\p{M}]+|\s+|[^\s]/gu;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const SPACE = /^\s/u;
const LATIN = /^\p{Script=Latin}/u;
const DIGITS = /^\p{N}/u;

/**
 * About how many tokens a model counts for a text, without its vocabulary: word pieces of Latin words, three digits a token,
 * a token for a sign or a letter of a dense script, half a token a letter elsewhere. Meant to err upwards.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) {
    if (SPACE.test(piece)) tokens += piece.includes("\n") || piece.length > 1 ? 1 : 0;
    else if (DENSE.test(piece)) tokens += 1;
    else if (DIGITS.test(piece)) tokens += Math.ceil(piece.length / 3);
    else if (LATIN.test(piece)) tokens += 1 + Math.floor((piece.length - 1) / 8);
    else tokens += Math.max(1, piece.length / 2);
  }
  return Math.ceil(tokens);
}
