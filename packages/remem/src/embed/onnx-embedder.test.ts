import { expect, test } from "bun:test";
import { cp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runProcess, testNode, testProgram, type Workspace, workspace } from "@pi-ts/testkit";
import { type TinyModel, writeTinyModel } from "./__fixtures__/tiny-model.ts";
import { EmbedderError } from "./embedder-error.ts";
import { openOnnxEmbedder } from "./onnx-embedder.ts";

const RUNTIME = testProgram("onnxruntime-web/package.json");
const needsRuntime = test.skipIf(RUNTIME === null);

const TABLE = {
  "[PAD]": [9, 9],
  "[UNK]": [0, 0],
  "[CLS]": [0, 0],
  "[SEP]": [0, 0],
  cat: [1, 0],
  dog: [0, 1],
  query: [-1, 0],
} as const;

async function modelIn(space: Workspace, more: Partial<TinyModel> = {}): Promise<string> {
  const folder = join(space.home, "model");
  await writeTinyModel(folder, { table: TABLE, ...more });
  return folder;
}

const openWithRuntime = (folder: string): ReturnType<typeof openOnnxEmbedder> =>
  openOnnxEmbedder({ folder, runtimeFolders: [dirname(RUNTIME!)] });

async function failure(work: Promise<unknown>): Promise<EmbedderError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!EmbedderError.is(error)) throw new Error(`not an EmbedderError: ${String(error)}`);
  return error;
}

const rounded = (vector: Float32Array): number[] => [...vector].map((value) => Math.round(value * 100) / 100);

needsRuntime(
  "a local model gives the mean of its tokens, padding left out (needs onnxruntime-web) [R13]",
  async () => {
    await using space = await workspace();
    await using embedder = await openWithRuntime(await modelIn(space));
    const vectors = await embedder.embed(["Cat", "cat dog", "dog dog dog dog"], "document");
    expect(vectors.map(rounded)).toEqual([
      [1, 0],
      [0.71, 0.71],
      [0, 1],
    ]);
    expect(embedder.space.dimensions).toBe(2);
  },
);

needsRuntime("a model that pools by its first token is read so (needs onnxruntime-web)", async () => {
  await using space = await workspace();
  const folder = await modelIn(space, {
    table: { ...TABLE, "[CLS]": [3, 4] },
    modelFile: "onnx/model_quantized.onnx",
    files: { "1_Pooling/config.json": { word_embedding_dimension: 2, pooling_mode_cls_token: true } },
  });
  await using embedder = await openWithRuntime(folder);
  const [vector] = await embedder.embed(["cat"], "document");
  expect(rounded(vector!)).toEqual([0.6, 0.8]);
});

needsRuntime("the model's own words before questions are used (needs onnxruntime-web)", async () => {
  await using space = await workspace();
  const folder = await modelIn(space, {
    files: { "config_sentence_transformers.json": { prompts: { query: "query ", passage: "" } } },
  });
  await using embedder = await openWithRuntime(folder);
  const [question] = await embedder.embed(["dog"], "query");
  const [document] = await embedder.embed(["dog"], "document");
  expect(rounded(question!)).toEqual([-0.71, 0.71]);
  expect(rounded(document!)).toEqual([0, 1]);
});

needsRuntime(
  "a text longer than the model reads is cut, its end sign kept (needs onnxruntime-web)",
  async () => {
    await using space = await workspace();
    const folder = await modelIn(space, {
      table: { ...TABLE, "[SEP]": [0, 8] },
      files: { "sentence_bert_config.json": { max_seq_length: 10 } },
    });
    await using embedder = await openWithRuntime(folder);
    const [vector] = await embedder.embed([`${"cat ".repeat(5_000)}`], "document");
    expect(rounded(vector!)).toEqual([0.71, 0.71]);
  },
);

