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

/**
 * What a store keeps for a text's vector: packed, or blank for the zeros of a text that has none, so that it is not asked for again.
 * Undefined for NaN, another length and the like: that is an error of the embedder, and may be better next time.
 */
export function storedVector(vector: Float32Array, dimensions: number): PackedVector | undefined {
  if (vector.length !== dimensions) return undefined;
  if (vector.every((value) => value === 0)) return { values: new Int8Array(vector.length), scale: 0 };
  return packVector(vector);
}

/** Whether a stored vector says that its text has none. */
export function isBlank({ scale }: PackedVector): boolean {
  return scale === 0;
}
