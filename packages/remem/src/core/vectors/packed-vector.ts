/** A vector of length 1 as whole numbers of -127 to 127 and the factor that gives the real ones back. */
export interface PackedVector {
  readonly values: Int8Array;
  readonly scale: number;
}

const LARGEST = 127;

/** Packs a vector into a byte a number. A vector that is no vector (NaN, infinite, all zeros) gives undefined: it can be compared with nothing. */
export function packVector(vector: Float32Array): PackedVector | undefined {
  let largest = 0;
  for (const value of vector) {
    if (!Number.isFinite(value)) return undefined;
    largest = Math.max(largest, Math.abs(value));
  }
  if (largest === 0) return undefined;
  const scale = largest / LARGEST;
  return { values: Int8Array.from(vector, (value) => Math.round(value / scale)), scale };
}