needsRuntime("many questions at once each get their own answer (needs onnxruntime-web)", async () => {
  await using space = await workspace();
  await using embedder = await openWithRuntime(await modelIn(space));
  const texts = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? "cat" : "dog"));
  const answers = await Promise.all(texts.map((text) => embedder.embed([text], "query")));
  expect(answers.map(([vector]) => rounded(vector!)[0])).toEqual(
    texts.map((text) => (text === "cat" ? 1 : 0)),
  );
});

needsRuntime(
  "a file that is no model is named, and mending it helps at once (needs onnxruntime-web)",
  async () => {
    await using space = await workspace();
    const folder = await modelIn(space);
    const path = join(folder, "model.onnx");
    await cp(path, join(folder, "whole"));
    await writeFile(path, "half of it");
    await using embedder = await openWithRuntime(folder);
    const error = await failure(embedder.embed(["cat"], "document"));
    expect(error.message).toContain(`${path} is no model that ONNX Runtime can load`);
    await cp(join(folder, "whole"), path);
    expect(rounded((await embedder.embed(["cat"], "document"))[0]!)).toEqual([1, 0]);
  },
);

test("without a runtime the error says how to install one, beside the model [R13]", async () => {
  await using space = await workspace();
  const folder = await modelIn(space);
  await using embedder = await openOnnxEmbedder({ folder });
  const error = await failure(embedder.embed(["cat"], "document"));
  expect(error.code).toBe("no_runtime");
  expect(error.hint).toContain(`npm install --prefix "${folder}" onnxruntime-node`);
});

test("a folder that lacks a file is refused with its name", async () => {
  await using space = await workspace();
  const folder = await modelIn(space);
  await rm(join(folder, "tokenizer.json"));
  expect((await failure(openOnnxEmbedder({ folder }))).message).toBe(`${folder} holds no tokenizer.json`);
  await rm(join(folder, "model.onnx"));
  expect((await failure(openOnnxEmbedder({ folder }))).message).toContain("holds no model.onnx");
});

test("a way of pooling that is not known is refused, not guessed", async () => {
  await using space = await workspace();
  const files = { "1_Pooling/config.json": { pooling_mode_max_tokens: true } };
  const error = await failure(openOnnxEmbedder({ folder: await modelIn(space, { files }) }));
  expect(error.message).toContain("pools by pooling_mode_max_tokens");
});

test("other weights, another pooling or another prefix is another space [R13]", async () => {
  await using space = await workspace();
  const fingerprint = async (more: Partial<TinyModel>): Promise<string> => {
    const folder = await modelIn(space, more);
    const { space: found } = await openOnnxEmbedder({ folder });
    await rm(folder, { recursive: true });
    return found.fingerprint;
  };
  const fingerprints = [
    await fingerprint({}),
    await fingerprint({ table: { ...TABLE, dog: [1, 1] } }),
    await fingerprint({ files: { "1_Pooling/config.json": { pooling_mode_cls_token: true } } }),
    await fingerprint({ files: { "config_sentence_transformers.json": { prompts: { query: "q " } } } }),
  ];
  expect(new Set(fingerprints).size).toBe(4);
  expect(await fingerprint({})).toBe(fingerprints[0]!);
});

const node = testNode();
test.skipIf(RUNTIME === null || node === null)(
  "the same model gives the same vectors under Node (needs onnxruntime-web and Node 24)",
  async () => {
    await using space = await workspace();
    const folder = await modelIn(space);
    const script = `
      const { openOnnxEmbedder } = await import(${JSON.stringify(join(import.meta.dirname, "onnx-embedder.ts"))});
      await using embedder = await openOnnxEmbedder(${JSON.stringify({ folder, runtimeFolders: [dirname(RUNTIME!)] })});
      const [vector] = await embedder.embed(["cat dog"], "document");
      console.log(JSON.stringify([...vector].map((value) => Math.round(value * 1000))));`;
    const { stdout, stderr } = await runProcess([
      node!,
      "--no-warnings",
      "--input-type=module",
      "-e",
      script,
    ]);
    expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: "[707,707]", stderr: "" });
  },
);
