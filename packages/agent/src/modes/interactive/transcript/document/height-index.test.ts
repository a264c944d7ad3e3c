import { expect, test } from "bun:test";
import { HeightIndex } from "./height-index.ts";

/** The same by plain addition. */
function naive(heights: readonly number[]) {
  const top = (index: number) => heights.slice(0, index).reduce((sum, height) => sum + height, 0);
  return {
    top,
    find(row: number) {
      for (let i = 0; i < heights.length; i++) if (heights[i]! > 0 && row < top(i + 1)) return i;
      return heights.length;
    },
  };
}

function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("after any changes sums and searches are those of plain addition [T08]", () => {
  const index = new HeightIndex();
  const heights: number[] = [];
  const below = random(7);
  for (let round = 0; round < 400; round++) {
    const what = below(10);
    if (what < 5) {
      heights.push(below(4));
      index.push(heights.at(-1)!);
    } else if (what < 7) {
      heights.pop();
      index.pop();
    } else if (heights.length > 0) {
      const at = below(heights.length);
      heights[at] = below(6);
      index.set(at, heights[at]!);
    }
    const plain = naive(heights);
    expect(index.total).toBe(plain.top(heights.length));
    for (const row of [0, 1, below(20), index.total - 1, index.total])
      if (row >= 0) expect(index.find(row)).toBe(plain.find(row));
    const at = below(heights.length + 1);
    expect(index.top(at)).toBe(plain.top(at));
  }
});

test("a row is never found in a block of height 0", () => {
  const index = new HeightIndex();
  index.fill([0, 0, 2, 0, 0, 3, 0]);
  expect([0, 1, 2, 4, 5].map((row) => index.find(row))).toEqual([2, 2, 5, 5, 7]);
});
