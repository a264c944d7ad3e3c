/** Hidden characters side by side with one verdict. `codePoint` is the first one: NO_CHARACTER for a byte that is no UTF-8. */
export interface Hit {
  offset: number;
  bytes: number;
  count: number;
  codePoint: number;
  /** Not all are the same. */
  mixed: boolean;
  /** From 0. */
  line: number;
  /** Offset of the line's first byte. */
  lineStart: number;
}
