import type { Embedder, EmbeddingSpace } from "../core/ports/embedder.ts";
import { EmbedderError } from "./embedder-error.ts";
import { type ModelFolder, readModelFolder } from "./onnx/model-folder.ts";
import { poolOutput } from "./onnx/pool.ts";
import { type InferenceSession, loadOnnxRuntime, type OnnxRuntime, type Tensor } from "./onnx/runtime.ts";
import { openTextEncoder, type TextEncoder } from "./onnx/text-encoder.ts";

export interface OnnxEmbedderOptions {
  /** A folder with `model.onnx` (or `onnx/model*.onnx`) and `tokenizer.json`. */
  readonly folder: string;
  /** Where ONNX Runtime is looked for after the model's folder, upwards from each. */
  readonly runtimeFolders?: readonly string[];
  /** How much the vectors count against words, 0 to 1. Default 0.4. */
  readonly weight?: number;
}

const MODEL_WEIGHT = 0.4;
const BATCH = 16;
/** Outputs that models give, the one that is pooled already first; else the first output. */
const OUTPUTS = ["sentence_embedding", "last_hidden_state", "token_embeddings"];

/** An embedder on a model in a local folder. Rejects with an EmbedderError when the folder is not complete; the model itself is loaded at its first use. */
export async function openOnnxEmbedder(options: OnnxEmbedderOptions): Promise<OnnxEmbedder> {
  return new OnnxEmbedder(await readModelFolder(options.folder), options);
}

interface LoadedModel {
  readonly runtime: OnnxRuntime;
  readonly session: InferenceSession;
  readonly encoder: TextEncoder;
}

/** Sentence embeddings in this process, without a network. */
export class OnnxEmbedder implements Embedder, AsyncDisposable {
  readonly immediate = false;
  readonly space: EmbeddingSpace;
  readonly #folder: ModelFolder;
  readonly #runtimeFolders: readonly string[];
  #loading: Promise<LoadedModel> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    folder: ModelFolder,
    { folder: path, runtimeFolders = [], weight = MODEL_WEIGHT }: OnnxEmbedderOptions,
  ) {
    this.#folder = folder;
    this.#runtimeFolders = [path, ...runtimeFolders, import.meta.dirname];
    this.space = { fingerprint: folder.fingerprint, dimensions: folder.dimensions, weight };
  }

  async embed(
    texts: readonly string[],
    purpose: "document" | "query",
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const model = await this.#load();
    const prefix = this.#folder.prefixes[purpose];
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += BATCH) {
      signal?.throwIfAborted();
      const some = texts.slice(start, start + BATCH).map((text) => prefix + text);
      vectors.push(...(await this.#inTurn(() => this.#run(model, some))));
    }
    return vectors;
  }

  /** Frees the model. */
  async [Symbol.asyncDispose](): Promise<void> {
    const loading = this.#loading;
    this.#loading = undefined;
    await this.#last;
    await (await loading?.catch(() => undefined))?.session.release();
  }

  #load(): Promise<LoadedModel> {
    if (this.#loading === undefined) {
      const loading = this.#open();
      this.#loading = loading;
      // What was missing may be installed meanwhile.
      loading.catch(() => {
        if (this.#loading === loading) this.#loading = undefined;
      });
    }
    return this.#loading;
  }

  async #open(): Promise<LoadedModel> {
    const runtime = await loadOnnxRuntime(this.#runtimeFolders);
    const encoder = await openTextEncoder(this.#folder);
    const { modelPath } = this.#folder;
    try {
      return { runtime, encoder, session: await runtime.InferenceSession.create(modelPath) };
    } catch {
      throw new EmbedderError(
        "bad_model",
        `${modelPath} is no model that ONNX Runtime can load`,
        "copy the file of the model again",
      );
    }
  }

  /** A session takes one run at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work, work);
    this.#last = run.catch(() => undefined);
    return run;
  }

  async #run({ runtime, session, encoder }: LoadedModel, texts: readonly string[]): Promise<Float32Array[]> {
    const { dimensions, modelPath, pooling } = this.#folder;
    const ids = texts.map((text) => encoder.encode(text));
    const width = Math.max(1, ...ids.map(({ length }) => length));
    const shaped = (value: (text: readonly number[], token: number) => number): Tensor =>
      new runtime.Tensor(
        "int64",
        BigInt64Array.from(
          ids.flatMap((text) => Array.from({ length: width }, (_, token) => BigInt(value(text, token)))),
        ),
        [ids.length, width],
      );
    const inputs: Readonly<Record<string, () => Tensor>> = {
      input_ids: () => shaped((text, token) => text[token] ?? encoder.padding),
      attention_mask: () => shaped((text, token) => (token < text.length ? 1 : 0)),
      token_type_ids: () => shaped(() => 0),
      position_ids: () => shaped((_, token) => token),
    };
    const feeds = Object.fromEntries(
      session.inputNames.map((name) => {
        const input = inputs[name];
        if (input === undefined)
          throw new EmbedderError(
            "bad_model",
            `${modelPath} asks for an input "${name}", which is not known here`,
            "take a model for sentence embeddings",
          );
        return [name, input()];
      }),
    );
    const outputs = await session.run(feeds);
    const tensor = outputs[OUTPUTS.find((name) => name in outputs) ?? session.outputNames[0]!];
    const vectors =
      tensor === undefined
        ? undefined
        : poolOutput({ tensor, lengths: ids.map(({ length }) => length), dimensions }, pooling);
    if (vectors === undefined)
      throw new EmbedderError(
        "bad_model",
        `${modelPath} gives an output of shape ${tensor?.dims.join(" × ")} where vectors of ${dimensions} numbers were expected`,
        "check the folder's config.json and 1_Pooling/config.json",
      );
    return vectors;
  }
}
