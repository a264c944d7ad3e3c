import { EmbedderError } from "../embedder-error.ts";
import type { ModelFolder } from "./model-folder.ts";

/** Turns a text into the numbers of a model's tokens. */
export interface TextEncoder {
  /** At most the model's longest input; the sign that ends an input is kept when a text is cut. */
  encode(text: string): number[];
  /** What stands after the end of a shorter text. */
  readonly padding: number;
}

/** A character gives at most a few tokens and usually a fraction of one: more of a text is never read. */
const LETTERS_PER_TOKEN = 16;

/** The tokenizer of a model's folder. Rejects with an EmbedderError for one that is not known. */
export async function openTextEncoder(model: ModelFolder): Promise<TextEncoder> {
  const { Tokenizer } = await import("@huggingface/tokenizers");
  let tokenizer: InstanceType<typeof Tokenizer>;
  try {
    tokenizer = new Tokenizer(model.tokenizer, model.tokenizerConfig);
  } catch {
    throw new EmbedderError(
      "bad_model",
      `the tokenizer of ${model.modelPath} is of a kind that is not known`,
      "take a model with a tokenizer.json of WordPiece, BPE or Unigram",
    );
  }
  const ending = tokenizer.encode("").ids.at(-1);
  return {
    padding: paddingOf(model, (token) => tokenizer.token_to_id(token)),
    encode: (text) => {
      const { ids } = tokenizer.encode(text.slice(0, model.longest * LETTERS_PER_TOKEN).toWellFormed());
      if (ids.length <= model.longest) return ids;
      return ending !== undefined && ids.at(-1) === ending
        ? [...ids.slice(0, model.longest - 1), ending]
        : ids.slice(0, model.longest);
    },
  };
}

function paddingOf(model: ModelFolder, idOf: (token: string) => number | undefined): number {
  const padding = model.tokenizer["padding"];
  if (
    typeof padding === "object" &&
    padding !== null &&
    "pad_id" in padding &&
    typeof padding.pad_id === "number"
  )
    return padding.pad_id;
  const token = model.tokenizerConfig["pad_token"];
  return (typeof token === "string" ? idOf(token) : undefined) ?? 0;
}
