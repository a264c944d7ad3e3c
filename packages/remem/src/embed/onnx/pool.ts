import { unitVector } from "../unit-vector.ts";
import type { Pooling } from "./model-folder.ts";
import type { Tensor } from "./runtime.ts";

/** What a model gave for a batch of texts. */
export interface ModelOutput {
  /** Texts × vector, or texts × tokens × vector. */
  readonly tensor: Tensor;
  /** Tokens of each text; what comes after them is padding. */
  readonly lengths: readonly number[];
  readonly dimensions: number;
}

/** One vector of length 1 a text; undefined when the output has another shape. */
export function poolOutput(
  { tensor, lengths, dimensions }: ModelOutput,
  pooling: Pooling,
): Float32Array[] | undefined {
  const { dims, data } = tensor;
  if (dims[0] !== lengths.length || dims.at(-1) !== dimensions) return undefined;
  const numberAt = (index: number): number => Number(data[index]);
  if (dims.length === 2)
    return lengths.map((_, text) =>
      unitVector(
        Float32Array.from({ length: dimensions }, (_value, index) => numberAt(text * dimensions + index)),
      ),
    );
  if (dims.length !== 3) return undefined;
  const tokens = dims[1]!;
  return lengths.map((length, text) => {
    const sum = new Float32Array(dimensions);
    const counted = pooling === "cls" ? 1 : length;
    for (let token = 0; token < counted; token++)
      for (let index = 0; index < dimensions; index++)
        sum[index]! += numberAt((text * tokens + token) * dimensions + index);
    return unitVector(sum);
  });
}
