/** So many words are looked for one by one; from then on all are kept ready. */
const FEW = 200;

/**
 * Where words stand in a list of names, one a line. To search for the few words of a question takes a fiftieth of the time of putting
 * twenty thousand names into a table, which pays off only for many.
 */
export class WordPositions {
  readonly #names: Buffer;
  readonly #known = new Map<string, number | undefined>();
  #starts: Uint32Array | undefined;
  #table: ReadonlyMap<string, number> | undefined;

  constructor(names: Buffer) {
    this.#names = names;
  }

  /** The line of a word, from 0; undefined when it is not among them. */
  of(word: string): number | undefined {
    if (this.#table !== undefined) return this.#table.get(word);
    if (this.#known.has(word)) return this.#known.get(word);
    if (this.#known.size >= FEW) {
      this.#table = new Map(this.#lines().map((name, position) => [name, position]));
      return this.#table.get(word);
    }
    const position = this.#search(word);
    this.#known.set(word, position);
    return position;
  }

  #lines(): string[] {
    return this.#names.toString("utf8").split("\n");
  }

  #search(word: string): number | undefined {
    if (word === "" || word.includes("\n")) return undefined;
    const bytes = Buffer.from(word);
    const isWhole = (at: number): boolean =>
      (at === 0 || this.#names[at - 1] === NEW_LINE) &&
      (at + bytes.length === this.#names.length || this.#names[at + bytes.length] === NEW_LINE);
    if (this.#names.subarray(0, bytes.length).equals(bytes) && isWhole(0)) return 0;
    const line = Buffer.concat([LINE_END, bytes]);
    for (let at = this.#names.indexOf(line); at >= 0; at = this.#names.indexOf(line, at + 1))
      if (isWhole(at + 1)) return this.#lineAt(at + 1);
    return undefined;
  }

  /** How many lines begin before the one that begins at `offset`. */
  #lineAt(offset: number): number {
    this.#starts ??= lineStarts(this.#names);
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const NEW_LINE = 10;
const LINE_END = Buffer.from("\n");

function lineStarts(names: Buffer): Uint32Array {
  const starts = [0];
  for (let at = names.indexOf(NEW_LINE); at >= 0; at = names.indexOf(NEW_LINE, at + 1)) starts.push(at + 1);
  return Uint32Array.from(starts);
}
