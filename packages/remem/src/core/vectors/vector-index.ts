import { createDotKernel, type DotKernel } from "./dot-kernel.ts";
import { type PackedVector, packVector } from "./packed-vector.ts";

const LANES = 16;
const PAGE = 65_536;
const QUERY_ADDRESS = 0;
/** Least squared part of a vector that is counted as its own; less would blow up rounding. */
const LEAST_REST = 0.05;
const OUT_OF_SCOPE = -2;
/** With so many rows, half of their common direction is taken out of each. */
const FEW = 8;

/**
 * All vectors of one space, in memory, a byte a number. A scan of 100,000 vectors takes a few milliseconds, so there is no
 * approximation and nothing to build. Rows are known by the store's row number and added in any order.
 */
export class VectorIndex {
  readonly #kernel: DotKernel = createDotKernel();
  readonly #width: number;
  readonly #rowsAddress: number;
  readonly #dimensions: number;
  #capacity = 0;
  /** All of the kernel's memory: a view a row would cost more than copying the row. */
  #bytes = new Int8Array(0);
  #rows = new Float64Array(0);
  #scopes = new Uint32Array(0);
  #largestScope = 0;
  #scales = new Float32Array(0);
  #centre: Float64Array;
  #positions = new Map<number, number>();
  #cachedFactors = new Float32Array(0);

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#width = Math.ceil(dimensions / LANES) * LANES;
    this.#rowsAddress = this.#width;
    this.#centre = new Float64Array(dimensions);
  }

  get size(): number {
    return this.#positions.size;
  }

  has(row: number): boolean {
    return this.#positions.has(row);
  }

  /** Adds a row, or does nothing for one that is there. Throws a RangeError for a vector of another length. */
  add(row: number, scope: number, vector: PackedVector): void {
    if (vector.values.length !== this.#dimensions)
      throw new RangeError(
        `a vector of ${vector.values.length} numbers in a space of ${this.#dimensions}: it is of another model`,
      );
    if (this.#positions.has(row)) return;
    const position = this.size;
    if (position === this.#capacity) this.#grow();
    this.#bytes.set(vector.values, this.#rowsAddress + position * this.#width);
    this.#rows[position] = row;
    this.#scopes[position] = scope;
    this.#largestScope = Math.max(this.#largestScope, scope);
    this.#scales[position] = vector.scale;
    this.#positions.set(row, position);
    const { values, scale } = vector;
    const centre = this.#centre;
    for (let index = 0; index < values.length; index++) centre[index]! += values[index]! * scale;
  }

  /**
   * How alike the query and every row of the scopes are, -1 to 1, after what all rows have in common is taken out of both:
   * what everybody says tells nothing apart. `scopes` undefined: all.
   */
  scan(query: Float32Array, scopes: ReadonlySet<number> | undefined): VectorScan {
    const centre = unit(this.#centre);
    const common = this.#commonPart();
    const along = centre === undefined ? 0 : product(query, centre);
    const length = Math.sqrt(Math.max(0, product(query, query) - common * along * along));
    const rest = query.map((value, index) => value - common * along * (centre?.[index] ?? 0));
    const packed = length > 1e-6 ? packVector(rest) : undefined;
    if (packed === undefined || this.size === 0) return EMPTY_SCAN;
    const factors = this.#factors(centre);
    const dots = this.#dots(packed);
    const likeness = new Float32Array(this.size);
    const unscale = packed.scale / length;
    const wanted = this.#wantedScopes(scopes);
    for (let position = 0; position < likeness.length; position++)
      likeness[position] =
        wanted[this.#scopes[position]!] === 1 ? dots[position]! * factors[position]! * unscale : OUT_OF_SCOPE;
    return new IndexScan(likeness, this.#rows, this.#positions);
  }

  /** 1 at the number of each scope that is wanted: a set would be asked once a row, which costs as much as the products. */
  #wantedScopes(scopes: ReadonlySet<number> | undefined): Uint8Array {
    const wanted = new Uint8Array(this.#largestScope + 1);
    if (scopes === undefined) return wanted.fill(1);
    for (const scope of scopes) if (scope < wanted.length) wanted[scope] = 1;
    return wanted;
  }

  /** How much of what vectors share along the centre is taken out of a product of two: of a few rows, the centre is their own meaning. */
  #commonPart(): number {
    const kept = FEW / (this.size + FEW);
    return 1 - kept * kept;
  }

  /** What turns a row's whole-number product into its part of a cosine; kept until rows are added. */
  #factors(centre: Float64Array | undefined): Float32Array {
    if (this.#cachedFactors.length === this.size) return this.#cachedFactors;
    const packed = centre === undefined ? undefined : packVector(Float32Array.from(centre));
    const dots = packed === undefined ? undefined : this.#dots(packed);
    const factors = this.#scales.slice(0, this.size);
    const common = this.#commonPart();
    if (packed !== undefined && dots !== undefined)
      for (let position = 0; position < factors.length; position++) {
        const along = dots[position]! * factors[position]! * packed.scale;
        factors[position]! /= Math.sqrt(Math.max(LEAST_REST, 1 - common * along * along));
      }
    this.#cachedFactors = factors;
    return factors;
  }

  /** A view of the kernel's memory: it holds until the next product or the next row. */
  #dots(vector: PackedVector): Int32Array {
    const memory = this.#kernel.memory;
    const query = new Int8Array(memory.buffer, QUERY_ADDRESS, this.#width);
    query.fill(0);
    query.set(vector.values);
    const out = this.#rowsAddress + this.#capacity * this.#width;
    this.#kernel.dot(QUERY_ADDRESS, this.#rowsAddress, out, this.size, this.#width);
    return new Int32Array(memory.buffer, out, this.size);
  }

  #grow(): void {
    this.#capacity = Math.max(1024, this.#capacity * 2);
    const bytes = this.#rowsAddress + this.#capacity * (this.#width + 4);
    const missing = Math.ceil(bytes / PAGE) - this.#kernel.memory.buffer.byteLength / PAGE;
    if (missing > 0) this.#kernel.memory.grow(missing);
    this.#bytes = new Int8Array(this.#kernel.memory.buffer);
    this.#rows = copied(new Float64Array(this.#capacity), this.#rows);
    this.#scopes = copied(new Uint32Array(this.#capacity), this.#scopes);
    this.#scales = copied(new Float32Array(this.#capacity), this.#scales);
  }
}

/** The outcome of one scan. */
export interface VectorScan {
  /** The likeness of a row, or undefined for one without a vector. */
  read(row: number): number | undefined;
  /** The most alike rows of the scopes, best first, at most `limit`. */
  best(limit: number): readonly number[];
}

const EMPTY_SCAN: VectorScan = { read: () => undefined, best: () => [] };

class IndexScan implements VectorScan {
  readonly #likeness: Float32Array;
  readonly #rows: Float64Array;
  readonly #positions: ReadonlyMap<number, number>;

  constructor(likeness: Float32Array, rows: Float64Array, positions: ReadonlyMap<number, number>) {
    this.#likeness = likeness;
    this.#rows = rows;
    this.#positions = positions;
  }

  read(row: number): number | undefined {
    const value = this.#likeness[this.#positions.get(row) ?? -1];
    return value === undefined || value === OUT_OF_SCOPE ? undefined : value;
  }

  best(limit: number): readonly number[] {
    const kept: { row: number; value: number }[] = [];
    let floor = OUT_OF_SCOPE;
    for (let position = 0; position < this.#likeness.length; position++) {
      const value = this.#likeness[position]!;
      if (value <= floor) continue;
      insertSorted(kept, { row: this.#rows[position]!, value });
      if (kept.length < limit) continue;
      if (kept.length > limit) kept.pop();
      floor = kept.at(-1)!.value;
    }
    return kept.map(({ row }) => row);
  }
}

function insertSorted(kept: { row: number; value: number }[], entry: { row: number; value: number }): void {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (kept[middle]!.value >= entry.value) low = middle + 1;
    else high = middle;
  }
  kept.splice(low, 0, entry);
}

function copied<T extends Float64Array | Uint32Array | Float32Array>(into: T, from: T): T {
  into.set(from);
  return into;
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}

function unit(vector: Float64Array): Float64Array | undefined {
  const length = Math.sqrt(product(vector, vector));
  return length > 1e-9 ? vector.map((value) => value / length) : undefined;
}
