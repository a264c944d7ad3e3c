import { EmbedderError } from "../embedder-error.ts";
import { unitVector } from "../unit-vector.ts";

/** What an answer must be. */
export interface Expected {
  readonly host: string;
  readonly count: number;
  readonly dimensions: number;
}

/** The vectors of a service's answer, in the order of the texts, at length 1. Throws an EmbedderError for anything but that many vectors of that length. */
export function readAnswer(answer: unknown, { host, count, dimensions }: Expected): Float32Array[] {
  const wrong = (what: string, hint: string): EmbedderError =>
    new EmbedderError("bad_answer", `the embedding service ${host} ${what}`, hint);
  const data = isRecord(answer) ? answer["data"] : undefined;
  if (!Array.isArray(data))
    throw wrong("gave no list of vectors", "check that the base URL is the one of an OpenAI-compatible API");
  if (data.length !== count)
    throw wrong(`gave ${data.length} vectors for ${count} texts`, "check that the model makes embeddings");
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const [place, entry] of (data as unknown[]).entries()) {
    const index = isRecord(entry) && typeof entry["index"] === "number" ? entry["index"] : place;
    const numbers = isRecord(entry) ? entry["embedding"] : undefined;
    if (!Array.isArray(numbers) || !(index in vectors) || vectors[index] !== undefined)
      throw wrong("gave a list that is no list of vectors", "check that the model makes embeddings");
    if (numbers.length !== dimensions)
      throw wrong(
        `gave vectors of ${numbers.length} numbers where ${dimensions} are set`,
        `set the dimensions to ${numbers.length}, or name the model that was meant`,
      );
    if (!numbers.every((value) => typeof value === "number" && Number.isFinite(value)))
      throw wrong("gave a vector with something that is no number", "try again, or another model");
    vectors[index] = unitVector(Float32Array.from(numbers as number[]));
  }
  return vectors as Float32Array[];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
