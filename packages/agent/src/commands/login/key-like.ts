/** How keys of model services begin. */
const KEY = /^(?:sk|pk|rk|gsk|hf|xai|r8|AIza|ya29)[-_.\w]{14,}$/;

/** Whether a word may be a key, so that it is not repeated anywhere. */
export function mayBeKey(word: string): boolean {
  return /^[\w.-]{16,}$/.test(word) && /\d/.test(word);
}

/** Whether a word is a key rather than a word of a sentence. */
export function looksLikeKey(word: string): boolean {
  return mayBeKey(word) && KEY.test(word);
}
