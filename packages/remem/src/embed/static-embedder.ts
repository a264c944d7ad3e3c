import { readFile } from "node:fs/promises";
import type { Embedder, EmbeddingSpace } from "../core/ports/embedder.ts";
import { words } from "../core/text/tokenize.ts";
import { BUNDLED_VECTORS, readBundledVectors } from "./bundled-vectors.ts";
import { unitVector } from "./unit-vector.ts";
import { WordPositions } from "./word-positions.ts";

const MAGIC = 0x314d4553;
const HEADER_BYTES = 16;

interface WordVectors {
  readonly dimensions: number;
  readonly numbers: Int8Array;
  readonly positions: WordPositions;
}

/**
 * The default embedder: a text's vector is the sum of its words' vectors, from one 2.1 MB file that is read at the first
 * use. It needs no network and no model, knows English words only, and is weak: it counts 0.3 against the words themselves.
 */
export class StaticEmbedder implements Embedder {
  readonly immediate = true;
  readonly space: EmbeddingSpace = { fingerprint: "glove-static-20k-v1", dimensions: 100, weight: 0.3 };
  readonly #path: string;
  #loading: Promise<WordVectors> | undefined;

  constructor(path: string = BUNDLED_VECTORS) {
    this.#path = path;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.#loading ??= loadWordVectors(this.#path, this.space.dimensions);
    const vectors = await this.#loading;
    return texts.map((text) => embedText(text, vectors));
  }
}

async function loadWordVectors(path: string, dimensions: number): Promise<WordVectors> {
  const file = await (path === BUNDLED_VECTORS ? readBundledVectors() : readFile(path));
  const count = file.byteLength >= HEADER_BYTES ? file.readUInt32LE(4) : 0;
  const end = HEADER_BYTES + count * dimensions;
  if (
    count === 0 ||
    file.readUInt32LE(0) !== MAGIC ||
    file.readUInt32LE(8) !== dimensions ||
    file.byteLength < end
  )
    throw new Error(`${path} holds no word vectors of ${dimensions} dimensions: install the package again`);
  return {
    dimensions,
    numbers: new Int8Array(file.buffer, file.byteOffset + HEADER_BYTES, count * dimensions),
    positions: new WordPositions(file.subarray(end)),
  };
}

function embedText(text: string, { dimensions, numbers, positions }: WordVectors): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const word of words(text)) {
    const position = positions.of(word);
    if (position === undefined) continue;
    const start = position * dimensions;
    for (let dimension = 0; dimension < dimensions; dimension++)
      sum[dimension]! += numbers[start + dimension]!;
  }
  return unitVector(sum);
}
