import { expect, test } from "bun:test";
import { packVector } from "./packed-vector.ts";
import { VectorIndex } from "./vector-index.ts";

const WIDTH = 37;

function vectorOf(seed: number): Float32Array {
  let state = seed;
  const vector = Float32Array.from({ length: WIDTH }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function filled(count: number): VectorIndex {
  const index = new VectorIndex(WIDTH);
  for (let row = 1; row <= count; row++) index.add(row, row % 2, packVector(vectorOf(row))!);
  return index;
}

test("finds the vector that was asked for among thousands, past every growth", () => {
  const index = filled(3_000);
  for (const row of [1, 1024, 1025, 3000]) {
    const scan = index.scan(vectorOf(row), undefined);
    expect(scan.best(1)).toEqual([row]);
    expect(scan.read(row)).toBeCloseTo(1, 1);
  }
});

test("is as exact as bytes allow", () => {
  const index = new VectorIndex(WIDTH);
  const [a, b] = [vectorOf(1), vectorOf(2)];
  // Opposite pairs have no common part, so what is left is the plain cosine.
  for (const [row, vector] of [a, b, a.map((value) => -value), b.map((value) => -value)].entries())
    index.add(row, 0, packVector(vector)!);
  const cosine = a.reduce((sum, value, position) => sum + value * b[position]!, 0);
  expect(index.scan(a, undefined).read(1)).toBeCloseTo(cosine, 1);
});

test("gives no row of another scope, and none twice", () => {
  const scan = filled(50).scan(vectorOf(3), new Set([0]));
  const best = scan.best(100);
  expect(best.every((row) => row % 2 === 0)).toBe(true);
  expect(new Set(best).size).toBe(25);
  expect(scan.read(3)).toBeUndefined();
});

test("refuses a vector of another length", () => {
  expect(() => filled(1).add(9, 0, packVector(Float32Array.of(1, 2))!)).toThrow("another model");
});

test("what is no vector is not packed [R13]", () => {
  expect(packVector(Float32Array.of(1, Number.NaN))).toBeUndefined();
  expect(packVector(Float32Array.of(0, 0))).toBeUndefined();
  expect(packVector(Float32Array.of(1, Number.POSITIVE_INFINITY))).toBeUndefined();
});

test("an empty index and an empty question find nothing", () => {
  expect(new VectorIndex(WIDTH).scan(vectorOf(1), undefined).best(5)).toEqual([]);
  expect(filled(3).scan(new Float32Array(WIDTH), undefined).best(5)).toEqual([]);
});

test("the only vector of a store is found by what it means, not taken for what everybody says", () => {
  const index = new VectorIndex(WIDTH);
  index.add(1, 0, packVector(vectorOf(1))!);
  expect(index.scan(vectorOf(1), undefined).read(1)).toBeGreaterThan(0.9);
});
