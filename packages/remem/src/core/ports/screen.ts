/** One span that was taken out of a text. */
export interface ScreenFinding {
  /** The rule's name, such as `private-block`, `github-token`, `email`. */
  readonly rule: string;
  readonly category: "private" | "secret" | "personal" | "hidden";
  /** Offset in the text as it came, and the length of what was there, in UTF-16 units. */
  readonly offset: number;
  readonly length: number;
}

export interface Screened {
  /**
   * The text with each span replaced by a mark that names its rule: `[redacted:github-token]`. Hidden characters leave no mark: one in
   * the middle of a word would split what they split.
   */
  readonly text: string;
  /** In the order of their offsets; they do not overlap. */
  readonly findings: readonly ScreenFinding[];
}

/**
 * Takes private parts, secrets, personal data and hidden characters out of a text, by span. Screening what was screened changes
 * nothing. Never rejects: what cannot be screened comes back withheld.
 */
export interface Screen {
  screen(text: string): Promise<Screened>;
}
