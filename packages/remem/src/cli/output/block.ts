/** A part of what people read. */
export type Block = string | Table;

/** Rows in columns. On a terminal the last column is cut to fit; where that leaves too little, rows become lines. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}
