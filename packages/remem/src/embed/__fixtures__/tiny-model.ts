import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The words of the tiny model, by their numbers; its tokenizer lowers letters and puts [CLS] before and [SEP] after a text. */
export const WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "cat", "dog", "query"] as const;

/** A vector a word: what the model's one table holds. */
export type Table = Readonly<Record<(typeof WORDS)[number], readonly number[]>>;

export interface TinyModel {
  readonly table: Table;
  /** Where the model is written. Default `model.onnx`. */
  readonly modelFile?: string;
  /** Further files of the folder, as JSON. */
  readonly files?: Readonly<Record<string, unknown>>;
}

/** Writes a folder as sentence-embedding models are published: a model of one look-up in a table, and a WordPiece tokenizer. */
export async function writeTinyModel(folder: string, { table, modelFile = "model.onnx", files = {} }: TinyModel): Promise<void> {
  const put = async (path: string, content: string | Uint8Array): Promise<void> => {
    const full = join(folder, path);
    await mkdir(dirname(full), { recursive: true });
    await writeFile(full, content);
  };
  const rows = WORDS.map((word) => table[word]);
  await put(modelFile, gatherModel(rows));
  await put("tokenizer.json", JSON.stringify(TOKENIZER));
  await put("config.json", JSON.stringify({ hidden_size: rows[0]!.length }));
  for (const [path, content] of Object.entries(files)) await put(path, JSON.stringify(content));
}

const special = (word: (typeof WORDS)[number]): unknown => ({
  id: WORDS.indexOf(word),
  content: word,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
});
const named = (word: "[CLS]" | "[SEP]"): unknown => ({ id: word, ids: [WORDS.indexOf(word)], tokens: [word] });

const TOKENIZER = {
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: [special("[PAD]"), special("[UNK]"), special("[CLS]"), special("[SEP]")],
  normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: {
    type: "TemplateProcessing",
    single: [
      { SpecialToken: { id: "[CLS]", type_id: 0 } },
      { Sequence: { id: "A", type_id: 0 } },
      { SpecialToken: { id: "[SEP]", type_id: 0 } },
    ],
    pair: [],
    special_tokens: { "[CLS]": named("[CLS]"), "[SEP]": named("[SEP]") },
  },
  decoder: { type: "WordPiece", prefix: "##", cleanup: true },
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(WORDS.map((word, number) => [word, number])),
  },
};

const INT64 = 7;
const FLOAT = 1;

/** The bytes of an ONNX model (protocol buffers) with one node: it looks `input_ids` up in a table. */
function gatherModel(rows: readonly (readonly number[])[]): Uint8Array {
  const width = rows[0]!.length;
  const numbers = new Uint8Array(Float32Array.from(rows.flat()).buffer);
  const tensor = [
    ...whole(1, rows.length),
    ...whole(1, width),
    ...whole(2, FLOAT),
    ...text(8, "table"),
    ...block(9, [...numbers]),
  ];
  const node = [...text(1, "table"), ...text(1, "input_ids"), ...text(2, "last_hidden_state"), ...text(4, "Gather")];
  const graph = [
    ...block(1, node),
    ...text(2, "tiny"),
    ...block(5, tensor),
    ...block(11, value("input_ids", INT64, ["texts", "tokens"])),
    ...block(12, value("last_hidden_state", FLOAT, ["texts", "tokens", width])),
  ];
  return new Uint8Array([...whole(1, 8), ...block(7, graph), ...block(8, whole(2, 13))]);
}

function value(name: string, type: number, dimensions: readonly (string | number)[]): number[] {
  const shape = dimensions.flatMap((size) => block(1, typeof size === "number" ? whole(1, size) : text(2, size)));
  return [...text(1, name), ...block(2, block(1, [...whole(1, type), ...block(2, shape)]))];
}

function varint(number: number): number[] {
  const bytes: number[] = [];
  let rest = number;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest & 0x7f) | 0x80);
  return [...bytes, rest];
}
const whole = (field: number, number: number): number[] => [...varint(field << 3), ...varint(number)];
const block = (field: number, content: readonly number[]): number[] => [
  ...varint((field << 3) | 2),
  ...varint(content.length),
  ...content,
];
const text = (field: number, content: string): number[] => block(field, [...new TextEncoder().encode(content)]);
