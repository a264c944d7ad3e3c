/** How keys of model services begin. */
const KEY = /^(?:sk|pk|rk|gsk|hf|xai|r8|AIza|ya29)[-_.\w]{14,}$/;
/** How a key is handed over by its name: `OPENAI_API_KEY=…`, `key=…`. */
const NAMED = /^\w*(?:key|token|secret)[=:]/i;
/** Keys of some services are base64: letters of both cases, digits, and what no word of a sentence has. */
const BASE64 = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/]{16,}={0,2}$/;

/** Whether a word may be a key, so that it is not repeated anywhere. */
export function mayBeKey(word: string): boolean {
  const value = bareKey(word);
  return /\d/.test(value) && (/^[\w.-]{16,}$/.test(value) || BASE64.test(value));
}

/** Whether words behind `login` or `logout` hold a key: what was meant as one must not become a prompt, which would be sent to a model. */
export function holdsKey(words: readonly string[]): boolean {
  return (words.length === 2 && mayBeKey(words[1]!)) || words.some(looksLikeKey);
}

/** Whether a word is a key rather than a word of a sentence. */
function looksLikeKey(word: string): boolean {
  return mayBeKey(word) && (NAMED.test(word) || KEY.test(bareKey(word)));
}

/** Without a name before it and quotation marks around it. */
function bareKey(word: string): string {
  return word.replace(NAMED, "").replace(/^(["'])(.*)\1$/, "$2");
}
