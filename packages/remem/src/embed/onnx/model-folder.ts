import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { EmbedderError } from "../embedder-error.ts";
import { spaceFingerprint } from "../fingerprint.ts";

export type Pooling = "mean" | "cls";

/** What a folder of a sentence-embedding model says about itself. */
export interface ModelFolder {
  readonly modelPath: string;
  readonly tokenizer: Readonly<Record<string, unknown>>;
  readonly tokenizerConfig: Readonly<Record<string, unknown>>;
  readonly pooling: Pooling;
  readonly dimensions: number;
  /** Tokens of a text that are read. */
  readonly longest: number;
  readonly prefixes: { readonly query: string; readonly document: string };
  /** Over the bytes of the model, its tokenizer, its pooling and its prefixes. */
  readonly fingerprint: string;
}

const LONGEST = 512;
/** The usual places, the most exact form first; then any other `onnx/model*.onnx`. */
const MODEL_FILES = ["model.onnx", "onnx/model.onnx"];
const PREFIX_NAMES = { query: ["query"], document: ["document", "passage"] } as const;

type Json = Readonly<Record<string, unknown>>;

/** Reads a folder as it is published with sentence-embedding models. Rejects with an EmbedderError that says what is missing. */
export async function readModelFolder(folder: string): Promise<ModelFolder> {
  const modelPath = join(folder, await findModel(folder));
  const tokenizerText = await readText(join(folder, "tokenizer.json"));
  if (tokenizerText === undefined) throw missing(folder, "tokenizer.json");
  const json = (path: string): Promise<Json> => readJson(folder, path);
  const [tokenizerConfig, config, pooling, sentence, prompts] = await Promise.all([
    json("tokenizer_config.json"),
    json("config.json"),
    json("1_Pooling/config.json"),
    json("sentence_bert_config.json"),
    json("config_sentence_transformers.json"),
  ]);
  const kind = poolingOf(pooling, folder);
  const prefixes = prefixesOf(prompts);
  const dimensions = pooling["word_embedding_dimension"] ?? config["hidden_size"];
  if (typeof dimensions !== "number" || !Number.isInteger(dimensions) || dimensions < 1)
    throw new EmbedderError(
      "bad_model",
      `the model in ${folder} does not say how long its vectors are`,
      "copy its config.json (hidden_size) or 1_Pooling/config.json (word_embedding_dimension) into the folder",
    );
  const lengths = [sentence["max_seq_length"], tokenizerConfig["model_max_length"]];
  const longest = Math.min(
    LONGEST,
    ...(lengths.filter((length) => typeof length === "number" && length > 2) as number[]),
  );
  return {
    modelPath,
    tokenizer: parse(tokenizerText, join(folder, "tokenizer.json")),
    tokenizerConfig,
    pooling: kind,
    dimensions,
    longest,
    prefixes,
    fingerprint: spaceFingerprint("onnx", [
      await hashOf(modelPath),
      tokenizerText,
      kind,
      longest,
      prefixes.query,
      prefixes.document,
    ]),
  };
}

async function findModel(folder: string): Promise<string> {
  const named = async (below: string): Promise<string[]> => {
    try {
      return (await readdir(join(folder, below)))
        .filter((name) => /^model.*\.onnx$/.test(name))
        .map((name) => (below === "" ? name : `${below}/${name}`))
        .sort();
    } catch {
      return [];
    }
  };
  const found = [...(await named("")), ...(await named("onnx"))];
  const model = MODEL_FILES.find((name) => found.includes(name)) ?? found[0];
  if (model === undefined) throw missing(folder, "model.onnx (or onnx/model.onnx)");
  return model;
}

function missing(folder: string, name: string): EmbedderError {
  return new EmbedderError(
    "bad_model",
    `${folder} holds no ${name}`,
    "name the folder of a sentence-embedding model that was exported to ONNX, with its tokenizer.json",
  );
}

/** How the vectors of tokens become one; a folder that does not say means the mean. */
function poolingOf(config: Json, folder: string): Pooling {
  const chosen = Object.keys(config).filter((key) => key.startsWith("pooling_mode_") && config[key] === true);
  const [mode = "pooling_mode_mean_tokens"] = chosen;
  if (chosen.length <= 1 && mode === "pooling_mode_mean_tokens") return "mean";
  if (chosen.length === 1 && mode === "pooling_mode_cls_token") return "cls";
  throw new EmbedderError(
    "bad_model",
    `the model in ${folder} pools by ${chosen.join(" and ")}, which is not known here`,
    "take a model that pools by the mean of its tokens or by its first token",
  );
}

function prefixesOf(config: Json): ModelFolder["prefixes"] {
  const prompts = config["prompts"];
  const prompt = (names: readonly string[]): string => {
    if (typeof prompts !== "object" || prompts === null) return "";
    const found = names.map((name) => (prompts as Json)[name]).find((value) => typeof value === "string");
    return (found as string | undefined) ?? "";
  };
  return { query: prompt(PREFIX_NAMES.query), document: prompt(PREFIX_NAMES.document) };
}

async function readJson(folder: string, path: string): Promise<Json> {
  const file = join(folder, path);
  const text = await readText(file);
  return text === undefined ? {} : parse(text, file);
}

function parse(text: string, path: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Json;
  } catch {
    // Said below.
  }
  throw new EmbedderError("bad_model", `${path} is no JSON object`, "copy the file of the model again");
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return undefined;
  }
}

async function hashOf(path: string): Promise<string> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}
