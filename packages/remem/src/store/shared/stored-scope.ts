/** A scope as a store knows it. */
export interface StoredScope {
  readonly number: number;
  /** The text of the scope; that of the project it was linked to, when a person joined two. */
  readonly key: string;
}

/** What a scope belongs to, as tables of sessions and summaries write it; empty for what holds everywhere. */
export function projectOf({ key }: StoredScope): string {
  return key.includes(":") ? key.slice(key.indexOf(":") + 1) : "";
}
