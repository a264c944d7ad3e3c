/** The vector at length 1, in place; one of zeros stays so. */
export function unitVector(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (length > 0) for (let index = 0; index < vector.length; index++) vector[index]! /= length;
  return vector;
}
