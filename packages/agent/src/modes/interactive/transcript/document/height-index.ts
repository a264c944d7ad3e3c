/**
 * Heights of a list of blocks with their prefix sums, as a Fenwick tree: changing a height, adding or removing at the end and
 * finding a row are O(log n). Heights are whole numbers from 0.
 */
export class HeightIndex {
  #heights: number[] = [];
  /** `#tree[i]` sums the heights of the `i & -i` blocks that end with block `i - 1`; index 0 is unused. */
  #tree: number[] = [0];
  #total = 0;

  get length(): number {
    return this.#heights.length;
  }

  /** The sum of all heights. */
  get total(): number {
    return this.#total;
  }

  height(index: number): number {
    return this.#heights[index] ?? 0;
  }

  push(height: number): void {
    this.#heights.push(height);
    this.#total += height;
    const at = this.#heights.length;
    let sum = height;
    for (let child = at - 1; child > at - (at & -at); child -= child & -child) sum += this.#tree[child]!;
    this.#tree.push(sum);
  }

  pop(): number {
    const height = this.#heights.pop() ?? 0;
    this.#total -= height;
    if (this.#tree.length > 1) this.#tree.pop();
    return height;
  }

  set(index: number, height: number): void {
    const change = height - this.height(index);
    if (change === 0) return;
    this.#heights[index] = height;
    this.#total += change;
    for (let at = index + 1; at < this.#tree.length; at += at & -at) this.#tree[at]! += change;
  }

  /** Replaces all heights; O(n). */
  fill(heights: readonly number[]): void {
    this.#heights = [];
    this.#tree = [0];
    this.#total = 0;
    for (const height of heights) this.push(height);
  }

  /** The first row of a block: the sum of the heights before it. */
  top(index: number): number {
    let sum = 0;
    for (let at = Math.min(index, this.length); at > 0; at -= at & -at) sum += this.#tree[at]!;
    return sum;
  }

  /** The block that holds a row, never one of height 0; the number of blocks when the row lies behind the last one. */
  find(row: number): number {
    let at = 0;
    let left = row;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.length))); step >= 1; step /= 2) {
      const next = at + step;
      if (next >= this.#tree.length || this.#tree[next]! > left) continue;
      at = next;
      left -= this.#tree[next]!;
    }
    return at;
  }
}
